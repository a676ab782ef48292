// SPDX-License-Identifier: Apache-2.0

// The compared conditions: the original, two encodings and a low anchor, aligned in time and level.

import { lag, levels } from './alignment.js';

/** Returns the cutoff frequency of the anchor, in hertz: 3.5 kHz (ITU-R BS.1534-3), or less for sample rates below 21 kHz. */
export function anchorFrequency(sampleRate) {
    return Math.min(3500, sampleRate / 6);
}

/** Low-pass filters a signal without delay. */
async function lowPassed(channels, sampleRate, frequency) {
    // A Kaiser-windowed sinc for 60 dB. The transition band is a seventh of the frequency: 3.5 to 4 kHz, where the recommendation asks for
    // 25 dB.
    const [beta, width] = [5.65, frequency / 7];
    const half = Math.ceil((52 * sampleRate) / (2 * 14.36 * width));
    const middle = (frequency + width / 2) / sampleRate;
    const response = new AudioBuffer({ length: 2 * half + 1, numberOfChannels: 1, sampleRate });
    const taps = Float32Array.from({ length: 2 * half + 1 }, (_, index) => {
        const time = index - half;
        const sinc = time === 0 ? 2 * middle : Math.sin(2 * Math.PI * middle * time) / (Math.PI * time);
        return (sinc * bessel(beta * Math.sqrt(1 - (time / half) ** 2))) / bessel(beta);
    });
    response.copyToChannel(taps, 0);
    const [frameCount, count] = [channels[0].length, channels.length];
    const context = new OfflineAudioContext(count, frameCount + half, sampleRate);
    const buffer = new AudioBuffer({ length: frameCount, numberOfChannels: count, sampleRate });
    channels.forEach((channel, index) => buffer.copyToChannel(channel, index));
    const source = new AudioBufferSourceNode(context, { buffer });
    const filter = new ConvolverNode(context, { buffer: response, disableNormalization: true });
    source.connect(filter).connect(context.destination);
    source.start();
    const result = await context.startRendering();
    return channels.map((_, index) => result.getChannelData(index).slice(half));
}

/** The modified Bessel function of the first kind, order 0. */
function bessel(value) {
    let [term, sum] = [1, 1];
    for (let order = 1; term > 1e-12 * sum; order += 1) {
        term *= (value / (2 * order)) ** 2;
        sum += term;
    }
    return sum;
}

/**
 * Creates the conditions of a clip: `original`, `first`, `second` and, if requested, `anchor`. Each has its channels, the gain that aligns
 * its level, its delay in sample frames, and its bit rate. Null if the codec was cancelled.
 */
export async function makeConditions(clip, codings, withAnchor, codec, onprogress) {
    const { sampleRate, channels } = clip;
    const conditions = [{ name: 'original', channels, lag: 0 }];
    for (const [index, coding] of codings.entries()) {
        const options = { ...coding, sampleRate, silencesInvalid: true };
        const result = await codec.call('encode', { channels, options }, (progress) => onprogress((index + progress) / codings.length));
        if (!result) return null;
        const bits = result.bits.reduce((sum, count) => sum + count, 0);
        conditions.push({
            name: ['first', 'second'][index],
            channels: result.channels,
            lag: lag(channels, result.channels),
            bitRate: Math.round((bits * sampleRate) / channels[0].length),
            profile: result.profile,
        });
    }
    if (withAnchor) {
        const anchor = await lowPassed(channels, sampleRate, anchorFrequency(sampleRate));
        conditions.push({ name: 'anchor', channels: anchor, lag: lag(channels, anchor) });
    }
    const gains = levels(conditions.map((condition) => condition.channels), sampleRate);
    return conditions.map((condition, index) => ({ ...condition, gain: gains[index] }));
}
