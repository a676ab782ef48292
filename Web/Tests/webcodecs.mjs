// SPDX-License-Identifier: Apache-2.0

// Tests the WebCodecs-like classes in Node: closing, resetting, waiting and errors.
//
//     node webcodecs.mjs SITE

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import * as mediabunny from './mediabunny-stand-in.js';

const [site] = process.argv.slice(2);
const { LinnetAudioDecoder, LinnetAudioEncoder, loadLinnet } = await import(pathToFileURL(`${site}/linnet-webcodecs.js`));
const { registerLinnet } = await import(pathToFileURL(`${site}/linnet-mediabunny.js`));
globalThis.AudioData ??= class {
    constructor(init) {
        Object.assign(this, init);
    }
};
const [sampleRate, numberOfChannels, codec] = [48000, 1, 'mp4a.40.2'];
const config = { codec, sampleRate, numberOfChannels };
const silence = { numberOfChannels, numberOfFrames: 8192, timestamp: 0, copyTo: () => {} };
const turn = () => new Promise((resolve) => setTimeout(resolve, 20));

// A codec that is closed while the library is loaded creates no encoder.
let open;
const body = new ReadableStream({
    start(controller) {
        open = () => {
            controller.enqueue(readFileSync(`${site}/linnet.wasm`));
            controller.close();
        };
    },
});
const loading = loadLinnet(new Response(body));
const early = new LinnetAudioEncoder({ output: assert.fail, error: assert.fail });
early.configure(config);
await turn();
early.close();
open();
await loading;
await turn();
assert.equal(early.priming, 0);

// A flush settles if the output closes or resets the codec.
const chunks = [];
let description;
const source = new LinnetAudioEncoder({
    output: (chunk, { decoderConfig }) => {
        description ??= decoderConfig.description;
        chunks.push(chunk);
    },
    error: assert.fail,
});
source.configure(config);
source.encode(silence);
await source.flush();
assert.ok(chunks.length > 8);
for (const ending of ['close', 'reset']) {
    const encoder = new LinnetAudioEncoder({ output: () => encoder[ending](), error: assert.fail });
    encoder.configure(config);
    encoder.encode({ ...silence, numberOfFrames: 100 });
    await assert.rejects(encoder.flush(), { name: 'AbortError' });
    const decoder = new LinnetAudioDecoder({ output: () => decoder[ending](), error: assert.fail });
    decoder.configure({ ...config, description });
    for (const chunk of chunks) decoder.decode(chunk);
    await assert.rejects(decoder.flush(), { name: 'AbortError' });
    assert.equal(decoder.decodeQueueSize, 0);
}

/** Returns the names of the errors after an input. */
async function errorsOf(Codec, configuration, method, input) {
    const errors = [];
    const coder = new Codec({ output: () => {}, error: ({ name }) => errors.push(name) });
    coder.configure(configuration);
    coder[method](input);
    await coder.flush().catch(() => {});
    assert.equal(coder.state, errors.length > 0 ? 'closed' : 'configured');
    return errors;
}

assert.deepEqual(await errorsOf(LinnetAudioEncoder, config, 'encode', { ...silence, sampleRate }), []);
assert.deepEqual(await errorsOf(LinnetAudioEncoder, config, 'encode', { ...silence, sampleRate: 44100 }), ['EncodingError']);
const noise = { byteLength: 100, timestamp: 0, copyTo: (target) => target.fill(0xa5) };
for (const configuration of [config, { ...config, description }]) {
    assert.deepEqual(await errorsOf(LinnetAudioDecoder, configuration, 'decode', noise), ['EncodingError']);
}
assert.deepEqual(await errorsOf(LinnetAudioDecoder, { ...config, description }, 'decode', chunks[0]), []);

/** Returns the encoded bytes of noise. */
async function bytesOfNoise(configuration) {
    let state = 1;
    const random = () => (state = (state * 48271) % 0x7fffffff) / 0x7fffffff - 0.5;
    const bytes = [];
    const output = (chunk) => {
        const data = new Uint8Array(chunk.byteLength);
        chunk.copyTo(data);
        bytes.push(...data);
    };
    const encoder = new LinnetAudioEncoder({ output, error: assert.fail });
    encoder.configure({ ...config, ...configuration });
    encoder.encode({ ...silence, copyTo: (target) => target.forEach((_, index) => (target[index] = random())) });
    await encoder.flush();
    return bytes;
}

// MPEG-2 AAC has no noise substitution.
const bitrate = 32000;
const withoutSubstitution = await bytesOfNoise({ bitrate, linnet: { noNoiseSubstitution: true } });
assert.deepEqual(await bytesOfNoise({ bitrate, codec: 'mp4a.67' }), withoutSubstitution);
assert.notDeepEqual(await bytesOfNoise({ bitrate }), withoutSubstitution);
// A quality selects a variable bit rate.
const sizes = await Promise.all([10, 90].map(async (quality) => (await bytesOfNoise({ linnet: { quality } })).length));
assert.ok(2 * sizes[0] < sizes[1], sizes.join());

// Callers of mediabunny's codec that wait for a long queue continue after an error and after closing.
registerLinnet(mediabunny);
const [Encoder] = mediabunny.registered.encoders;
for (const [rate, outcome] of [[12345, 'rejected'], [sampleRate, 'fulfilled']]) {
    const encoder = mediabunny.create(Encoder, 'aac', { ...config, sampleRate: rate }, 'onPacket', () => {});
    encoder.init();
    const inputs = Array.from({ length: 12 }, () => encoder.encode({ ...silence, microsecondTimestamp: 0 }));
    if (rate === sampleRate) encoder.close();
    const outcomes = await Promise.allSettled(inputs);
    assert.equal(outcomes.at(-1).status, outcome);
}

console.log('the WebCodecs-like classes: closing, errors, waiting');
