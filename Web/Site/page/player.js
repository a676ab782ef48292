// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

// Plays two signals at once, of which one is heard: switching has no gap.

const fade = 0.01;

export class Player {
    #context;
    #buffers = [];
    #sources = [];
    #gains = [];
    #start = 0;
    #offset = 0;

    /** Which signal is heard, 0 or 1. */
    choice = 1;
    isPlaying = false;
    /** Is called when the end is reached. */
    onend = () => {};

    /** Takes over two signals of a sample rate. */
    load(signals, sampleRate) {
        this.stop();
        this.#offset = 0;
        if (this.#context?.sampleRate !== sampleRate) {
            this.#context?.close();
            this.#context = new AudioContext({ sampleRate: Math.max(sampleRate, 8000) });
        }
        this.#buffers = signals.map((channels) => {
            const buffer = new AudioBuffer({ length: channels[0].length, numberOfChannels: channels.length, sampleRate });
            channels.forEach((channel, index) => buffer.copyToChannel(channel, index));
            return buffer;
        });
    }

    get duration() {
        return this.#buffers[0]?.duration ?? 0;
    }

    /** The position in seconds. */
    get position() {
        if (!this.isPlaying) return this.#offset;
        return Math.min(this.duration, Math.max(0, this.#offset + this.#context.currentTime - this.#start));
    }

    async play() {
        if (this.isPlaying || this.#buffers.length === 0) return;
        this.isPlaying = true;
        await this.#context.resume();
        if (!this.isPlaying) return;
        if (this.#offset >= this.duration - 0.01) this.#offset = 0;
        // A moment ahead, so that both begin with the same sample.
        this.#start = this.#context.currentTime + 0.02;
        this.#gains = this.#buffers.map((_, index) => new GainNode(this.#context, { gain: index === this.choice ? 1 : 0 }));
        this.#sources = this.#buffers.map((buffer, index) => {
            const source = new AudioBufferSourceNode(this.#context, { buffer });
            source.connect(this.#gains[index]).connect(this.#context.destination);
            source.start(this.#start, this.#offset);
            return source;
        });
        const [source] = this.#sources;
        source.onended = () => {
            if (source !== this.#sources[0]) return;
            this.stop();
            this.#offset = this.duration;
            this.onend();
        };
    }

    stop() {
        this.#offset = this.position;
        this.isPlaying = false;
        const sources = this.#sources;
        this.#sources = [];
        for (const source of sources) {
            source.onended = null;
            source.stop();
            source.disconnect();
        }
        for (const gain of this.#gains) gain.disconnect();
        this.#gains = [];
    }

    /** Moves to a position in seconds. */
    async seek(position) {
        const wasPlaying = this.isPlaying;
        this.stop();
        this.#offset = Math.max(0, Math.min(this.duration, position));
        if (wasPlaying) await this.play();
    }

    /** Chooses what is heard, by a short cross-fade. */
    choose(choice) {
        this.choice = choice;
        const time = this.#context?.currentTime ?? 0;
        this.#gains.forEach(({ gain }, index) => {
            gain.cancelScheduledValues(time);
            gain.setValueAtTime(gain.value, time);
            gain.linearRampToValueAtTime(index === choice ? 1 : 0, time + fade);
        });
    }
}
