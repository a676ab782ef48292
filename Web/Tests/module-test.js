// SPDX-License-Identifier: Apache-2.0

// Runs in Chromium: the WebCodecs-like classes, the browser's decoder, and an encoder in an audio worklet.

import { Linnet, LinnetError } from '/linnet.js';
import { LinnetAudioDecoder, LinnetAudioEncoder } from '/linnet-webcodecs.js';

const problems = [];
const expect = (condition, text) => condition || problems.push(text);
const [sampleRate, frameCount] = [48000, 30000];
const signal = [0, 1].map((channel) => Float32Array.from({ length: frameCount }, (_, frame) => 0.4 * Math.sin(frame * (0.03 + 0.02 * channel)) * Math.cos(frame / 4000)));

const same = (first, second) => first.length === second.length && first.every((value, index) => value === second[index]);

/** Returns AudioData with `count` frames. */
function audioData(first, count, timestamp) {
    const data = new Float32Array(2 * count);
    signal.forEach((channel, index) => data.set(channel.subarray(first, first + count), index * count));
    return new AudioData({ format: 'f32-planar', sampleRate, numberOfFrames: count, numberOfChannels: 2, timestamp, data });
}

async function encodeByAdapter(codec, profile) {
    const linnet = await Linnet.load();
    const direct = linnet.createEncoder({ sampleRate, channels: 2, profile, bitRate: 64000, effort: 'fast', silencesInvalid: true });
    const expected = [...direct.write(signal), ...direct.finish()];
    const { configuration } = direct;
    const chunks = [];
    let description;
    const encoder = new LinnetAudioEncoder({
        output: (chunk, { decoderConfig }) => {
            chunks.push(chunk);
            if (decoderConfig) description = decoderConfig.description;
        },
        error: (error) => problems.push(`${codec}: ${error}`),
    });
    const config = { codec, sampleRate, numberOfChannels: 2, bitrate: 64000, linnet: { effort: 'fast' } };
    expect((await LinnetAudioEncoder.isConfigSupported(config)).supported, `${codec} is not supported`);
    encoder.configure(config);
    expect(encoder.state === 'configured', 'not configured');
    for (let first = 0; first < frameCount; first += 4096) {
        const data = audioData(first, Math.min(4096, frameCount - first), 5000 + Math.round((first / sampleRate) * 1e6));
        encoder.encode(data);
        data.close();
    }
    expect(encoder.encodeQueueSize > 0, 'the queue is empty immediately');
    await encoder.flush();
    expect(encoder.encodeQueueSize === 0, 'the queue is not empty after flush');
    expect(same(description, configuration), `${codec}: the description differs`);
    expect(chunks.length === expected.length, `${codec}: ${chunks.length} chunks, not ${expected.length}`);
    chunks.forEach((chunk, index) => {
        const bytes = new Uint8Array(chunk.byteLength);
        chunk.copyTo(bytes);
        expect(same(bytes, expected[index].bytes), `${codec}: chunk ${index} differs`);
    });
    expect(chunks[0] instanceof EncodedAudioChunk && chunks[0].timestamp === 5000, `${codec}: the first timestamp is ${chunks[0].timestamp}`);
    encoder.close();
    let refused = false;
    try {
        encoder.encode(audioData(0, 128, 0));
    } catch (error) {
        refused = error.name === 'InvalidStateError';
    }
    expect(refused, 'a closed encoder encodes');
    return { chunks, description };
}

async function decodeByAdapter({ chunks, description }, codec) {
    const counts = {};
    const decoders = { linnet: LinnetAudioDecoder };
    // Debian's Chromium decodes AAC with FFmpeg; other builds may not.
    const config = { codec, sampleRate, numberOfChannels: 2, description };
    if (typeof AudioDecoder === 'function' && (await AudioDecoder.isConfigSupported(config)).supported) decoders.browser = AudioDecoder;
    for (const [name, Decoder] of Object.entries(decoders)) {
        counts[name] = 0;
        const decoder = new Decoder({
            output: (data) => {
                counts[name] += data.numberOfFrames;
                data.close();
            },
            error: (error) => problems.push(`${name} ${codec}: ${error}`),
        });
        decoder.configure(config);
        for (const chunk of chunks) decoder.decode(chunk);
        await decoder.flush();
        decoder.close();
    }
    expect(counts.linnet >= frameCount, `${codec}: ${counts.linnet} frames decoded`);
    if (counts.browser !== undefined) expect(counts.browser >= frameCount, `the browser decodes ${counts.browser} frames of ${codec}`);
}

