// SPDX-License-Identifier: Apache-2.0

// Encoders and decoders: objects over the handles of linnet.wasm.

import { LinnetError } from './linnet-memory.js';
import { names, windowSequences, writeSettings } from './linnet-settings.js';

/** What the four kinds of handles share. */
export class Handle {
    #kind;

    constructor(memory, kind, create) {
        this.memory = memory;
        this.#kind = kind;
        this.address = memory.scope((scope) => {
            const target = scope.reserve(4);
            create(scope, target);
            return memory.u32(target);
        });
    }

    /** Calls a function of the handle. */
    call(name, ...args) {
        if (!this.address) throw new LinnetError(-4, `the ${this.#kind} is closed`);
        this.memory.call(`${this.#kind}_${name}`, this.address, ...args);
    }

    /** Returns the bytes that a function of the handle points to. */
    lentBytes(name) {
        return this.memory.scope((scope) => {
            const target = scope.reserve(8);
            this.call(name, target, target + 4);
            return this.memory.bytes(this.memory.u32(target), this.memory.u32(target + 4)).slice();
        });
    }

    /** Returns the unit that a function gives; null if there is none. */
    unit(name) {
        return this.memory.scope((scope) => {
            const unit = scope.reserve(32);
            this.call(name, unit);
            const { memory } = this;
            const size = memory.u32(unit + 4);
            if (size === 0) return null;
            return {
                bytes: memory.bytes(memory.u32(unit), size).slice(),
                time: memory.i64(unit + 8),
                duration: memory.u32(unit + 16),
                sampleRate: memory.u32(unit + 20),
                blockCount: memory.u32(unit + 24),
            };
        });
    }

    /** Frees the memory; the object can't be used any more. */
    close() {
        const { address } = this;
        this.address = 0;
        const ending = this.#kind === 'reader' ? 'close' : 'destroy';
        if (address && !this.memory.isDead) this.memory.exports[`linnet_${this.#kind}_${ending}`](address);
    }
}

/** An encoder of a stream. */
export class Encoder extends Handle {
    #channelCount;

    constructor(memory, options) {
        super(memory, 'encoder', (scope, target) => memory.call('encoder_create', writeSettings(scope, options), target));
        this.#channelCount = options.channels;
        const values = memory.scope((scope) => {
            const information = scope.reserve(24);
            memory.setU32(information, 24);
            this.call('information_get', information);
            return Array.from({ length: 6 }, (_, index) => memory.u32(information + 4 * index));
        });
        this.sampleRate = options.sampleRate;
        this.profile = names.profile[values[1]];
        [this.unitLength, this.delay, this.bandwidth, this.bitRate] = values.slice(2);
    }

    /** The AudioSpecificConfig. */
    get configuration() {
        return this.lentBytes('configuration');
    }

    /** What a player has to skip, if the input ends here. */
    get trim() {
        return this.memory.scope((scope) => {
            const trim = scope.reserve(24);
            this.call('trim', trim);
            return this.memory.trim(trim);
        });
    }

    /** Encodes samples, a Float32Array for each channel; returns the units that are complete. */
    write(channels) {
        if (channels.length !== this.#channelCount) {
            throw new LinnetError(-1, `${channels.length} channels, where the encoder has ${this.#channelCount}`);
        }
        const frameCount = channels[0].length;
        if (channels.some((channel) => channel.length !== frameCount)) throw new LinnetError(-1, 'the channels differ in length');
        const units = [];
        for (let first = 0; first < frameCount; ) {
            first += this.#take(channels, first, Math.min(this.unitLength, frameCount - first));
            for (let unit = this.unit('next'); unit; unit = this.unit('next')) units.push(unit);
        }
        return units;
    }

