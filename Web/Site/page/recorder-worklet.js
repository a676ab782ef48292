// SPDX-License-Identifier: Apache-2.0

// Collects the microphone's samples on the audio thread.

const blockLength = 2048;

class RecorderProcessor extends AudioWorkletProcessor {
    #channels = [];
    #count = 0;
    #isEnded = false;

    constructor() {
        super();
        // The page stops recording: sends the rest, and null after it.
        this.port.onmessage = () => {
            this.#isEnded = true;
            if (this.#count > 0) this.#send();
            this.port.postMessage(null);
        };
    }

    process([input]) {
        if (this.#isEnded) return false;
        if (input.length === 0) return true;
        const { length } = input[0];
        if (this.#channels.length !== input.length) this.#begin(input.length);
        input.forEach((channel, index) => this.#channels[index].set(channel, this.#count));
        this.#count += length;
        if (this.#count + length > blockLength) this.#send();
        return true;
    }

    /** Starts a block. The channel count may change. */
    #begin(channelCount) {
        if (this.#count > 0) this.#send();
        this.#channels = Array.from({ length: channelCount }, () => new Float32Array(blockLength));
    }

    #send() {
        const block = this.#channels.map((channel) => channel.slice(0, this.#count));
        this.#count = 0;
        this.port.postMessage(block, block.map((channel) => channel.buffer));
    }
}

registerProcessor('recorder', RecorderProcessor);
