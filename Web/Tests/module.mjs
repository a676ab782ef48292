// SPDX-License-Identifier: Apache-2.0

// Tests the remaining functions: streams, seeking, concealment, setting changes, and invalid calls.
//
//     node module.mjs SITE

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [site] = process.argv.slice(2);
const { Linnet, LinnetError } = await import(pathToFileURL(`${site}/linnet.js`));
const { LinnetAudioDecoder, loadLinnet } = await import(pathToFileURL(`${site}/linnet-webcodecs.js`));
const linnet = await Linnet.load(readFileSync(`${site}/linnet.wasm`));
const header = readFileSync(new URL('../../CLibrary/include/linnet.h', import.meta.url), 'utf8');
const parts = ['MAJOR', 'MINOR', 'PATCH'].map((part) => header.match(new RegExp(`LINNET_VERSION_${part} (\\d+)`))[1]);
assert.equal(linnet.version, parts.join('.'));
assert.equal(JSON.parse(readFileSync(`${site}/package.json`, 'utf8')).version, linnet.version);

const [sampleRate, frameCount] = [48000, 48000];
const signal = [0, 1].map((channel) => Float32Array.from({ length: frameCount }, (_, frame) => 0.4 * Math.sin(frame * (0.05 + 0.03 * channel))));
const settings = { sampleRate, bitRate: 96000, effort: 'fast' };
const code = (body) => {
    try {
        body();
    } catch (error) {
        assert.ok(error instanceof LinnetError && !error.isFatal, error.stack);
        return error.code;
    }
    return 0;
};

// The output does not depend on block sizes, also after a reset. A bit rate change takes effect.
const encoder = linnet.createEncoder({ ...settings, channels: 2 });
assert.deepEqual([encoder.unitLength, encoder.profile, encoder.bitRate], [1024, 'lc', 96000]);
const whole = [...encoder.write(signal), ...encoder.finish()];
assert.equal(code(() => encoder.write(signal)), -4, 'input after the end');
const { trim } = encoder;
assert.deepEqual([trim.priming, trim.valid], [encoder.delay, frameCount]);
encoder.reset();
const pieces = [];
for (let first = 0; first < frameCount; first += 777) pieces.push(...encoder.write(signal.map((channel) => channel.subarray(first, first + 777))));
pieces.push(...encoder.finish());
assert.deepEqual(pieces, whole);
encoder.reset();
const size = (units) => units.reduce((sum, { bytes }) => sum + bytes.length, 0);
const before = size(encoder.write(signal));
encoder.setBitRate(192000);
assert.ok(size(encoder.write(signal)) > 1.4 * before, 'the bit rate does not rise');
encoder.close();
encoder.close();
assert.equal(code(() => encoder.write(signal)), -4, 'a closed encoder');

// An ADTS stream in pieces has the file's access units.
const adts = linnet.encode(signal, { ...settings, format: 'adts' });
const stream = linnet.openStream('adts');
const units = [];
for (let first = 0; first < adts.length; first += 313) {
    stream.append(adts.subarray(first, first + 313));
    for (let unit = stream.next(); unit; unit = stream.next()) units.push(unit.bytes);
}
stream.append(new Uint8Array());
for (let unit = stream.next(); unit; unit = stream.next()) units.push(unit.bytes);
assert.deepEqual(units, whole.map(({ bytes }) => bytes));
assert.equal(stream.information.format, 'adts');
stream.close();

// The WebCodecs-like decoder returns the audio of every ADTS frame with its timestamp, including the last, and again after a flush.
await loadLinnet(readFileSync(`${site}/linnet.wasm`));
globalThis.AudioData ??= class {
    constructor(init) {
        Object.assign(this, init);
    }
};
const times = [];
const output = ({ timestamp, numberOfFrames, numberOfChannels }) => times.push([timestamp, numberOfFrames, numberOfChannels]);
const shaped = new LinnetAudioDecoder({ output, error: assert.fail });
shaped.configure({ codec: 'mp4a.40.2', sampleRate, numberOfChannels: 2 });
const writer = linnet.createWriter('adts', linnet.probe(adts).configuration);
assert.equal(code(() => writer.append({ ...whole[0], blockCount: 2 })), -2, 'a unit of several blocks');
const frames = whole.map((unit) => {
    writer.append(unit);
    return writer.takeBytes();
});
writer.close();
for (const start of [0, 5000000]) {
    frames.forEach((bytes, index) => shaped.decode({ byteLength: bytes.length, timestamp: start + index, copyTo: (to) => to.set(bytes) }));
    await shaped.flush();
    assert.deepEqual(times.splice(0), frames.map((_, index) => [start + index, 1024, 2]));
}
shaped.close();