async function testErrors() {
    const errors = [];
    const encoder = new LinnetAudioEncoder({ output: () => {}, error: (error) => errors.push(error.name) });
    encoder.configure({ codec: 'opus', sampleRate, numberOfChannels: 2 });
    await encoder.flush().catch(() => {});
    expect(same(errors, ['NotSupportedError']) && encoder.state === 'closed', `opus gives ${errors}, ${encoder.state}`);
    expect(!(await LinnetAudioEncoder.isConfigSupported({ codec: 'opus', sampleRate, numberOfChannels: 2 })).supported, 'opus is supported');
    const other = new LinnetAudioEncoder({ output: () => problems.push('a chunk after reset'), error: (error) => problems.push(String(error)) });
    other.configure({ codec: 'mp4a.40.2', sampleRate, numberOfChannels: 2 });
    other.encode(audioData(0, 20000, 0));
    const flushed = other.flush().then(() => 'resolved', (error) => error.name);
    other.reset();
    expect((await flushed) === 'AbortError' && other.state === 'unconfigured', `reset: ${await flushed}, ${other.state}`);
    const chunks = [];
    const changed = new LinnetAudioEncoder({ output: (chunk, metadata) => chunks.push(metadata), error: (error) => problems.push(String(error)) });
    for (const codec of ['mp4a.40.2', 'mp4a.40.5']) {
        changed.configure({ codec, sampleRate, numberOfChannels: 2 });
        changed.encode(audioData(0, 20000, 0));
    }
    await changed.flush();
    expect(chunks.filter(({ decoderConfig }) => decoderConfig).length === 2, 'a configuration change is not signaled');
    const linnet = await Linnet.load();
    let code = 0;
    try {
        linnet.createEncoder({ sampleRate: 12345, channels: 2 });
    } catch (error) {
        code = error instanceof LinnetError ? error.code : 0;
    }
    expect(code === -2, `an invalid sample rate returns ${code}`);
}

async function testWorklet() {
    const module = await WebAssembly.compileStreaming(fetch('/linnet.wasm'));
    const context = new OfflineAudioContext(2, frameCount, sampleRate);
    await context.audioWorklet.addModule('/worklet-test.js');
    const source = new AudioBufferSourceNode(context, { buffer: new AudioBuffer({ length: frameCount, numberOfChannels: 2, sampleRate }) });
    signal.forEach((channel, index) => source.buffer.copyToChannel(channel, index));
    const node = new AudioWorkletNode(context, 'linnet-encoder', { processorOptions: { module, sampleRate }, numberOfOutputs: 1 });
    const units = [];
    const isDone = new Promise((resolve, reject) => {
        node.onprocessorerror = () => reject(new Error('the worklet failed'));
        node.port.onmessage = ({ data }) => (data === 'done' ? resolve() : units.push(data));
    });
    source.connect(node).connect(context.destination);
    source.start();
    await context.startRendering();
    node.port.postMessage('finish');
    await isDone;
    const direct = Linnet.instantiate(module).createEncoder({ sampleRate, channels: 2, bitRate: 96000, effort: 'fast' });
    const expected = direct.write(signal.map((channel) => channel.subarray(0, 128 * Math.floor(frameCount / 128))));
    expect(expected.length > 20 && units.length >= expected.length, `the worklet returns ${units.length} of ${expected.length} access units`);
    expected.forEach((unit, index) => expect(same(unit.bytes, units[index]), `access unit ${index} of the worklet differs`));
}

/** Runs all tests. Returns the failures. */
export async function run() {
    for (const [codec, profile] of [['mp4a.40.2', 'lc'], ['mp4a.40.5', 'he'], ['mp4a.40.29', 'he-v2']]) {
        await decodeByAdapter(await encodeByAdapter(codec, profile), codec);
    }
    await testErrors();
    await testWorklet();
    return problems;
}
