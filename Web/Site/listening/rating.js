// SPDX-License-Identifier: Apache-2.0

// The rating test after MUSHRA (ITU-R BS.1534-3): an open reference, and in random order the encodings, the hidden reference and a low
// anchor.

import { shuffled } from './order.js';
import { meanWithInterval } from './statistics.js';

const element = (id) => document.getElementById(id);

export class RatingTest {
    #listener;
    #clips;
    #number = 0;
    #hidden = [];
    #rated = new Set();
    #ratings = [];
    #ondone;

    /** `clips` have `conditions`, starting with the original. `ondone` gets the ratings. */
    constructor(listener, clips, ondone) {
        [this.#listener, this.#clips, this.#ondone] = [listener, shuffled(clips), ondone];
    }

    start() {
        element('abx').hidden = true;
        element('rating').hidden = false;
        this.#listener.onchange = () => this.#enable();
        this.#showTrial();
    }

    #showTrial() {
        const clip = this.#clips[this.#number];
        this.#hidden = shuffled(clip.conditions);
        this.#rated = new Set();
        this.#listener.load([clip.conditions[0], ...this.#hidden], clip);
        element('trial-title').textContent = `Clip ${this.#number + 1} of ${this.#clips.length}: ${clip.name}`;
        element('trial-progress').value = this.#number / this.#clips.length;
        element('next').textContent = this.#number + 1 < this.#clips.length ? 'Next' : 'Results';
        element('rows').replaceChildren(this.#referenceRow(), ...this.#hidden.map((_, index) => this.#row(index + 1)));
        this.#enable();
    }

    #referenceRow() {
        const row = document.createElement('div');
        row.className = 'row reference';
        row.append(this.#choice(0, 'Original'));
        return row;
    }

    /** Creates the row of a condition: a button to listen, and a slider with its value. */
    #row(index) {
        const row = document.createElement('div');
        row.className = 'row';
        const slider = Object.assign(document.createElement('input'), { type: 'range', min: 0, max: 100, step: 1, value: 50, id: `rate-${index}` });
        slider.setAttribute('aria-label', `Rating of ${index}`);
        const output = document.createElement('output');
        output.htmlFor = slider.id;
        output.textContent = '–';
        slider.addEventListener('input', () => {
            output.textContent = slider.value;
            this.#rated.add(index);
            this.#enable();
        });
        // Touching a slider plays its signal.
        slider.addEventListener('pointerdown', () => this.listen(index));
        row.append(this.#choice(index, String(index)), slider, output);
        return row;
    }

    /** Creates the button that plays a signal. */
    #choice(index, text) {
        const button = Object.assign(document.createElement('button'), { type: 'button', id: `hear-${index}`, textContent: text });
        button.setAttribute('aria-pressed', String(index === 0));
        button.addEventListener('click', () => this.listen(index));
        return button;
    }

    /** Chooses the audible signal. 0 is the open reference. */
    listen(index) {
        this.#listener.choose(index);
        for (let other = 0; other <= this.#hidden.length; other += 1) element(`hear-${other}`).setAttribute('aria-pressed', String(other === index));
    }

    #enable() {
        element('next').disabled = this.#rated.size < this.#hidden.length || this.#listener.heard.size <= this.#hidden.length;
    }

    /** Records the ratings of a clip and continues with the next. */
    next() {
        if (element('next').disabled) return;
        const { name: clip } = this.#clips[this.#number];
        this.#hidden.forEach((condition, index) => this.#ratings.push({
            clip, position: index + 1, condition: condition.name, rating: Number(element(`rate-${index + 1}`).value), ...this.#listener.behaviour,
        }));
        this.#number += 1;
        if (this.#number < this.#clips.length) return this.#showTrial();
        this.end();
    }

    end() {
        this.#listener.stop();
        this.#ondone(this.#ratings);
    }

    /** Handles a key. Returns whether it had an effect. */
    press(key) {
        const index = key === 'r' ? 0 : Number(key);
        if (key === 'enter') this.next();
        else if (key !== ' ' && Number.isInteger(index) && index >= 0 && index <= this.#hidden.length) {
            this.listen(index);
            element(index === 0 ? 'hear-0' : `rate-${index}`).focus();
        } else return false;
        return true;
    }
}

/** Returns the mean rating of each condition with its confidence interval. */
export function summarizeRatings(ratings) {
    const names = ['original', 'first', 'second', 'anchor'];
    return names.map((condition) => {
        const values = ratings.filter((rating) => rating.condition === condition).map(({ rating }) => rating);
        return { condition, clips: values.length, ...meanWithInterval(values) };
    });
}
