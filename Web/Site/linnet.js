// SPDX-License-Identifier: Apache-2.0

// AAC-LC, HE-AAC and HE-AAC v2 with linnet.wasm, for pages, workers, audio worklets and Node. The module of
// Scripts/Package/webassembly --whole also has AAC-LD, AAC-ELD and xHE-AAC, and converts sample rates. Types: linnet.d.ts.

import { Reader, Writer } from './linnet-containers.js';
import { Decoder, Encoder } from './linnet-handles.js';
import { LinnetError, Memory } from './linnet-memory.js';
import { joinedBlocks, Resampler } from './linnet-resampler.js';
import { formats, mixes, numberOf, writeSettings } from './linnet-settings.js';

export { Decoder, Encoder, LinnetError, Reader, Resampler, Writer };

/** The library: an instance of linnet.wasm with its own memory. */
export class Linnet {
    #memory;

    constructor(instance) {
        this.#memory = new Memory(instance);
    }

    /** Loads linnet.wasm from this file's folder, a URL, bytes, a response or a compiled module. */
    static async load(source = new URL('linnet.wasm', import.meta.url)) {
        if (source instanceof WebAssembly.Module) return Linnet.instantiate(source);
        if (typeof source === 'string' || (typeof URL !== 'undefined' && source instanceof URL)) {
            const url = String(source);
            source = url.startsWith('file:') ? await (await import('node:fs/promises')).readFile(new URL(url)) : await fetch(url);
        }
        if (typeof Response !== 'undefined' && source instanceof Response) {
            if (!source.ok) throw new LinnetError(-6, `${source.url}: ${source.status} ${source.statusText}`);
            const typed = source.headers.get('content-type') === 'application/wasm';
            const { instance } = typed
                ? await WebAssembly.instantiateStreaming(source, {})
                : await WebAssembly.instantiate(await source.arrayBuffer(), {});
            return new Linnet(instance);
        }
        return new Linnet((await WebAssembly.instantiate(source, {})).instance);
    }

    /** Creates an instance of a compiled module synchronously, as audio worklets require. */
    static instantiate(module) {
        return new Linnet(new WebAssembly.Instance(module, {}));
    }

    /** The version, such as "0.4.0". */
    get version() {
        const number = this.#memory.exports.linnet_version();
        return `${number >> 16}.${(number >> 8) & 255}.${number & 255}`;
    }

    /** Whether a function trapped and the library must be loaded again. */
    get hasFailed() {
        return this.#memory.isDead;
    }

    /** The size of the instance's memory, in bytes. */
    get memoryByteCount() {
        return this.#memory.exports.memory.buffer.byteLength;
    }

