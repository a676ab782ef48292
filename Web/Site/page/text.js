// SPDX-License-Identifier: Apache-2.0

// Numbers as texts.

/** Returns a time as minutes and seconds. */
export function formatTime(seconds) {
    return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
}

/** Returns a number of bytes with a unit. */
export function formatSize(count) {
    return count < 1e6 ? `${(count / 1000).toFixed(1)} kB` : `${(count / 1e6).toFixed(2)} MB`;
}

/** Returns a ratio in decibels; that of silence is below -99. */
export function decibels(value) {
    return value <= -99 ? 'none' : `${value.toFixed(1).replace('-', '−')} dB`;
}
