// SPDX-License-Identifier: Apache-2.0

// Sample rate converters: objects that wrap the handles of linnet.wasm.

import { Handle } from './linnet-handles.js';
import { LinnetError } from './linnet-memory.js';
import { numberOf, resamplerQualities } from './linnet-settings.js';

/** The maximum number of frames written per call. */
const room = 16384;

/** A sample rate converter for one stream. */
export class Resampler extends Handle {
    #channelCount;

    constructor(memory, fromRate, toRate, channelCount, quality) {
        if (!memory.exports.linnet_resampler_create) {
            throw new LinnetError(-2, 'this linnet.wasm cannot convert sample rates; build it with Scripts/Package/webassembly --whole');
        }
        const number = numberOf(resamplerQualities, quality, resamplerQualities.indexOf('high'), 'quality');
        super(memory, 'resampler', (scope, target) => memory.call('resampler_create', fromRate, toRate, channelCount, number, target));
        this.#channelCount = channelCount;
    }

    /** Converts samples, one Float32Array per channel. Returns the completed samples. */
    write(channels) {
        if (channels.length !== this.#channelCount) {
            throw new LinnetError(-1, `${channels.length} channels; the converter has ${this.#channelCount}`);
        }
        const frameCount = channels[0].length;
        if (channels.some((channel) => channel.length !== frameCount)) throw new LinnetError(-1, 'channels of different lengths');
        return this.#convert(channels, frameCount);
    }

    /** Ends the input. Returns the remaining samples. */
    finish() {
        this.call('finish');
        return this.#convert([], 0);
    }

    #convert(channels, frameCount) {
        const { memory } = this;
        const count = this.#channelCount;
        return memory.scope((scope) => {
            const [input, output] = [scope.reserve(4 * frameCount * count), scope.reserve(4 * room * count)];
            const [taken, written] = [scope.reserve(4), scope.reserve(4)];
            const samples = memory.floats(input, frameCount * count);
            channels.forEach((channel, index) => {
                for (let frame = 0; frame < frameCount; frame += 1) samples[frame * count + index] = channel[frame];
            });
            const blocks = [];
            let frames = room;
            for (let done = 0; frames === room; done += memory.u32(taken)) {
                this.call('process', input + 4 * done * count, frameCount - done, taken, output, room, written);
                frames = memory.u32(written);
                const block = memory.floats(output, frames * count);
                blocks.push(Array.from({ length: count }, (_, index) => block.filter((_, place) => place % count === index)));
            }
            return joinedBlocks(blocks);
        });
    }
}

/** Joins blocks with the same channel count. */
export function joinedBlocks(blocks) {
    return blocks[0].map((_, index) => {
        const channel = new Float32Array(blocks.reduce((sum, block) => sum + block[index].length, 0));
        let position = 0;
        for (const block of blocks) {
            channel.set(block[index], position);
            position += block[index].length;
        }
        return channel;
    });
}