// Seeking in M4A, and a lost access unit.
const m4a = linnet.encode(signal, settings);
const decoded = linnet.decode(m4a);
assert.deepEqual([decoded.sampleRate, decoded.channels.length, decoded.channels[0].length, decoded.format], [sampleRate, 2, frameCount, 'm4a']);
const reader = linnet.openReader(m4a);
assert.deepEqual(reader.information.trim, trim);
const target = 20000;
const drop = reader.seek(trim.priming + target);
const decoder = linnet.createDecoder(reader.configuration);
const after = [];
for (let unit = reader.next(); unit; unit = reader.next()) after.push(...decoder.decode(unit.bytes).channels[0]);
// Noise substitution depends on previous access units.
for (let frame = 0; frame < 5000; frame += 1) assert.ok(Math.abs(after[drop + frame] - decoded.channels[0][target + frame]) < 1e-3);
const concealed = decoder.conceal();
assert.deepEqual([concealed.isDamaged, concealed.frameCount], [true, 1024]);
assert.equal(decoder.int16(2048).length, 2048);
assert.equal(decoder.delay, 0);
decoder.close();
reader.close();
const mono = linnet.decode(m4a, { mix: 'mono' });
assert.equal(mono.channels.length, 1);
// SBR that the configuration does not signal doubles the counts of the container.
for (const format of ['m4a', 'caf']) {
    const files = ['compatible', 'implicit'].map((signaling) => linnet.encode(signal, { sampleRate, profile: 'he', signaling, format, effort: 'fast' }));
    const [signaled, implicit] = files.map((bytes) => linnet.decode(bytes));
    assert.deepEqual(implicit, signaled);
    assert.equal(implicit.channels[0].length, frameCount);
}

// A comparison detects noise.
const same = linnet.compare(signal, signal, sampleRate);
const noisy = linnet.compare(signal, signal.map((channel) => channel.map((value, frame) => value + 0.05 * Math.sin(frame * frame))), sampleRate);
assert.ok(same.mean === -30 && noisy.mean > 0 && noisy.audibleShare > 0.9, `${same.mean}, ${noisy.mean}`);
assert.equal(noisy.ratios.length, noisy.frames * noisy.bands);
for (const other of [[signal[0]], [...signal, signal[0]], signal.map((channel) => channel.subarray(1)), [signal[0], signal[1].subarray(1)], []]) {
    assert.equal(code(() => linnet.compare(signal, other, sampleRate)), -1);
}

assert.deepEqual(linnet.probe(new Uint8Array(100)), { format: 'unknown', information: null, configuration: null });
assert.equal(linnet.probe(m4a).information.channelCount, 2);
assert.equal(code(() => linnet.decode(new TextEncoder().encode('no audio'))), -8);
assert.equal(code(() => linnet.encode(signal, { ...settings, profile: 'opus' })), -1);
assert.equal(code(() => linnet.encode(signal, { ...settings, bitRate: 10 })), -2);
assert.equal(code(() => linnet.encode([signal[0], signal[1].subarray(1)], settings)), -1);
assert.equal(code(() => linnet.encode([signal[0].map(() => NaN), signal[1]], settings)), -5);
assert.equal(code(() => linnet.createDecoder(new Uint8Array([0xff]))), -3);
// Because of the rate, or because the module has no converter.
assert.equal(code(() => linnet.createResampler(999, 48000, 1)), -2);
// Values that overflow a 32-bit Int: access unit duration (stts), chunk length (stsc), first chunk offset (stco).
for (const [box, offset] of [['stts', 16], ['stts', 12], ['stsc', 16], ['stco', 12], ['stsz', 8], ['mdhd', 20]]) {
    const damaged = m4a.slice();
    const start = Buffer.from(damaged.buffer).indexOf(box);
    assert.ok(start > 0);
    for (const high of [0xff, 0x7f]) {
        damaged.fill(0xff, start + offset, start + offset + 4);
        damaged[start + offset] = high;
        code(() => linnet.decode(damaged));
    }
}
// Inputs that once failed elsewhere.
const samples = new URL('../../Tests/RegressionSamples/', import.meta.url);
for (const entry of readdirSync(samples, { withFileTypes: true })) {
    if (entry.isFile() && !entry.name.endsWith('.md')) code(() => linnet.decode(readFileSync(new URL(entry.name, samples))));
}
// Closing frees memory.
const { memoryByteCount } = linnet;
for (let round = 0; round < 40; round += 1) linnet.decode(linnet.encode(signal, settings));
assert.ok(linnet.memoryByteCount < memoryByteCount + 2 ** 20, `memory grows from ${memoryByteCount} to ${linnet.memoryByteCount} bytes`);
console.log('the module: streams, WebCodecs, seeking, concealment, changes, errors, memory');
