// SPDX-License-Identifier: Apache-2.0

// Decodes xHE-AAC with the whole linnet.wasm, and compares the samples with the command's:
//
//     node usac.mjs SITE COMMAND VECTOR...

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';

const [site, command, ...vectors] = process.argv.slice(2);
const { Linnet } = await import(pathToFileURL(`${site}/linnet.js`));
const linnet = await Linnet.load();

/** Reads a vector: the AudioSpecificConfig, the number of access units, and the access units. A two-byte length precedes each of them. */
function readVector(path) {
    const bytes = readFileSync(path);
    let position = 0;
    const number = () => bytes.readUInt16BE((position += 2) - 2);
    const block = () => {
        const count = number();
        return bytes.subarray(position, (position += count));
    };
    const configuration = block();
    return { configuration, units: Array.from({ length: number() }, block) };
}

for (const path of vectors) {
    const { configuration, units } = readVector(path);
    const decoder = linnet.createDecoder(configuration);
    const blocks = units.map((bytes) => decoder.decode(bytes));
    assert.ok(blocks.every(({ isDamaged }) => !isDamaged), `${basename(path)}: damaged access unit`);
    decoder.close();
    const [{ sampleRate, channels }] = blocks;
    const writer = linnet.createWriter('loas', configuration);
    let time = 0;
    units.forEach((bytes, index) => {
        const duration = blocks[index].frameCount;
        writer.append({ bytes, time, duration, sampleRate });
        time += duration;
    });
    writer.finish();
    const file = writer.takeBytes();
    writer.close();
    const expected = execFileSync(
        command, ['decode', '--quiet', '--sample-format', 'f32', '--format', 'raw', '-', '-o', '-'], { input: file, maxBuffer: 1 << 28 });
    const samples = new Float32Array(time * channels.length);
    let frame = 0;
    for (const block of blocks) {
        block.channels.forEach((values, channel) => values.forEach((value, index) => (samples[(frame + index) * channels.length + channel] = value)));
        frame += block.frameCount;
    }
    const actual = Buffer.from(samples.buffer);
    // The command omits the priming that the stream signals.
    assert.ok(expected.length > 0.5 * actual.length && expected.equals(actual.subarray(actual.length - expected.length)), `${basename(path)}: different samples`);
}
console.log(`${vectors.length} xHE-AAC streams: samples equal the command's`);
