// SPDX-License-Identifier: Apache-2.0

// Encoders and decoders: objects that wrap the handles of linnet.wasm.

import { LinnetError } from './linnet-memory.js';
import { names, windowSequences, writeSettings } from './linnet-settings.js';

/** The base class of all handles. */
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

    /** Calls a function with the handle. */
    call(name, ...args) {
        if (!this.address) throw new LinnetError(-4, `the ${this.#kind} is closed`);
        this.memory.call(`${this.#kind}_${name}`, this.address, ...args);
    }

    /** Returns the bytes that a function returns by address. */
    lentBytes(name) {
        return this.memory.scope((scope) => {
            const target = scope.reserve(8);
            this.call(name, target, target + 4);
            return this.memory.bytes(this.memory.u32(target), this.memory.u32(target + 4)).slice();
        });
    }

    /** Returns the access unit that a function returns, if any. */
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

    /** Frees the memory. The object is unusable afterwards. */
    close() {
        const { address } = this;
        this.address = 0;
        const ending = this.#kind === 'reader' ? 'close' : 'destroy';
        if (address && !this.memory.isDead) this.memory.exports[`linnet_${this.#kind}_${ending}`](address);
    }
}

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

    /** The priming and padding that a player must skip, assuming that the input ends here. */
    get trim() {
        return this.memory.scope((scope) => {
            const trim = scope.reserve(24);
            this.call('trim', trim);
            return this.memory.trim(trim);
        });
    }

    /** Encodes samples, one Float32Array per channel. Returns the completed access units. */
    write(channels) {
        if (channels.length !== this.#channelCount) {
            throw new LinnetError(-1, `${channels.length} channels; the encoder has ${this.#channelCount}`);
        }
        const frameCount = channels[0].length;
        if (channels.some((channel) => channel.length !== frameCount)) throw new LinnetError(-1, 'channels of different lengths');
        const units = [];
        for (let first = 0; first < frameCount; ) {
            first += this.#take(channels, first, Math.min(this.unitLength, frameCount - first));
            for (let unit = this.unit('next'); unit; unit = this.unit('next')) units.push(unit);
        }
        return units;
    }

    /** Passes sample frames. Returns the number of frames read. */
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

    /** Ends the input. Returns the remaining access units. */
    finish() {
        this.call('finish');
        const units = [];
        for (let unit = this.unit('next'); unit; unit = this.unit('next')) units.push(unit);
        return units;
    }

    /** Changes the bit rate from the next access unit. */
    setBitRate(bitRate) {
        this.call('set_bit_rate', bitRate);
        this.bitRate = bitRate;
    }

    /** Discards all samples and resets to the start of a stream. */
    reset() {
        this.call('reset');
    }
}

export class Decoder extends Handle {
    constructor(memory, configuration, mix) {
        super(memory, 'decoder', (scope, target) =>
            memory.call('decoder_create', scope.bytes(configuration), configuration.length, mix, target));
    }

    /** Decodes an access unit. A damaged one is concealed and marked. */
    decode(bytes) {
        return this.#audio((scope, audio) => this.call('decode', scope.bytes(bytes), bytes.length, audio));
    }

    /** Decodes all blocks of a reader's access unit: usually one; rare ADTS streams have more. */
    decodeBlocks({ bytes, blockCount = 1 }) {
        const blocks = [];
        for (let used = 0; blocks.length < blockCount && used < bytes.length; used += blocks.at(-1).usedByteCount) {
            blocks.push(this.decode(used ? bytes.subarray(used) : bytes));
        }
        return blocks;
    }

    /** Conceals a lost access unit. */
    conceal() {
        return this.#audio((scope, audio) => this.call('conceal', audio));
    }

    /** Copies the audio that a function returns. */
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

    /** The samples of the last access unit as interleaved 16-bit integers, rounded as by linnet decode. */
    int16(sampleCount) {
        return this.memory.scope((scope) => {
            const samples = scope.reserve(2 * sampleCount);
            this.call('int16', samples, sampleCount);
            return new Int16Array(this.memory.bytes(samples, 2 * sampleCount).slice().buffer);
        });
    }

    /** The decoder's delay, in sample frames. */
    get delay() {
        return this.memory.scope((scope) => {
            const delay = scope.reserve(4);
            this.call('delay', delay);
            return this.memory.u32(delay);
        });
    }

    /** The coding tools of the last access unit. */
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

    /** Resets the decoding history, for example after a seek. */
    reset() {
        this.call('reset');
    }
}
