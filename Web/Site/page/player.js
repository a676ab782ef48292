// SPDX-License-Identifier: Apache-2.0

// Plays signals simultaneously, one of them audible. Switching has no gap and no click.

/** The seconds in which a fade completes 95 % of its change. */
const fade = 0.01;

export class Player {
    #context;
    #buffers = [];
    #sources = [];
    #gains = [];
    #start = 0;
    #offset = 0;
    /** The number of calls of `play`. */
    #number = 0;

    /** The index of the audible signal. */
    choice = 1;
    /** Whether playback repeats at the end. */
    repeats = false;
    isPlaying = false;
    /** Called at the end. */
    onend = () => {};

    /** Loads signals of equal length and sample rate. */
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

    /** The position, in seconds. */
    get position() {
        if (this.#sources.length === 0) return this.#offset;
        const position = Math.max(0, this.#offset + this.#context.currentTime - this.#start);
        return this.repeats ? position % this.duration : Math.min(this.duration, position);
    }

    async play() {
        if (this.isPlaying || this.#buffers.length === 0) return;
        this.isPlaying = true;
        const number = (this.#number += 1);
        await this.#context.resume();
        // Meanwhile playback was stopped, and perhaps started again.
        if (!this.isPlaying || number !== this.#number) return;
        if (this.#offset >= this.duration - 0.01) this.#offset = 0;
        // Slightly ahead, so that all signals start with the same sample.
        this.#start = this.#context.currentTime + 0.02;
        this.#gains = this.#buffers.map(() => new GainNode(this.#context, { gain: 0 }));
        this.#fade(this.#start);
        this.#sources = this.#buffers.map((buffer, index) => {
            const source = new AudioBufferSourceNode(this.#context, { buffer, loop: this.repeats });
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
        const [sources, gains] = [this.#sources, this.#gains];
        if (sources.length === 0) return;
        [this.#sources, this.#gains] = [[], []];
        const time = this.#context.currentTime;
        for (const { gain } of gains) gain.setTargetAtTime(0, time, fade / 3);
        for (const source of sources) source.stop(time + 3 * fade);
        sources[0].onended = () => {
            for (const node of [...sources, ...gains]) node.disconnect();
        };
    }

    /** Seeks to a position, in seconds. */
    async seek(position) {
        const wasPlaying = this.isPlaying;
        this.stop();
        this.#offset = Math.max(0, Math.min(this.duration, position));
        if (wasPlaying) await this.play();
    }

    /** Chooses the audible signal, with a short cross-fade. */
    choose(choice) {
        this.choice = choice;
        this.#fade(this.#context?.currentTime ?? 0);
    }

    /** Fades all gains from their current values to their targets. */
    #fade(time) {
        this.#gains.forEach(({ gain }, index) => gain.setTargetAtTime(index === this.choice ? 1 : 0, time, fade / 3));
    }
}
