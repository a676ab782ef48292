// SPDX-License-Identifier: Apache-2.0

// AAC in the shape of WebCodecs, for browsers without an encoder of it: what is written for AudioEncoder and AudioDecoder, such as
// muxers, works with these. https://www.w3.org/TR/webcodecs/

import { Linnet } from './linnet.js';
import { Codec } from './linnet-webcodecs-queue.js';

const profiles = { 'mp4a.40.2': 'lc', 'mp4a.40.02': 'lc', 'mp4a.67': 'lc', 'mp4a.40.5': 'he', 'mp4a.40.05': 'he', 'mp4a.40.29': 'he-v2' };
/** The strings of codecs that are encoded and decoded. */
export const supportedCodecs = Object.keys(profiles);

let library;
/** Loads the library once for all codecs, and again if it has failed; `source` as for `Linnet.load`. */
export async function loadLinnet(source) {
    const loading = (library ??= Linnet.load(source));
    const linnet = await loading.catch(() => null);
    if (linnet && !linnet.hasFailed) return linnet;
    if (library === loading) library = undefined;
    return linnet ? loadLinnet(source) : loading;
}

/** Returns the samples of AudioData, a Float32Array for each channel. */
function planes(data) {
    return Array.from({ length: data.numberOfChannels }, (_, planeIndex) => {
        const plane = new Float32Array(data.numberOfFrames);
        data.copyTo(plane, { planeIndex, format: 'f32-planar' });
        return plane;
    });
}

/** Returns the options of an encoder for a configuration; throws TypeError if it is not valid. */
function encoderOptions(config) {
    const { codec, sampleRate, numberOfChannels, bitrate, bitrateMode, aac, linnet } = config ?? {};
    if (typeof codec !== 'string' || !(sampleRate > 0) || !(numberOfChannels > 0)) {
        throw new TypeError('codec, sampleRate and numberOfChannels are needed');
    }
    return {
        profile: profiles[codec],
        sampleRate,
        channels: numberOfChannels,
        bitRate: bitrate,
        rateControl: bitrateMode === 'constant' ? 'constant' : 'average',
        isADTS: aac?.format === 'adts',
        silencesInvalid: true,
        ...linnet,
    };
}

/** AudioEncoder for AAC. The configuration may have settings of Linnet's encoder besides: `linnet: { effort: 'best' }`. */
export class LinnetAudioEncoder extends Codec {
    #config;
    #encoder;
    #writer;
    #start;
    #isAnnounced = false;

    /** The number of inputs that wait to be encoded. */
    get encodeQueueSize() {
        return this.queueSize;
    }

    /** Sample frames that a player skips, as the encoder's priming: the chunks' times count them. */
    get priming() {
        return this.#encoder?.delay ?? 0;
    }

    static async isConfigSupported(config) {
        const options = encoderOptions(config);
        const { codec, sampleRate, numberOfChannels, bitrate, bitrateMode, aac } = config;
        const known = { codec, sampleRate, numberOfChannels, bitrate, bitrateMode, aac };
        for (const name of Object.keys(known)) if (known[name] === undefined) delete known[name];
        if (!options.profile) return { supported: false, config: known };
        try {
            (await loadLinnet()).createEncoder(options).close();
            return { supported: true, config: known };
        } catch {
            return { supported: false, config: known };
        }
    }

    configure(config) {
        const options = encoderOptions(config);
        this.setConfigured();
        this.enqueue(async () => {
            if (!options.profile) throw new DOMException(`${config.codec} is not supported`, 'NotSupportedError');
            const linnet = await loadLinnet();
            this.drain();
            this.release();
            this.#encoder = linnet.createEncoder(options);
            this.#writer = options.isADTS ? linnet.createWriter('adts', this.#encoder.configuration) : null;
            this.#config = { codec: config.codec, sampleRate: options.sampleRate, numberOfChannels: options.channels };
            this.#start = undefined;
            this.#isAnnounced = false;
        }).catch(() => {});
    }

    encode(data) {
        this.checkConfigured();
        const [channels, { timestamp }] = [planes(data), data];
        this.enqueue(() => {
            this.#start ??= timestamp;
            this.#emit(this.#encoder.write(channels));
        }, true).catch(() => {});
    }

