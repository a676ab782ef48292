// SPDX-License-Identifier: Apache-2.0

// Records the microphone, without processing for calls.

import { recorderWorklet } from './resources.js';

/** The time in milliseconds to wait for the last block: a suspended context does not answer. */
const longestWait = 500;

export class Recorder {
    #context;
    #stream;
    #node;
    #blocks = [];
    #onend = () => {};

    /** Starts recording. `onlevel` is called with the peak of each block. */
    async start(onlevel) {
        this.#stream = await navigator.mediaDevices.getUserMedia({
            audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: false, channelCount: { ideal: 2 } },
        });
        try {
            await this.#listen(onlevel);
        } catch (error) {
            await this.#release();
            throw error;
        }
    }

    async #listen(onlevel) {
        this.#context = new AudioContext();
        await this.#context.audioWorklet.addModule(recorderWorklet());
        const source = this.#context.createMediaStreamSource(this.#stream);
        this.#node = new AudioWorkletNode(this.#context, 'recorder', { numberOfOutputs: 0 });
        this.#node.port.onmessage = ({ data }) => {
            if (!data) return this.#onend();
            this.#blocks.push(data);
            onlevel(data.reduce((peak, channel) => channel.reduce((most, value) => Math.max(most, Math.abs(value)), peak), 0));
        };
        source.connect(this.#node);
        await this.#context.resume();
    }

    /** Stops recording and returns the signal; null if nothing was recorded. */
    async stop() {
        await new Promise((resolve) => {
            this.#onend = resolve;
            setTimeout(resolve, longestWait);
            this.#node.port.postMessage(null);
        });
        const { sampleRate } = this.#context;
        await this.#release();
        if (this.#blocks.length === 0) return null;
        const channelCount = Math.max(...this.#blocks.map((block) => block.length));
        const frameCount = this.#blocks.reduce((sum, block) => sum + block[0].length, 0);
        const channels = Array.from({ length: channelCount }, () => new Float32Array(frameCount));
        let position = 0;
        for (const block of this.#blocks) {
            channels.forEach((channel, index) => channel.set(block[index] ?? block[0], position));
            position += block[0].length;
        }
        return { sampleRate, channels, kind: 'recording', name: 'recording' };
    }

    /** Releases the microphone. */
    async #release() {
        for (const track of this.#stream.getTracks()) track.stop();
        await this.#context?.close();
    }
}
