// SPDX-License-Identifier: Apache-2.0

// Records the microphone, without processing for calls.

import { recorderWorklet } from './resources.js';

export class Recorder {
    #context;
    #stream;
    #blocks = [];

    /** Starts recording. `onlevel` is called with the peak of each block. */
    async start(onlevel) {
        this.#stream = await navigator.mediaDevices.getUserMedia({
            audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: false, channelCount: { ideal: 2 } },
        });
        this.#context = new AudioContext();
        await this.#context.audioWorklet.addModule(recorderWorklet());
        const source = this.#context.createMediaStreamSource(this.#stream);
        const node = new AudioWorkletNode(this.#context, 'recorder', { numberOfOutputs: 0 });
        node.port.onmessage = ({ data }) => {
            this.#blocks.push(data);
            onlevel(data.reduce((peak, channel) => channel.reduce((most, value) => Math.max(most, Math.abs(value)), peak), 0));
        };
        source.connect(node);
        await this.#context.resume();
    }

    /** Stops recording and returns the signal; null if nothing was recorded. */
    async stop() {
        for (const track of this.#stream.getTracks()) track.stop();
        const { sampleRate } = this.#context;
        await this.#context.close();
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
}
