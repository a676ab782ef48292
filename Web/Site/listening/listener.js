// SPDX-License-Identifier: Apache-2.0

// Plays the signals of a trial, with controls for the audible signal and the repeated part.

import { Player } from '../page/player.js';
import { formatTime } from '../page/text.js';
import { faded } from './alignment.js';

const element = (id) => document.getElementById(id);
/** The minimum duration of the repeated part, in seconds. */
const shortestPart = 0.5;

export class Listener {
    #player = new Player();
    #signals = [];
    #clip = null;
    #heard = new Set();
    #switches = 0;
    #since = 0;

    /** Called when the audible signal changes. */
    onchange = () => {};

    constructor() {
        this.#player.repeats = true;
        element('play').addEventListener('click', () => this.toggle());
        element('position').addEventListener('input', ({ target }) => this.#player.seek(Number(target.value)).then(() => this.#show()));
        for (const id of ['part-start', 'part-end']) element(id).addEventListener('change', () => this.#loadPart());
        for (const id of ['part-start', 'part-end']) element(id).addEventListener('input', () => this.#showPart());
    }

    /** Loads the signals of a trial; each has channels and a gain. Keeps the repeated part if the clip is the same. */
    load(signals, clip) {
        if (clip !== this.#clip) {
            const length = clip.channels[0].length / clip.sampleRate;
            for (const id of ['part-start', 'part-end']) element(id).max = length;
            [element('part-start').value, element('part-end').value] = [0, length];
        }
        const isSame = clip === this.#clip;
        [this.#signals, this.#clip] = [signals, clip];
        this.#heard = new Set();
        [this.#switches, this.#since] = [0, performance.now()];
        this.#player.choice = 0;
        this.#loadPart(isSame);
        if (this.#player.isPlaying) this.#heard.add(0);
    }

    /** The signals heard since the trial started. */
    get heard() {
        return this.#heard;
    }

    /** The listener's behavior in the trial. */
    get behaviour() {
        return { seconds: Math.round((performance.now() - this.#since) / 100) / 10, switches: this.#switches };
    }

    /** Chooses the audible signal. */
    choose(index) {
        if (index !== this.#player.choice) this.#switches += 1;
        this.#player.choose(index);
        if (this.#player.isPlaying) this.#heard.add(index);
        this.onchange();
    }

    async toggle() {
        if (this.#player.isPlaying) this.#player.stop();
        else {
            await this.#player.play();
            this.#heard.add(this.#player.choice);
        }
        this.#show();
        this.#follow();
        this.onchange();
    }

    stop() {
        this.#player.stop();
        this.#show();
    }

    /** The repeated part, in seconds. */
    get #part() {
        const length = Number(element('part-start').max);
        const start = Math.min(Number(element('part-start').value), Math.max(0, length - shortestPart));
        return { start, end: Math.max(Number(element('part-end').value), Math.min(length, start + shortestPart)) };
    }

    #loadPart(keepsPosition = false) {
        const { start, end } = this.#part;
        [element('part-start').value, element('part-end').value] = [start, end];
        this.#showPart();
        const { position, isPlaying } = this.#player;
        const { sampleRate } = this.#clip;
        const range = [Math.round(start * sampleRate), Math.round(end * sampleRate)];
        const parts = this.#signals.map(({ channels, gain }) => faded(channels.map((channel) => channel.subarray(...range)), gain, sampleRate));
        this.#player.load(parts, sampleRate);
        element('position').max = this.#player.duration;
        if (keepsPosition) this.#player.seek(position);
        if (isPlaying) this.#player.play().then(() => this.#follow());
        this.#show();
    }

    #showPart() {
        const { start, end } = this.#part;
        element('part-text').textContent = `${start.toFixed(1)} to ${end.toFixed(1)} s`;
    }

    /** Updates the position during playback. */
    #follow() {
        this.#show();
        if (this.#player.isPlaying) requestAnimationFrame(() => this.#follow());
    }

    #show() {
        const { position, duration, isPlaying } = this.#player;
        const text = `${formatTime(position)} / ${formatTime(duration)}`;
        element('play').setAttribute('aria-label', isPlaying ? 'Pause' : 'Play');
        element('play').classList.toggle('playing', isPlaying);
        element('position').value = position;
        element('position').setAttribute('aria-valuetext', text);
        element('time').textContent = text;
    }
}
