// SPDX-License-Identifier: Apache-2.0

// The page of the blind listening test: accepts and encodes clips, runs a test, and shows its results.

import { CodecWorker } from '../page/codec-worker.js';
import { openAudio, watchDrops } from '../page/opening.js';
import { saveFile } from '../page/saving.js';
import { makeExample, supported } from '../page/signals.js';
import { formatTime } from '../page/text.js';
import { ABXTest } from './abx.js';
import { makeConditions } from './conditions.js';
import { Listener } from './listener.js';
import { RatingTest } from './rating.js';
import { resultsCSV, resultsJSON, showResults } from './results.js';

const element = (id) => document.getElementById(id);
const rates = [16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
/** The maximum clip duration in seconds and the maximum number of clips, limited by a phone's memory. */
const [longest, most] = [30, 12];

const codec = new CodecWorker();
const listener = new Listener();
const clips = [];
let version = '';
let isBusy = false;
let running = null;
let finished = null;

/** Shows a status text. */
function say(text, isAlarm = false) {
    element('status').textContent = text;
    element('status').classList.toggle('alarm', isAlarm);
}

/** Shows one part of the page. */
function show(part) {
    for (const id of ['setup', 'trial', 'results']) element(id).hidden = id !== part;
    element({ setup: 'file', trial: 'trial-title', results: 'results-title' }[part]).focus();
}

/** Runs a step that can fail. Only one step runs at a time. */
async function run(text, body) {
    if (isBusy) return;
    isBusy = true;
    say(text);
    enable();
    try {
        say((await body()) ?? '');
    } catch (error) {
        say(`${text.replace('…', '')} failed: ${error.message}.`, true);
    }
    isBusy = false;
    enable();
}

function enable() {
    element('begin').disabled = isBusy || clips.length === 0;
    for (const id of ['file', 'example']) element(id).disabled = isBusy;
    for (const button of element('clips').querySelectorAll('button')) button.disabled = isBusy;
}

/** Adds the start of a clip, at a sample rate that AAC supports. */
async function add(found, name) {
    if (clips.length === most) throw new Error(`there are ${most} clips`);
    if (found.channels.length > 2) throw new Error(`${name} has ${found.channels.length} channels; the maximum is two`);
    const { channels, sampleRate } = await supported(found);
    const seconds = channels[0].length / sampleRate;
    if (seconds < 1) throw new Error(`${name} is shorter than one second`);
    const count = Math.min(channels[0].length, longest * sampleRate);
    const used = channels.map((channel) => channel.slice(0, count));
    clips.push({ name: unique(name), channels: used, sampleRate, seconds });
    showClips();
}

/** Returns a name that no other clip has. */
function unique(name) {
    for (let number = 2, each = name; ; number += 1) {
        if (!clips.some((clip) => clip.name === each)) return each;
        each = `${name} (${number})`;
    }
}

function open(files) {
    return run('Opening…', async () => {
        for (const file of files) await add(await openAudio(file, codec), file.name);
    });
}

function showClips() {
    element('clips').replaceChildren(...clips.map((clip) => {
        const [item, text, button] = ['li', 'span', 'button'].map((kind) => document.createElement(kind));
        const used = formatTime(Math.min(clip.seconds, longest));
        const length = clip.seconds > longest ? `${used} of ${formatTime(clip.seconds)}` : used;
        text.textContent = [clip.name, `${clip.sampleRate / 1000} kHz`, clip.channels.length === 1 ? 'mono' : 'stereo', length].join(' · ');
        Object.assign(button, { type: 'button', textContent: 'Remove' });
        button.setAttribute('aria-label', `Remove ${clip.name}`);
        button.addEventListener('click', () => {
            clips.splice(clips.indexOf(clip), 1);
            showClips();
            enable();
            element('file').focus();
        });
        item.append(text, button);
        return item;
    }));
}

/** Returns the settings of an encoding. */
function coding(name, form) {
    return { profile: form.get(`${name}-profile`), bitRate: 1000 * form.get(`${name}-rate`), effort: form.get(`${name}-effort`) };
}

/** Throws if an encoding does not support a clip. */
async function check(codings) {
    for (const { channels, sampleRate, name } of clips) {
        for (const { profile, bitRate } of codings) {
            const limits = await codec.call('limits', { sampleRate, channels: channels.length, profile });
            const signal = `${sampleRate / 1000} kHz, ${channels.length === 1 ? 'mono' : 'stereo'}`;
            if (!limits) throw new Error(`the profile does not support ${name} (${signal})`);
            if (bitRate < limits.lowest || bitRate > limits.highest) {
                const [lowest, highest] = [Math.ceil(limits.lowest / 1000), Math.floor(limits.highest / 1000)];
                throw new Error(`${name} (${signal}) supports ${lowest} to ${highest} kbit/s in this profile, not ${bitRate / 1000}`);
            }
        }
    }
}

/** Encodes the clips and starts the test. */
function begin() {
    const form = new FormData(element('settings'));
    const codings = ['first', 'second'].map((name) => coding(name, form));
    const method = form.get('method');
    return run('Coding…', async () => {
        await check(codings);
        element('progress-row').hidden = false;
        try {
            for (const [index, clip] of clips.entries()) {
                const onprogress = (progress) => (element('progress').value = (index + progress) / clips.length);
                clip.conditions = await makeConditions(clip, codings, method === 'rating', codec, onprogress);
                if (!clip.conditions) return 'Cancelled.';
            }
        } finally {
            element('progress-row').hidden = true;
        }
        const pair = form.get('pair').split(' ');
        const test = { method, ...(method === 'abx' && { pair }), codings, version, begun: new Date().toISOString() };
        const ondone = (answers) => finish({ ...test, clips: clips.map(description), answers });
        running = method === 'abx' ? new ABXTest(listener, clips, pair, Number(form.get('trials')), ondone) : new RatingTest(listener, clips, ondone);
        show('trial');
        running.start();
    });
}

/** Returns the properties of a clip for the results. */
function description({ name, sampleRate, channels, conditions }) {
    return {
        name, sampleRate, channels: channels.length, seconds: channels[0].length / sampleRate,
        conditions: conditions.map(({ channels: _, gain, ...rest }) => ({ ...rest, gainDecibels: 20 * Math.log10(gain) })),
    };
}

function finish(test) {
    [running, finished] = [null, test];
    showResults(test);
    show('results');
}

function press(event) {
    if (!running || event.ctrlKey || event.altKey || event.metaKey) return;
    const { tagName, type } = event.target;
    const key = event.key.toLowerCase();
    // Buttons and radio buttons use these keys themselves.
    if ((key === ' ' || key === 'enter') && (tagName === 'BUTTON' || type === 'radio')) return;
    if (key === ' ') listener.toggle();
    else if (!running.press(key)) return;
    event.preventDefault();
}

for (const [name, usual] of [['first', 128], ['second', 64]]) {
    element(`${name}-rate`).append(...rates.map((rate) => new Option(`${rate} kbit/s`, rate, rate === usual, rate === usual)));
    element(`${name}-profile`).addEventListener('change', ({ target }) => (element(`${name}-rate`).value = { lc: 128, he: 48, 'he-v2': 32 }[target.value]));
}
for (const input of document.querySelectorAll('[name="method"]')) {
    input.addEventListener('change', () => (element('abx-options').hidden = element('method-rating').checked));
}
for (const input of document.querySelectorAll('[name="listen"]')) input.addEventListener('change', () => running?.listen(Number(input.value)));
element('file').addEventListener('change', ({ target }) => {
    const files = [...target.files];
    target.value = '';
    open(files);
});
element('example').addEventListener('click', () => run('Generating the example…', () => add(makeExample(), 'example')));
element('settings').addEventListener('submit', (event) => {
    event.preventDefault();
    begin();
});
element('cancel').addEventListener('click', () => codec.cancel());
element('answer-a').addEventListener('click', () => running?.answer(0));
element('answer-b').addEventListener('click', () => running?.answer(1));
element('next').addEventListener('click', () => running?.next());
element('end').addEventListener('click', () => running?.end());
element('again').addEventListener('click', () => show('setup'));
element('save-csv').addEventListener('click', () => saveFile('listening-test.csv', resultsCSV(finished), 'text/csv'));
element('save-json').addEventListener('click', () => saveFile('listening-test.json', resultsJSON(finished), 'application/json'));
document.addEventListener('keydown', press);
watchDrops(element('drop'), open);
codec.call('about').then(
    (about) => {
        version = about.version;
        element('about').textContent = `Linnet ${version}, Apache License 2.0. The page loads nothing from other hosts.`;
    },
    (error) => say(`Cannot load the codec: ${error.message}.`, true));
