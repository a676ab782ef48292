// SPDX-License-Identifier: Apache-2.0

// AAC with the WebCodecs interface, for browsers without an AAC encoder. Code written for AudioEncoder and AudioDecoder, such as muxers,
// works with these classes. https://www.w3.org/TR/webcodecs/

import { Linnet } from './linnet.js';
import { Codec } from './linnet-webcodecs-queue.js';

const profiles = { 'mp4a.40.2': 'lc', 'mp4a.40.02': 'lc', 'mp4a.67': 'lc', 'mp4a.40.5': 'he', 'mp4a.40.05': 'he', 'mp4a.40.29': 'he-v2' };
/** The supported codec strings. */
export const supportedCodecs = Object.keys(profiles);

let library;
/** Loads the library once for all codecs, and again after a failure. `source` is as for `Linnet.load`. */
export async function loadLinnet(source) {
    const loading = (library ??= Linnet.load(source));
    const linnet = await loading.catch(() => null);
    if (linnet && !linnet.hasFailed) return linnet;
    if (library === loading) library = undefined;
    return linnet ? loadLinnet(source) : loading;
}

/** Returns the samples of AudioData, one Float32Array per channel. */
function planes(data) {
    return Array.from({ length: data.numberOfChannels }, (_, planeIndex) => {
        const plane = new Float32Array(data.numberOfFrames);
        data.copyTo(plane, { planeIndex, format: 'f32-planar' });
        return plane;
    });
}

/** Returns the encoder options for a configuration. Throws TypeError if the configuration is invalid. */
function encoderOptions(config) {
    const { codec, sampleRate, numberOfChannels, bitrate, bitrateMode, aac, linnet } = config ?? {};
    if (typeof codec !== 'string' || !(sampleRate > 0) || !(numberOfChannels > 0)) {
        throw new TypeError('codec, sampleRate and numberOfChannels are required');
    }
    return {
        profile: profiles[codec],
        sampleRate,
        channels: numberOfChannels,
        bitRate: bitrate,
        // Otherwise 'average', or 'variable' with a quality.
        rateControl: bitrateMode === 'constant' ? 'constant' : undefined,
        // MPEG-2 AAC has no noise substitution.
        noNoiseSubstitution: codec === 'mp4a.67',
        isADTS: aac?.format === 'adts',
        silencesInvalid: true,
        ...linnet,
    };
}

/** An AAC AudioEncoder. The configuration can contain additional settings: `linnet: { effort: 'best' }`. */
export class LinnetAudioEncoder extends Codec {
    #config;
    #encoder;
    #writer;
    #start;
    #isAnnounced = false;

    /** The number of queued inputs. */
    get encodeQueueSize() {
        return this.queueSize;
    }

    /** The encoder's priming, in sample frames, which a player must skip. Chunk timestamps include it. */
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
        let linnet;
        this.enqueue(async () => {
            if (!options.profile) throw new DOMException(`${config.codec} is not supported`, 'NotSupportedError');
            linnet = await loadLinnet();
        }).catch(() => {});
        // Not in the same task: the codec may be closed while the library is loaded.
        this.enqueue(() => {
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
        const [channels, { timestamp, sampleRate }] = [planes(data), data];
        this.enqueue(() => {
            if (sampleRate && sampleRate !== this.#encoder.sampleRate) {
                throw new DOMException(`audio at ${sampleRate} Hz; the encoder has ${this.#encoder.sampleRate} Hz`, 'EncodingError');
            }
            this.#start ??= timestamp;
            this.#emit(this.#encoder.write(channels));
        }, true).catch(() => {});
    }

    /** Encodes the remaining samples. The next samples start a new stream. */
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

    /** Emits access units as chunks. Their timestamps start at that of the first samples. */
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

/** Creates an EncodedAudioChunk, or an equivalent object where the class is missing. */
function makeChunk(init) {
    if (typeof EncodedAudioChunk === 'function') return new EncodedAudioChunk(init);
    const { data, ...properties } = init;
    return {
        ...properties,
        byteLength: data.length,
        copyTo: (target) => new Uint8Array(target.buffer ?? target, target.byteOffset ?? 0).set(data),
    };
}

/** An AAC AudioDecoder: raw access units with a description, or ADTS frames without one. */
export class LinnetAudioDecoder extends Codec {
    #decoder;
    #isADTS;
    #linnet;

    /** The number of queued inputs. */
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
        if (typeof codec !== 'string') throw new TypeError('codec is required');
        const configuration = description && bytesOf(description).slice();
        this.setConfigured();
        this.enqueue(async () => {
            if (!profiles[codec]) throw new DOMException(`${codec} is not supported`, 'NotSupportedError');
            this.#linnet = await loadLinnet();
        }).catch(() => {});
        this.enqueue(() => {
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
            const units = this.#isADTS ? this.#units(bytes) : [{ bytes }];
            if (units.length === 0 || bytes.length === 0) throw undecodable();
            for (const unit of units) {
                for (const { channels, frameCount, sampleRate, isDamaged } of this.#decoder.decodeBlocks(unit)) {
                    if (isDamaged) throw undecodable();
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

    /** Returns the access units of ADTS frames. The first frame determines the decoder's configuration. */
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

function undecodable() {
    return new DOMException('the chunk cannot be decoded', 'EncodingError');
}

/** Returns the bytes of a buffer or view. */
function bytesOf(source) {
    return ArrayBuffer.isView(source) ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength) : new Uint8Array(source);
}
