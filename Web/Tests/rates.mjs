// SPDX-License-Identifier: Apache-2.0

// Converts sample rates with the whole linnet.wasm, and compares the output with a sine:
//
//     node rates.mjs SITE

import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';

const [site] = process.argv.slice(2);
const { Linnet } = await import(pathToFileURL(`${site}/linnet.js`));
const linnet = await Linnet.load();

const tone = (rate, frameCount, frequency) =>
    Float32Array.from({ length: frameCount }, (_, frame) => Math.sin((2 * Math.PI * frequency * frame) / rate));
const code = (body) => {
    try {
        body();
    } catch (error) {
        return error.code;
    }
    return 0;
};

for (const [from, to] of [[44100, 48000], [48000, 44100], [48000, 16000], [8000, 48000], [44100, 44101]]) {
    const frequencies = [0.31, 0.155].map((part) => (part * Math.min(from, to)) / 2);
    const signal = frequencies.map((frequency) => tone(from, Math.round(from / 3), frequency));
    const whole = linnet.resample(signal, from, to);
    whole.forEach((channel, index) => {
        assert.equal(channel.length, Math.round((signal[0].length * to) / from));
        // The tone starts and ends abruptly, which spreads over the filter length.
        const expected = tone(to, channel.length, frequencies[index]);
        const margin = Math.floor(channel.length / 6);
        let energy = 0;
        for (let frame = margin; frame < channel.length - margin; frame += 1) energy += (channel[frame] - expected[frame]) ** 2;
        const level = 10 * Math.log10((2 * energy) / (channel.length - 2 * margin));
        assert.ok(level < -120, `${from} to ${to}: noise of ${level} dB`);
    });
    // Block lengths do not change the output.
    const resampler = linnet.createResampler(from, to, 2, { quality: 'high' });
    let position = 0;
    const check = (channels) => {
        channels.forEach((channel, index) => assert.deepEqual(channel, whole[index].subarray(position, position + channel.length)));
        position += channels[0].length;
    };
    for (let first = 0; first < signal[0].length; first += 777) {
        check(resampler.write(signal.map((channel) => channel.subarray(first, first + 777))));
    }
    check(resampler.finish());
    assert.equal(position, whole[0].length);
    assert.equal(code(() => resampler.write(signal)), -4);
    resampler.close();
}
const [silence] = linnet.resample([new Float32Array(0)], 44100, 48000, { quality: 'minimum' });
assert.equal(silence.length, 0);
assert.equal(code(() => linnet.createResampler(999, 48000, 1)), -2);
assert.equal(code(() => linnet.createResampler(1000, 257000, 1)), -2);
assert.equal(code(() => linnet.createResampler(4e9, 4e9, 1)), -2);
assert.equal(code(() => linnet.createResampler(44100, 48000, 0)), -1);
assert.equal(code(() => linnet.createResampler(44100, 48000, 1, { quality: 'best' })), -1);
const stereo = linnet.createResampler(44100, 48000, 2);
assert.equal(code(() => stereo.write([new Float32Array(8)])), -1);
assert.equal(code(() => stereo.write([new Float32Array(8), new Float32Array(7)])), -1);
stereo.close();
console.log('sample rate conversion of a sine: exact lengths, noise below -120 dB');
