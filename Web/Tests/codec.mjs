// SPDX-License-Identifier: Apache-2.0

// Compares encoded bytes and decoded samples of linnet.wasm with the command's, and decodes randomly damaged files:
//
//     node codec.mjs SITE COMMAND VECTOR...

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [site, command, ...vectors] = process.argv.slice(2);
const { Linnet, LinnetError } = await import(pathToFileURL(`${site}/linnet.js`));
const wasm = readFileSync(`${site}/linnet.wasm`);
const module = new WebAssembly.Module(wasm);
assert.deepEqual(WebAssembly.Module.imports(module), [], 'no imports');

const linnet = await Linnet.load();
const run = (input, ...args) => execFileSync(command, args, { input, maxBuffer: 1 << 28, stdio: ['pipe', 'pipe', 'inherit'] });

/** Returns gliding tones, noise and transients as 16-bit integers, equal on all systems. */
function makeSignal(frameCount, channelCount) {
    const samples = new Int16Array(frameCount * channelCount);
    let random = 12345;
    for (let frame = 0; frame < frameCount; frame += 1) {
        for (let channel = 0; channel < channelCount; channel += 1) {
            random = (Math.imul(random, 1664525) + 1013904223) | 0;
            const phase = (frame * (900 + 200 * channel) + ((frame * frame) >> 6)) & 0xffff;
            const tone = (Math.abs(phase - 32768) - 16384) >> 1;
            const noise = (random >> 18) >> ((frame >> 12) % 3);
            const click = frame % 5003 < 12 ? 9000 - 750 * (frame % 5003) : 0;
            samples[frame * channelCount + channel] = Math.max(-32768, Math.min(32767, tone + noise + click));
        }
    }
    return samples;
}

/** Returns planar samples, converted as by the command. */
function planar(samples, channelCount) {
    return Array.from({ length: channelCount }, (_, channel) =>
        Float32Array.from({ length: samples.length / channelCount }, (_, frame) => samples[frame * channelCount + channel] / 32768));
}

/** Returns interleaved samples, as the command writes them with `--sample-format f32`. */
function interleaved(channels) {
    const samples = new Float32Array(channels[0].length * channels.length);
    channels.forEach((channel, index) => channel.forEach((value, frame) => (samples[frame * channels.length + index] = value)));
    return Buffer.from(samples.buffer);
}

/** Checks that a decoded file has the command's samples. */
function assertDecoded(file, name) {
    const decoded = linnet.decode(file);
    assert.equal(decoded.damagedUnitCount, 0, name);
    const expected = run(file, 'decode', '--quiet', '--sample-format', 'f32', '--format', 'raw', '-', '-o', '-');
    assert.ok(expected.equals(interleaved(decoded.channels)), `${name}: the samples differ from the command's`);
}

const efforts = ['fast', 'balanced', 'best'];
const settings = [
    ...[8000, 16000, 24000, 44100, 48000, 96000].flatMap((sampleRate) => [1, 2].map((channels) => ({ sampleRate, channels, profile: 'lc' }))),
    ...[22050, 32000, 44100, 48000].flatMap((sampleRate) => [1, 2].map((channels) => ({ sampleRate, channels, profile: 'he' }))),
    ...[24000, 32000, 44100, 48000].map((sampleRate) => ({ sampleRate, channels: 2, profile: 'he-v2' })),
    { sampleRate: 48000, channels: 6, profile: 'lc' },
];
try {
    linnet.bitRates({ sampleRate: 48000, channels: 2, profile: 'xhe' });
    settings.push(...[24000, 48000].flatMap((sampleRate) => [1, 2].map((channels) => ({ sampleRate, channels, profile: 'xhe' }))));
} catch (error) {
    // Only the whole module has xHE-AAC.
    assert.equal(error.code, -2);
}
let count = 0;
for (const [index, { sampleRate, channels, profile }] of settings.entries()) {
    const samples = makeSignal(Math.round(sampleRate * 0.7), channels);
    const { lowest, highest } = linnet.bitRates({ sampleRate, channels, profile });
    for (const [place, effort] of efforts.entries()) {
        const part = (index * 7 + place * 3) % 5;
        const bitRate = Math.round(lowest + (Math.min(highest, 160 * sampleRate) - lowest) * 0.04 * (1 + part * part));
        const name = `${profile} ${effort} ${sampleRate} Hz ${channels} channels ${bitRate} bit/s`;
        const options = { sampleRate, bitRate, profile, effort };
        // ADTS has no place for the configuration of xHE-AAC. A pipe has no measured loudness.
        const isExtended = profile === 'xhe';
        if (isExtended) options.statedLoudness = 160;
        const format = isExtended ? 'loas' : 'adts';
        const file = linnet.encode(planar(samples, channels), { ...options, format });
        const input = Buffer.from(samples.buffer);
        const expected = run(
            input, 'encode', '--quiet', '--raw', `s16le,${sampleRate},${channels}`, '--profile', profile, '--effort', effort,
            '-b', String(bitRate), '--format', format, ...(isExtended ? ['--stated-loudness', '-16LUFS'] : []), '-', '-o', '-');
        assert.ok(expected.equals(file), `${name}: the bytes differ from the command's`);
        if (place === 0) assertDecoded(file, name);
        // The command's M4A also contains its name.
        if (place === 1) assertDecoded(linnet.encode(planar(samples, channels), { ...options, format: index % 2 ? 'm4a' : 'caf' }), `${name} in a file`);
        count += 1;
    }
}
for (const path of vectors) assertDecoded(readFileSync(path), path);
console.log(`${count} settings and ${vectors.length} streams: equal bytes and samples in Node ${process.version}`);

// Damage never traps.
let random = Number(process.env.LINNET_SEED ?? 1);
const next = (limit) => (random = (Math.imul(random, 1664525) + 1013904223) >>> 0) % limit;
const signal = planar(makeSignal(12000, 2), 2);
const files = ['adts', 'loas', 'm4a', 'fragmented-m4a', 'caf', 'ts'].flatMap((format) =>
    ['lc', 'he-v2'].map((profile) => linnet.encode(signal, { sampleRate: 44100, bitRate: 48000, profile, effort: 'fast', format })));
const rounds = Number(process.env.LINNET_MUTATIONS ?? 600);
for (let round = 0; round < rounds; round += 1) {
    const bytes = files[round % files.length].slice(0, round % 5 === 0 ? 1 + next(4000) : undefined);
    for (let change = 1 + next(8); change > 0; change -= 1) {
        const [place, kind] = [next(next(2) ? bytes.length : Math.min(bytes.length, 800)), next(4)];
        bytes[place] = [next(256), 0xff, 0, bytes[place] ^ (1 << next(8))][kind];
        if (kind === 1) bytes.fill(0xff, place, place + 1 + next(6));
    }
    try {
        linnet.decode(bytes);
        linnet.probe(bytes);
    } catch (error) {
        assert.ok(error instanceof LinnetError && !error.isFatal, `round ${round} of seed ${process.env.LINNET_SEED ?? 1}: ${error.cause?.stack ?? error.stack}`);
    }
}
console.log(`${rounds} damaged files: an error or audio, ${(linnet.memoryByteCount / 1048576).toFixed(1)} MiB`);
