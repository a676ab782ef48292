// SPDX-License-Identifier: Apache-2.0

// Formats numbers.

/** Formats a time in minutes and seconds. */
export function formatTime(seconds) {
    return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
}

/** Formats a byte count with a unit. */
export function formatSize(count) {
    return count < 1e6 ? `${(count / 1000).toFixed(1)} kB` : `${(count / 1e6).toFixed(2)} MB`;
}

/** Formats a ratio in decibels. Ratios of silence are below -99. */
export function decibels(value) {
    return value <= -99 ? 'none' : `${value.toFixed(1).replace('-', '−')} dB`;
}
