// SPDX-License-Identifier: Apache-2.0

// Signals from files: WAV in JavaScript, AAC with Linnet in the worker, others with the browser's decoders.

/** Reads the samples of a WAV file as the command does; null if the file is not WAV or not PCM. */
export function readWAV(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const name = (offset) => String.fromCharCode(...bytes.subarray(offset, offset + 4));
    if (bytes.length < 12 || name(0) !== 'RIFF' || name(8) !== 'WAVE') return null;
    let format;
    for (let offset = 12; offset + 8 <= bytes.length; ) {
        const [kind, size] = [name(offset), view.getUint32(offset + 4, true)];
        const start = offset + 8;
        if (kind === 'fmt ' && size >= 16 && start + size <= bytes.length) {
            const tag = view.getUint16(start, true);
            format = {
                tag: tag === 0xfffe && size >= 26 ? view.getUint16(start + 24, true) : tag,
                channelCount: view.getUint16(start + 2, true),
                sampleRate: view.getUint32(start + 4, true),
                bits: view.getUint16(start + 14, true),
            };
        }
        if (kind === 'data' && format) return samplesOf(view, start, Math.min(size, bytes.length - start), format);
        offset = start + size + (size & 1);
    }
    return null;
}

/** Converts interleaved samples to one Float32Array per channel. */
function samplesOf(view, start, byteCount, { tag, channelCount, sampleRate, bits }) {
    const readers = {
        '1-8': (offset) => (view.getUint8(offset) - 128) / 128,
        '1-16': (offset) => view.getInt16(offset, true) / 32768,
        '1-24': (offset) => ((view.getUint16(offset, true) << 8) | (view.getUint8(offset + 2) << 24)) / 2147483648,
        '1-32': (offset) => view.getInt32(offset, true) / 2147483648,
        '3-32': (offset) => view.getFloat32(offset, true),
        '3-64': (offset) => view.getFloat64(offset, true),
    };
    const read = readers[`${tag}-${bits}`];
    if (!read || channelCount === 0 || sampleRate === 0) return null;
    const step = bits / 8;
    const frameCount = Math.floor(byteCount / (step * channelCount));
    const channels = Array.from({ length: channelCount }, () => new Float32Array(frameCount));
    for (let frame = 0, offset = start; frame < frameCount; frame += 1) {
        for (let channel = 0; channel < channelCount; channel += 1, offset += step) channels[channel][frame] = read(offset);
    }
    return { sampleRate, channels, kind: `WAV, ${bits} bit` };
}

/** Returns a 32-bit float WAV file, which stores the samples exactly. */
export function makeWAV({ sampleRate, channels }) {
    const [channelCount, frameCount] = [channels.length, channels[0].length];
    const byteCount = 4 * channelCount * frameCount;
    const view = new DataView(new ArrayBuffer(44 + byteCount));
    const text = (offset, value) => [...value].forEach((letter, index) => view.setUint8(offset + index, letter.charCodeAt(0)));
    text(0, 'RIFF');
    view.setUint32(4, 36 + byteCount, true);
    text(8, 'WAVEfmt ');
    view.setUint32(16, 16, true);
    view.setUint16(20, 3, true);
    view.setUint16(22, channelCount, true);
    view.setUint32(24, sampleRate, true);
    view.setUint32(28, 4 * channelCount * sampleRate, true);
    view.setUint16(32, 4 * channelCount, true);
    view.setUint16(34, 32, true);
    text(36, 'data');
    view.setUint32(40, byteCount, true);
    for (let frame = 0, offset = 44; frame < frameCount; frame += 1) {
        for (let channel = 0; channel < channelCount; channel += 1, offset += 4) view.setFloat32(offset, channels[channel][frame], true);
    }
    return new Uint8Array(view.buffer);
}

