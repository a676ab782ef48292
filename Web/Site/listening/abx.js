// SPDX-License-Identifier: Apache-2.0

// The ABX test: X is either A or B, and the listener decides which.

import { clipOrder, randomBelow } from './order.js';
import { guessingProbability } from './statistics.js';

const element = (id) => document.getElementById(id);

export class ABXTest {
    #listener;
    #clips;
    #pair;
    #order;
    #x = 0;
    #answers = [];
    #ondone;

    /** `clips` have `conditions`, `pair` names the conditions A and B, and `ondone` gets the answers. */
    constructor(listener, clips, pair, trialCount, ondone) {
        [this.#listener, this.#clips, this.#pair, this.#ondone] = [listener, clips, pair, ondone];
        this.#order = clipOrder(clips.length, trialCount);
    }

    start() {
        element('abx').hidden = false;
        element('rating').hidden = true;
        this.#listener.onchange = () => this.#enable();
        this.#showTrial();
    }

    #showTrial() {
        const [number, count] = [this.#answers.length, this.#order.length];
        const clip = this.#clips[this.#order[number]];
        const pair = this.#pair.map((name) => clip.conditions.find((condition) => condition.name === name));
        this.#x = randomBelow(2);
        this.#listener.load([...pair, pair[this.#x]], clip);
        element('trial-title').textContent = `Trial ${number + 1} of ${count}: ${clip.name}`;
        element('trial-progress').value = number / count;
        element('listen-0').checked = true;
        this.#enable();
    }

    #enable() {
        const isReady = this.#listener.heard.size === 3;
        for (const id of ['answer-a', 'answer-b']) element(id).disabled = !isReady;
    }

    /** Plays A, B or X. */
    listen(index) {
        element(`listen-${index}`).checked = true;
        this.#listener.choose(index);
    }

    /** Records the answer that X is A (0) or B (1). */
    answer(index) {
        if (this.#listener.heard.size < 3) return;
        const clip = this.#clips[this.#order[this.#answers.length]];
        const trial = this.#answers.length + 1;
        this.#answers.push({
            trial, clip: clip.name, x: this.#pair[this.#x], answer: this.#pair[index], correct: index === this.#x, ...this.#listener.behaviour,
        });
        if (trial < this.#order.length) return this.#showTrial();
        this.end();
    }

    end() {
        this.#listener.stop();
        this.#ondone(this.#answers);
    }

    /** Handles a key. Returns whether it had an effect. */
    press(key) {
        const heard = ['a', 'b', 'x'].indexOf(key);
        if (heard >= 0) this.listen(heard);
        else if (key === '1' || key === '2') this.answer(Number(key) - 1);
        else return false;
        return true;
    }
}

/** Returns the number of correct answers and the probability of guessing at least as many, in total and for each clip. */
export function summarizeABX(answers) {
    const summary = (name, chosen) => {
        const correct = chosen.filter((answer) => answer.correct).length;
        return { clip: name, trials: chosen.length, correct, p: guessingProbability(correct, chosen.length) };
    };
    const names = [...new Set(answers.map((answer) => answer.clip))];
    return [summary('all', answers), ...names.map((name) => summary(name, answers.filter((answer) => answer.clip === name)))];
}
