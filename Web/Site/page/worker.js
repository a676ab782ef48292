// SPDX-License-Identifier: Apache-2.0

// The codec in a worker: opens, encodes, decodes and measures, and reports progress.

import { loadCodec } from './resources.js';
import { spectrogram } from './spectrogram.js';

let linnet = loadCodec();

const tasks = {
    /** Returns the library's version. */
    async about() {
        return { version: (await linnet).version };
    },

    /** Returns the bit rate limits; null if the profile does not support the signal. */
    async limits({ sampleRate, channels, profile }) {
        try {
            return (await linnet).bitRates({ sampleRate, channels, profile: profile === 'auto' ? 'lc' : profile });
        } catch {
            return null;
        }
    },

    /** Decodes a file that contains AAC; null for others. */
    async open({ bytes }) {
        const library = await linnet;
        const { information } = library.probe(bytes);
        if (!information) return null;
        const { sampleRate, channels, format, damagedUnitCount } = library.decode(bytes);
        if (channels.length === 0 || channels[0].length === 0) return null;
        return { sampleRate, channels, kind: `AAC in ${format.toUpperCase()}`, damagedUnitCount };
    },

    /** Encodes a signal. */
    async encode({ channels, options }, progress) {
        const library = await linnet;
        const encoder = library.createEncoder({ ...options, channels: channels.length });
        const [frameCount, step] = [channels[0].length, options.sampleRate];
        const units = [];
        let seconds = 0;
        const measured = (body) => {
            const start = performance.now();
            for (const unit of body()) units.push(unit);
            seconds += (performance.now() - start) / 1000;
        };
        for (let first = 0; first < frameCount; first += step) {
            measured(() => encoder.write(channels.map((channel) => channel.subarray(first, first + step))));
            progress(Math.min(1, (first + step) / frameCount));
        }
        measured(() => encoder.finish());
        const { configuration, trim, delay, profile, bandwidth } = encoder;
        encoder.close();
        const files = {};
        for (const format of ['m4a', 'adts']) {
            const writer = library.createWriter(format, configuration, { priming: delay });
            for (const unit of units) writer.append(unit);
            writer.finish(trim);
            files[format] = writer.takeBytes();
            writer.close();
        }
        const decoded = decodeUnits(library, configuration, units, trim);
        return { files, profile, bandwidth, seconds, unitLength: units[0]?.duration ?? 1024, ...decoded, memory: library.memoryByteCount };
    },

    /** Measures two signals and computes their spectrograms. */
    async measure({ original, result, sampleRate }) {
        const library = await linnet;
        const spectrograms = [original, result].map((channels) => spectrogram(channels, sampleRate));
        return { spectrograms, comparison: compareParts(library, original, result, sampleRate) };
    },
};

/** Compares two signals in parts of half a minute, to save memory. */
function compareParts(library, original, result, sampleRate) {
    const [frameCount, step] = [original[0].length, 30 * sampleRate];
    const parts = [];
    for (let first = 0; first < frameCount; first += step) {
        // A short remainder is added to the last part.
        const end = frameCount - first < 1.5 * step ? frameCount : first + step;
        const [reference, test] = [original, result].map((channels) => channels.map((channel) => channel.subarray(first, end)));
        parts.push(library.compare(reference, test, sampleRate));
        if (end === frameCount) break;
    }
    const audible = parts.filter((part) => part.mean > -99);
    const frames = parts.reduce((sum, part) => sum + part.frames, 0);
    const mean = (name, chosen) => {
        const weight = chosen.reduce((sum, part) => sum + part.frames, 0);
        return chosen.reduce((sum, part) => sum + part[name] * part.frames, 0) / Math.max(1, weight);
    };
    const ratios = new Float32Array(frames * parts[0].bands);
    let position = 0;
    for (const part of parts) {
        ratios.set(part.ratios, position);
        position += part.ratios.length;
    }
    return {
        frames, ratios, bands: parts[0].bands, edges: parts[0].edges,
        mean: audible.length > 0 ? mean('mean', audible) : -100,
        audibleShare: mean('audibleShare', audible),
        testBandwidth: Math.max(...parts.map((part) => part.testBandwidth)),
    };
}

/** Decodes access units, and lists the bits and window type of each. */
function decodeUnits(library, configuration, units, trim) {
    const decoder = library.createDecoder(configuration);
    const [bits, isShort] = [new Uint32Array(units.length), new Uint8Array(units.length)];
    let channels;
    let position = -trim.priming;
    units.forEach((unit, index) => {
        const audio = decoder.decode(unit.bytes);
        channels ??= audio.channels.map(() => new Float32Array(trim.valid));
        bits[index] = 8 * unit.bytes.length;
        isShort[index] = decoder.tools.shortChannelCount > 0 ? 1 : 0;
        const [first, end] = [Math.max(0, -position), Math.min(audio.frameCount, trim.valid - position)];
        if (end > first) channels.forEach((channel, number) => channel.set(audio.channels[number].subarray(first, end), position + first));
        position += audio.frameCount;
    });
    decoder.close();
    return { channels: channels ?? [], bits, isShort, priming: trim.priming };
}

onmessage = async ({ data: { id, task, input } }) => {
    try {
        const result = await tasks[task](input, (progress) => postMessage({ id, progress }));
        postMessage({ id, result });
    } catch (error) {
        if (error.isFatal) linnet = loadCodec();
        postMessage({ id, error: error.message });
    }
};