/** Decodes a file with the browser, at the sample rate of its header if known. */
export async function decodeByBrowser(bytes) {
    const isFLAC = String.fromCharCode(...bytes.subarray(0, 4)) === 'fLaC' && bytes.length > 21;
    const stored = isFLAC ? (bytes[18] << 12) | (bytes[19] << 4) | (bytes[20] >> 4) : 48000;
    const context = new OfflineAudioContext(1, 1, Math.min(Math.max(stored, 8000), 96000));
    const buffer = await context.decodeAudioData(bytes.slice().buffer);
    const channels = Array.from({ length: buffer.numberOfChannels }, (_, channel) => buffer.getChannelData(channel));
    // Bits per sample minus 1: five bits that start with the last bit of byte 20.
    if (isFLAC && (((bytes[20] & 1) << 4) | (bytes[21] >> 4)) === 15) restore16Bits(channels);
    return { sampleRate: buffer.sampleRate, channels, kind: isFLAC ? 'FLAC' : 'decoded by the browser' };
}

/** Undoes Chromium's scaling, which divides positive 16-bit samples by 32767, so that FLAC is exact. */
function restore16Bits(channels) {
    if (channels.every((channel) => channel.every((value) => Number.isInteger(value * 32768)))) return;
    for (const channel of channels) {
        channel.forEach((value, frame) => (channel[frame] = Math.round(value * (value > 0 ? 32767 : 32768)) / 32768));
    }
}

const sampleRates = [7350, 8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000, 64000, 88200, 96000];

/** Returns the signal at a sample rate that AAC supports, converted by the browser if necessary. */
export async function supported(signal) {
    const { sampleRate, channels } = signal;
    if (sampleRates.includes(sampleRate)) return signal;
    const rate = sampleRate > 48000 ? 48000 : sampleRates.find((each) => each >= sampleRate);
    const context = new OfflineAudioContext(channels.length, Math.ceil((channels[0].length * rate) / sampleRate), Math.max(rate, 8000));
    const source = context.createBufferSource();
    source.buffer = new AudioBuffer({ length: channels[0].length, numberOfChannels: channels.length, sampleRate });
    channels.forEach((channel, index) => source.buffer.copyToChannel(channel, index));
    source.connect(context.destination);
    source.start();
    const buffer = await context.startRendering();
    return { ...signal, sampleRate: buffer.sampleRate, channels: channels.map((_, index) => buffer.getChannelData(index)) };
}

/** Generates an eight-second example: plucked chords, bass and brushes, in stereo at 48 kHz. */
export function makeExample() {
    const [sampleRate, seconds] = [48000, 8];
    const channels = [new Float32Array(sampleRate * seconds), new Float32Array(sampleRate * seconds)];
    let seed = 1;
    const noise = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2147483648 - 1;
    const add = (time, length, pan, voice) => {
        const first = Math.round(time * sampleRate);
        for (let index = 0; index < length * sampleRate && first + index < channels[0].length; index += 1) {
            const value = voice(index / sampleRate);
            channels[0][first + index] += value * Math.cos(pan);
            channels[1][first + index] += value * Math.sin(pan);
        }
    };
    const chords = [[220, 261.63, 329.63, 440], [174.61, 220, 261.63, 349.23], [196, 246.94, 293.66, 392], [164.81, 207.65, 246.94, 329.63]];
    chords.forEach((chord, bar) => {
        const start = 2 * bar;
        chord.forEach((pitch, index) => {
            for (const beat of [0, 1]) {
                add(start + beat + 0.12 * index, 1.6, 0.35 + 0.3 * index, (time) => {
                    let value = 0;
                    for (let part = 1; part <= 8; part += 1) value += Math.sin(2 * Math.PI * pitch * part * time) * Math.exp(-time * (2 + 1.5 * part)) / part;
                    return 0.24 * value * Math.min(1, time * 800);
                });
            }
        });
        add(start, 1.9, 0.785, (time) => 0.3 * Math.sin(Math.PI * chord[0] * time) * Math.exp(-1.6 * time) * Math.min(1, time * 200));
        for (let beat = 0; beat < 8; beat += 1) add(start + 0.25 * beat, 0.12, 0.6 + 0.05 * beat, (time) => 0.12 * noise() * Math.exp(-55 * time));
    });
    return { sampleRate, channels, kind: 'example', name: 'example' };
}
