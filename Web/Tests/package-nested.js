// SPDX-License-Identifier: Apache-2.0

// A nested worker: encodes HE-AAC to fragmented MP4 with the WebCodecs-like class, and encodes and decodes with mediabunny's interface.

import { loadLinnet, LinnetAudioEncoder } from '/linnet/linnet-webcodecs.js';
import { registerLinnet } from '/linnet/linnet-mediabunny.js';
import * as mediabunny from './mediabunny-stand-in.js';

const [sampleRate, frameCount, codec] = [44100, 2 * 44100, 'mp4a.40.5'];
const signal = [0, 1].map((channel) => Float32Array.from({ length: frameCount }, (_, frame) => 0.3 * Math.sin(frame * (0.04 + 0.02 * channel))));

/** Returns encoder input for `count` frames of the signal. */
function part(first, count) {
    const copyTo = (target, { planeIndex }) => target.set(signal[planeIndex].subarray(first, first + count));
    return { numberOfChannels: 2, numberOfFrames: count, timestamp: Math.round((first / sampleRate) * 1e6), copyTo };
}

async function encodeToMP4() {
    const linnet = await loadLinnet();
    let writer;
    const encoder = new LinnetAudioEncoder({
        output: (chunk, { decoderConfig }) => {
            if (decoderConfig) writer = linnet.createWriter('fragmented-m4a', decoderConfig.description, { priming: encoder.priming });
            const bytes = new Uint8Array(chunk.byteLength);
            chunk.copyTo(bytes);
            const frames = (microseconds) => Math.round((microseconds * sampleRate) / 1e6);
            writer.append({ bytes, time: frames(chunk.timestamp) - encoder.priming, duration: frames(chunk.duration), sampleRate });
        },
        error: (error) => { throw error; },
    });
    encoder.configure({ codec, sampleRate, numberOfChannels: 2, bitrate: 64000 });
    for (let first = 0; first < frameCount; first += 4096) encoder.encode(part(first, Math.min(4096, frameCount - first)));
    await encoder.flush();
    writer.finish();
    return writer.takeBytes();
}

/** Encodes and decodes as mediabunny does. Returns the failures. */
async function useMediabunny() {
    const problems = [];
    const { registered } = mediabunny;
    registerLinnet(mediabunny, { linnet: { effort: 'fast' } });
    const config = { codec, sampleRate, numberOfChannels: 2, bitrate: 64000 };
    const [Encoder, Decoder] = [registered.encoders[0], registered.decoders[0]];
    for (const Coder of [Encoder, Decoder]) {
        if (!Coder.supports('aac', config) || Coder.supports('opus', { ...config, codec: 'opus' })) problems.push('supports is wrong');
    }
    const packets = [];
    let description;
    const encoder = mediabunny.create(Encoder, 'aac', config, 'onPacket', (packet, metadata) => {
        if (!(packet instanceof mediabunny.EncodedPacket)) problems.push('a packet of another type');
        packets.push(packet);
        description ??= metadata?.decoderConfig?.description;
    });
    await encoder.init();
    for (let first = 0; first < frameCount; first += 1000) {
        const { timestamp, ...rest } = part(first, Math.min(1000, frameCount - first));
        await encoder.encode({ ...rest, timestamp: timestamp / 1e6, microsecondTimestamp: timestamp });
    }
    await encoder.flush();
    await encoder.close();
    if (packets.length < frameCount / 2048 || packets[0].timestamp !== 0) problems.push(`${packets.length} packets from ${packets[0]?.timestamp} s`);
    let frames = 0;
    const decoder = mediabunny.create(Decoder, 'aac', { ...config, description }, 'onSample', (sample) => {
        if (!(sample instanceof mediabunny.AudioSample)) problems.push('a sample of another type');
        frames += sample.init.numberOfFrames;
    });
    await decoder.init();
    for (const packet of packets) await decoder.decode(packet);
    await decoder.flush();
    await decoder.close();
    if (frames < frameCount) problems.push(`${frames} frames decoded`);
    const wrong = mediabunny.create(Encoder, 'aac', { ...config, sampleRate: 12345 }, 'onPacket', () => {});
    await wrong.init();
    const refused = await wrong.flush().then(() => false, () => true);
    if (!refused) problems.push('an invalid sample rate is accepted');
    return problems;
}

self.onmessage = async () => {
    const file = await encodeToMP4();
    const problems = await useMediabunny();
    self.postMessage({ file, problems, codec, seconds: frameCount / sampleRate });
};
