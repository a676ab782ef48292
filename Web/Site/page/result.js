// SPDX-License-Identifier: Apache-2.0

// The result: player, figures, pictures and files.

import { drawRatioKey, drawRatios, drawSpectrogram, drawUnits, drawWaveform } from './pictures.js';
import { Player } from './player.js';
import { saveFile } from './saving.js';
import { makeWAV } from './signals.js';
import { decibels, formatSize, formatTime } from './text.js';

const element = (id) => document.getElementById(id);
const profileNames = { lc: 'AAC-LC', he: 'HE-AAC', 'he-v2': 'HE-AAC v2' };

export class ResultView {
    #codec;
    #player = new Player();
    #shown = null;

    constructor(codec) {
        this.#codec = codec;
        this.#player.onend = () => this.#showPlaying();
        element('play').addEventListener('click', () => this.#toggle());
        element('position').addEventListener('input', ({ target }) => this.#seek(Number(target.value)));
        for (const input of document.querySelectorAll('[name="listen"]')) {
            input.addEventListener('change', () => this.#player.choose(Number(input.value)));
        }
        for (const canvas of element('pictures').querySelectorAll('.lane canvas')) {
            canvas.addEventListener('click', ({ offsetX }) => this.#seek((offsetX / canvas.clientWidth) * this.#player.duration));
        }
        for (const format of ['m4a', 'adts', 'wav']) element(`save-${format}`).addEventListener('click', () => this.#save(format));
        document.addEventListener('keydown', (event) => this.#press(event));
        new ResizeObserver(() => this.#draw()).observe(element('pictures'));
        matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#draw());
        drawRatioKey(element('ratio-key'));
    }

    /** Hides the result of a previous signal. */
    hide() {
        this.#player.stop();
        this.#showPlaying();
        this.#shown = null;
        element('result').hidden = true;
    }

    /** Measures and shows a result. */
    async show(signal, result, options) {
        // Parametric stereo and SBR do not preserve the waveform, but level ratios remain meaningful.
        const measured = await this.#codec.call('measure', { original: signal.channels, result: result.channels, sampleRate: signal.sampleRate });
        if (!measured) throw new Error('the measurement was cancelled');
        this.#shown = { signal, result, ...measured };
        const { position } = this.#player;
        const wasPlaying = this.#player.isPlaying;
        this.#player.load([signal.channels, result.channels], signal.sampleRate);
        await this.#player.seek(position < this.#player.duration ? position : 0);
        if (wasPlaying) await this.#player.play();
        this.#showFigures(signal, result, measured.comparison, options);
        element('result').hidden = false;
        element('position').max = this.#player.duration;
        this.#showPlaying();
        this.#draw();
    }

    #showFigures(signal, result, comparison, options) {
        const seconds = signal.channels[0].length / signal.sampleRate;
        const size = result.files.m4a.length;
        const short = result.isShort.reduce((sum, flag) => sum + flag, 0);
        const figures = [
            ['Profile', profileNames[result.profile]],
            ['M4A size', formatSize(size)],
            ['Bit rate', `${(result.bits.reduce((sum, bits) => sum + bits, 0) / seconds / 1000).toFixed(1)} kbit/s`],
            ['Compression ratio', `${((2 * signal.channels.length * signal.channels[0].length) / size).toFixed(1)} : 1`],
            ['Speed', `${Math.round(seconds / result.seconds)} × real time`],
            ['Effort', options.effort],
            ['Mean NMR', decibels(comparison.mean)],
            ['Audible frames', `${(100 * comparison.audibleShare).toFixed(1)} %`],
            ['Bandwidth', `${(comparison.testBandwidth / 1000).toFixed(1)} kHz`],
            ['Short windows', `${short} of ${result.bits.length}`],
        ];
        element('figures').replaceChildren(...figures.map(([name, value]) => {
            const [row, term, description] = ['div', 'dt', 'dd'].map((kind) => document.createElement(kind));
            term.textContent = name;
            description.textContent = value;
            row.append(term, description);
            return row;
        }));
    }

    #draw() {
        if (!this.#shown || element('result').hidden) return;
        const { signal, result, spectrograms, comparison } = this.#shown;
        drawWaveform(element('wave-original'), signal.channels, '--original');
        drawWaveform(element('wave-result'), result.channels, '--coded');
        drawSpectrogram(element('spectrum-original'), spectrograms[0], signal.sampleRate);
        drawSpectrogram(element('spectrum-result'), spectrograms[1], signal.sampleRate);
        drawUnits(element('units'), result, signal.channels[0].length);
        drawRatios(element('ratios'), comparison);
        this.#showPosition();
    }

    /** Starts or pauses playback. */
    async #toggle() {
        if (this.#player.isPlaying) this.#player.stop();
        else await this.#player.play();
        this.#showPlaying();
        this.#follow();
    }

    async #seek(position) {
        await this.#player.seek(position);
        this.#showPosition();
    }

    #choose(choice) {
        element(choice === 0 ? 'listen-original' : 'listen-result').checked = true;
        this.#player.choose(choice);
    }

    #press(event) {
        if (!this.#shown || event.ctrlKey || event.altKey || event.metaKey) return;
        const { tagName, type } = event.target;
        const isButton = tagName === 'BUTTON' || tagName === 'INPUT' || tagName === 'LABEL';
        const key = event.key.toLowerCase();
        if (key === ' ' && !isButton) this.#toggle();
        else if (key === 'a') this.#choose(0);
        else if (key === 'b') this.#choose(1);
        else if ((key === 'arrowleft' || key === 'arrowright') && type !== 'range' && type !== 'radio') {
            this.#seek(this.#player.position + (key === 'arrowleft' ? -2 : 2));
        } else return;
        event.preventDefault();
    }

    #showPlaying() {
        element('play').setAttribute('aria-label', this.#player.isPlaying ? 'Pause' : 'Play');
        element('play').classList.toggle('playing', this.#player.isPlaying);
    }

    /** Moves the playhead during playback. */
    #follow() {
        this.#showPosition();
        if (this.#player.isPlaying) requestAnimationFrame(() => this.#follow());
    }

    #showPosition() {
        const { position, duration } = this.#player;
        const text = `${formatTime(position)} / ${formatTime(duration)}`;
        element('playhead').style.transform = `translateX(${(duration > 0 ? position / duration : 0) * element('pictures').clientWidth}px)`;
        element('position').value = position;
        element('position').setAttribute('aria-valuetext', text);
        element('time').textContent = text;
    }

    #save(format) {
        if (!this.#shown) return;
        const { signal, result } = this.#shown;
        const [bytes, type, extension] = {
            m4a: () => [result.files.m4a, 'audio/mp4', 'm4a'],
            adts: () => [result.files.adts, 'audio/aac', 'aac'],
            wav: () => [makeWAV(signal), 'audio/wav', 'wav'],
        }[format]();
        saveFile(`${signal.name.replace(/\.[^.]*$/, '')}.${extension}`, bytes, type);
    }
}