    /** Returns the lowest and highest bit rate that the options support. */
    bitRates(options) {
        return this.#memory.scope((scope) => {
            const settings = writeSettings(scope, options);
            const [lowest, highest] = [scope.reserve(4), scope.reserve(4)];
            this.#memory.call('encoder_bit_rates', settings, lowest, highest);
            return { lowest: this.#memory.u32(lowest), highest: this.#memory.u32(highest) };
        });
    }

    createEncoder(options) {
        return new Encoder(this.#memory, options);
    }

    /** Creates a decoder from an AudioSpecificConfig. */
    createDecoder(configuration, { mix } = {}) {
        return new Decoder(this.#memory, configuration, numberOf(mixes, mix, 0, 'mix'));
    }

    openReader(bytes) {
        return new Reader(this.#memory, (scope, reader) =>
            this.#memory.call('reader_open_memory', scope.bytes(bytes), bytes.length, reader));
    }

    /** Opens an ADTS, LOAS or MPEG-TS stream, whose bytes are appended later. */
    openStream(format) {
        return new Reader(this.#memory, (scope, reader) =>
            this.#memory.call('reader_open_stream', numberOf(formats, format, 0, 'format'), reader));
    }

    createWriter(format, configuration, { priming = 0 } = {}) {
        return new Writer(this.#memory, numberOf(formats, format, 0, 'format'), configuration, priming);
    }

    /** Creates a sample rate converter; rates are in hertz. Requires the whole module. */
    createResampler(fromRate, toRate, channelCount, { quality } = {}) {
        return new Resampler(this.#memory, fromRate, toRate, channelCount, quality);
    }

    /** Converts the sample rate of a complete signal, one Float32Array per channel. Requires the whole module. */
    resample(channels, fromRate, toRate, options) {
        const resampler = this.createResampler(fromRate, toRate, channels.length, options);
        try {
            return joinedBlocks([resampler.write(channels), resampler.finish()]);
        } finally {
            resampler.close();
        }
    }

    /** Encodes a complete signal, one Float32Array per channel, to a file. */
    encode(channels, { format = 'm4a', ...options }) {
        const encoder = this.createEncoder({ ...options, channels: channels.length });
        try {
            const writer = this.createWriter(format, encoder.configuration, { priming: encoder.delay });
            try {
                for (const unit of encoder.write(channels)) writer.append(unit);
                for (const unit of encoder.finish()) writer.append(unit);
                writer.finish(encoder.trim);
                return writer.takeBytes();
            } finally {
                writer.close();
            }
        } finally {
            encoder.close();
        }
    }

    /** Decodes a complete file, without priming and padding if its container signals them. */
    decode(bytes, { mix } = {}) {
        const reader = this.openReader(bytes);
        let decoder;
        try {
            decoder = this.createDecoder(reader.configuration, { mix });
            const { format, ...counts } = reader.information;
            const blocks = [];
            let damagedUnitCount = 0;
            for (let unit = reader.next(); unit; unit = reader.next()) {
                for (const audio of decoder.decodeBlocks(unit)) {
                    if (audio.isDamaged) damagedUnitCount += 1;
                    if (audio.frameCount > 0) blocks.push(audio);
                }
            }
            return { format, damagedUnitCount, ...joined(blocks, counts) };
        } finally {
            decoder?.close();
            reader.close();
        }
    }

    /** Detects the format of a file. The information is null unless the file contains AAC. */
    probe(bytes) {
        const format = this.#memory.scope((scope) => {
            const [target, front] = [scope.reserve(4), bytes.subarray(0, 32769)];
            this.#memory.call('probe', scope.bytes(front), front.length, target);
            return formats[this.#memory.u32(target)];
        });
        let reader;
        try {
            reader = this.openReader(bytes);
            return { format, information: reader.information, configuration: reader.configuration };
        } catch (error) {
            if (!(error instanceof LinnetError) || error.isFatal) throw error;
            return { format, information: null, configuration: null };
        } finally {
            reader?.close();
        }
    }

    /** Compares a signal with its reference: noise-to-mask ratios and bandwidths. */
    compare(reference, test, sampleRate) {
        const memory = this.#memory;
        const frameCount = reference[0]?.length ?? 0;
        if (test.length !== reference.length || [...reference, ...test].some((channel) => channel.length !== frameCount)) {
            throw new LinnetError(-1, 'signals with different channel counts or lengths');
        }
        const planar = (scope, channels) => {
            const address = scope.reserve(4 * frameCount * channels.length);
            channels.forEach((channel, index) => memory.floats(address + 4 * frameCount * index, frameCount).set(channel));
            return address;
        };
        return memory.scope((scope) => {
            const handle = scope.reserve(4);
            memory.call('comparison_create', planar(scope, reference), planar(scope, test), frameCount, reference.length, sampleRate, handle);
            const comparison = memory.u32(handle);
            try {
                const figures = scope.reserve(56);
                memory.call('comparison_figures_get', comparison, figures);
                const [mean, percentile95, audibleShare, referenceBandwidth, testBandwidth, interval] = memory.doubles(figures, 6);
                const [frames, bands] = [memory.u32(figures + 48), memory.u32(figures + 52)];
                const address = scope.reserve(4);
                memory.call('comparison_ratios', comparison, address);
                const ratios = memory.floats(memory.u32(address), frames * bands).slice();
                memory.call('comparison_edges', comparison, address);
                const edges = memory.doubles(memory.u32(address), bands + 1);
                return { mean, percentile95, audibleShare, referenceBandwidth, testBandwidth, interval, frames, bands, ratios, edges };
            } finally {
                memory.exports.linnet_comparison_destroy(comparison);
            }
        });
    }
}

/** Joins blocks of decoded audio, without priming and padding. */
function joined(blocks, counts) {
    const sampleRate = blocks.at(-1)?.sampleRate ?? 0;
    // The container counts at half the rate if the configuration does not signal SBR.
    const factor = sampleRate === 2 * counts.sampleRate ? 2 : 1;
    const [priming, valid] = [factor * counts.trim.priming, factor * counts.trim.valid];
    const total = blocks.reduce((sum, block) => sum + block.frameCount, 0);
    const first = Math.min(priming, total);
    const frameCount = Math.min(valid < 0 ? Infinity : valid, total - first);
    const channelCount = blocks.at(-1)?.channels.length ?? 0;
    const channels = Array.from({ length: channelCount }, () => new Float32Array(frameCount));
    let position = -first;
    for (const block of blocks) {
        const [start, end] = [Math.max(0, -position), Math.min(block.frameCount, frameCount - position)];
        if (end > start) {
            channels.forEach((channel, index) => channel.set((block.channels[index] ?? block.channels[0]).subarray(start, end), position + start));
        }
        position += block.frameCount;
    }
    return { sampleRate, channels };
}