    /** Encodes what is left; the next samples begin a new stream. */
    drain() {
        if (!this.#encoder || this.#start === undefined) return;
        this.#emit(this.#encoder.finish());
        this.#encoder.reset();
        this.#start = undefined;
    }

    release() {
        this.#encoder?.close();
        this.#writer?.close();
        this.#encoder = this.#writer = undefined;
    }

    /** Emits units as chunks, whose times begin at that of the first samples. */
    #emit(units) {
        const { delay } = this.#encoder;
        for (const unit of units) {
            let data = unit.bytes;
            if (this.#writer) {
                this.#writer.append(unit);
                data = this.#writer.takeBytes();
            }
            const seconds = (frames) => Math.round((frames / unit.sampleRate) * 1e6);
            const timestamp = this.#start + seconds(unit.time + delay);
            const chunk = makeChunk({ type: 'key', timestamp, duration: seconds(unit.duration), data });
            const description = this.#encoder.configuration;
            const metadata = this.#isAnnounced ? {} : { decoderConfig: this.#writer ? this.#config : { ...this.#config, description } };
            this.#isAnnounced = true;
            this.emit(chunk, metadata);
        }
    }
}

/** Makes an EncodedAudioChunk, or an object of its shape where there is none. */
function makeChunk(init) {
    if (typeof EncodedAudioChunk === 'function') return new EncodedAudioChunk(init);
    const { data, ...properties } = init;
    return {
        ...properties,
        byteLength: data.length,
        copyTo: (target) => new Uint8Array(target.buffer ?? target, target.byteOffset ?? 0).set(data),
    };
}

/** AudioDecoder for AAC: raw units with a description, or whole frames of ADTS without. */
export class LinnetAudioDecoder extends Codec {
    #decoder;
    #isADTS;
    #linnet;

    /** The number of inputs that wait to be decoded. */
    get decodeQueueSize() {
        return this.queueSize;
    }

    static async isConfigSupported({ codec, sampleRate, numberOfChannels, description }) {
        const config = { codec, sampleRate, numberOfChannels, ...(description && { description }) };
        if (!profiles[codec]) return { supported: false, config };
        try {
            if (description) (await loadLinnet()).createDecoder(bytesOf(description)).close();
            return { supported: true, config };
        } catch {
            return { supported: false, config };
        }
    }

    configure({ codec, description }) {
        if (typeof codec !== 'string') throw new TypeError('codec is needed');
        const configuration = description && bytesOf(description).slice();
        this.setConfigured();
        this.enqueue(async () => {
            if (!profiles[codec]) throw new DOMException(`${codec} is not supported`, 'NotSupportedError');
            this.#linnet = await loadLinnet();
            this.release();
            this.#isADTS = !configuration;
            if (configuration) this.#decoder = this.#linnet.createDecoder(configuration);
        }).catch(() => {});
    }

    decode(chunk) {
        this.checkConfigured();
        const bytes = new Uint8Array(chunk.byteLength);
        chunk.copyTo(bytes);
        const { timestamp } = chunk;
        this.enqueue(() => {
            let time = timestamp;
            for (const unit of this.#isADTS ? this.#units(bytes) : [{ bytes }]) {
                for (const { channels, frameCount, sampleRate } of this.#decoder.decodeBlocks(unit)) {
                    if (frameCount === 0) continue;
                    const data = new Float32Array(frameCount * channels.length);
                    channels.forEach((channel, index) => data.set(channel, index * frameCount));
                    const numberOfChannels = channels.length;
                    this.emit(new AudioData({ format: 'f32-planar', sampleRate, numberOfFrames: frameCount, numberOfChannels, timestamp: time, data }));
                    time += Math.round((frameCount / sampleRate) * 1e6);
                }
            }
        }, true).catch(() => {});
    }

    /** Returns the units of whole frames of ADTS; the first one tells the decoder's configuration. */
    #units(bytes) {
        const stream = this.#linnet.openStream('adts');
        try {
            stream.append(bytes);
            stream.append(new Uint8Array());
            const units = [];
            for (let unit = stream.next(); unit; unit = stream.next()) units.push(unit);
            if (units.length > 0) this.#decoder ??= this.#linnet.createDecoder(stream.configuration);
            return units;
        } finally {
            stream.close();
        }
    }

    drain() {
        this.#decoder?.reset();
    }

    release() {
        this.#decoder?.close();
        this.#decoder = undefined;
    }
}

/** Returns the bytes of a buffer or a view. */
function bytesOf(source) {
    return ArrayBuffer.isView(source) ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength) : new Uint8Array(source);
}