    /** Passes some frames; returns how many were taken. */
    #take(channels, first, count) {
        const { memory } = this;
        return memory.scope((scope) => {
            const [pointers, taken] = [scope.reserve(4 * channels.length), scope.reserve(4)];
            const samples = scope.reserve(4 * count * channels.length);
            channels.forEach((channel, index) => {
                const address = samples + 4 * count * index;
                memory.setU32(pointers + 4 * index, address);
                memory.floats(address, count).set(channel.subarray(first, first + count));
            });
            this.call('write_planar', pointers, count, taken);
            return memory.u32(taken);
        });
    }

    /** Ends the input; returns the remaining units. */
    finish() {
        this.call('finish');
        const units = [];
        for (let unit = this.unit('next'); unit; unit = this.unit('next')) units.push(unit);
        return units;
    }

    /** Changes the bit rate from the next unit on. */
    setBitRate(bitRate) {
        this.call('set_bit_rate', bitRate);
        this.bitRate = bitRate;
    }

    /** Discards all samples and returns to the start of a stream. */
    reset() {
        this.call('reset');
    }
}

/** A decoder of a stream. */
export class Decoder extends Handle {
    constructor(memory, configuration, mix) {
        super(memory, 'decoder', (scope, target) =>
            memory.call('decoder_create', scope.bytes(configuration), configuration.length, mix, target));
    }

    /** Decodes a unit; a damaged one is concealed and marked. */
    decode(bytes) {
        return this.#audio((scope, audio) => this.call('decode', scope.bytes(bytes), bytes.length, audio));
    }

    /** Decodes all blocks of a unit of a reader: one, or more in rare ADTS streams. */
    decodeBlocks({ bytes, blockCount = 1 }) {
        const blocks = [];
        for (let used = 0; blocks.length < blockCount && used < bytes.length; used += blocks.at(-1).usedByteCount) {
            blocks.push(this.decode(used ? bytes.subarray(used) : bytes));
        }
        return blocks;
    }

    /** Conceals a unit that did not arrive. */
    conceal() {
        return this.#audio((scope, audio) => this.call('conceal', audio));
    }

    /** Copies the audio that a function gives. */
    #audio(body) {
        const { memory } = this;
        return memory.scope((scope) => {
            const audio = scope.reserve(24);
            body(scope, audio);
            const [samples, frameCount, channelCount, sampleRate, damaged, usedByteCount] = Array.from(
                { length: 6 }, (_, index) => memory.u32(audio + 4 * index));
            const interleaved = memory.floats(samples, frameCount * channelCount);
            const channels = Array.from({ length: channelCount }, (_, channel) => {
                const target = new Float32Array(frameCount);
                for (let frame = 0; frame < frameCount; frame += 1) target[frame] = interleaved[frame * channelCount + channel];
                return target;
            });
            return { channels, frameCount, sampleRate, isDamaged: damaged !== 0, usedByteCount };
        });
    }

    /** The samples of the last unit as interleaved integers of 16 bits, dithered as the command does. */
    int16(sampleCount) {
        return this.memory.scope((scope) => {
            const samples = scope.reserve(2 * sampleCount);
            this.call('int16', samples, sampleCount);
            return new Int16Array(this.memory.bytes(samples, 2 * sampleCount).slice().buffer);
        });
    }

    /** The sample frames by which the decoder delays the stream. */
    get delay() {
        return this.memory.scope((scope) => {
            const delay = scope.reserve(4);
            this.call('delay', delay);
            return this.memory.u32(delay);
        });
    }

    /** The coding tools of the last unit. */
    get tools() {
        return this.memory.scope((scope) => {
            const tools = scope.reserve(32);
            this.call('tools', tools);
            const [channelCount, sequence, shortChannelCount, bitCount, sbrBitCount, bandCount, midSideBandCount, noiseBandCount] =
                Array.from({ length: 8 }, (_, index) => this.memory.u32(tools + 4 * index));
            return {
                channelCount, windowSequence: windowSequences[sequence], shortChannelCount, bitCount, sbrBitCount, bandCount,
                midSideBandCount, noiseBandCount,
            };
        });
    }

    /** Forgets what was decoded, as after a seek. */
    reset() {
        this.call('reset');
    }
}
