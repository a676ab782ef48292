// SPDX-License-Identifier: Apache-2.0

// The page: accepts audio, encodes it in a worker, and shows the result.

import { CodecWorker } from './codec-worker.js';
import { openAudio, watchDrops } from './opening.js';
import { Recorder } from './recorder.js';
import { ResultView } from './result.js';
import { makeExample, supported } from './signals.js';
import { formatTime } from './text.js';

const element = (id) => document.getElementById(id);
const rates = [16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
/** The maximum duration in minutes; the browser keeps several copies of the signal. */
const longest = 15;

const codec = new CodecWorker();
const view = new ResultView(codec);
let signal = null;
let isBusy = false;
let recorder = null;

/** Shows a status text. */
function say(text, isAlarm = false) {
    element('status').textContent = text;
    element('status').classList.toggle('alarm', isAlarm);
}

function settings() {
    const form = new FormData(element('settings'));
    return { profile: form.get('profile'), effort: form.get('effort'), bitRate: 1000 * rates[element('rate').value] };
}

/** Uses a new signal. */
async function take(found, name) {
    if (found.channels[0].length / found.sampleRate > 60 * longest) throw new Error(`the audio is longer than ${longest} minutes`);
    const converted = await supported(found);
    signal = { ...converted, name };
    const seconds = signal.channels[0].length / signal.sampleRate;
    const count = signal.channels.length;
    const channels = count === 1 ? 'mono' : count === 2 ? 'stereo' : `${count} channels`;
    const parts = [...new Set([name, found.kind]), `${found.sampleRate / 1000} kHz`, channels, formatTime(seconds)];
    if (converted !== found) parts.push(`converted to ${signal.sampleRate / 1000} kHz`);
    if (found.damagedUnitCount) parts.push(`${found.damagedUnitCount} damaged units`);
    element('source-info').textContent = parts.join(' · ');
    view.hide();
    await checkSettings();
    say('');
}

/** Runs a step that can fail. Only one step runs at a time. */
async function run(text, body) {
    if (isBusy) return;
    isBusy = true;
    say(text);
    enable();
    try {
        await body();
    } catch (error) {
        say(`${text.replace('…', '')} failed: ${error.message}.`, true);
    }
    isBusy = false;
    enable();
}

/** Enables the controls that are usable now. */
function enable() {
    element('encode').disabled = !signal || isBusy;
    element('example').disabled = isBusy;
    element('record').disabled = isBusy;
    element('file').disabled = isBusy;
}

function open(file) {
    return run(`Opening ${file.name}…`, async () => take(await openAudio(file, codec), file.name));
}

/** Marks the settings that the signal supports, and clamps the bit rate. */
async function checkSettings() {
    showRate();
    if (!signal) return;
    const { sampleRate, channels } = signal;
    for (const input of document.querySelectorAll('[name="profile"]')) {
        const limits = await codec.call('limits', { sampleRate, channels: channels.length, profile: input.value });
        input.disabled = !limits;
        if (!limits && input.checked) element('profile-lc').checked = true;
        if (!limits || !input.checked) continue;
        const allowed = rates.flatMap((rate, index) => (1000 * rate >= limits.lowest && 1000 * rate <= limits.highest ? [index] : []));
        const slider = element('rate');
        [slider.min, slider.max] = [allowed[0] ?? 0, allowed.at(-1) ?? rates.length - 1];
    }
    showRate();
}

/** Shows the bit rate next to its slider. */
function showRate() {
    const text = `${rates[element('rate').value]} kbit/s`;
    element('rate-text').textContent = text;
    element('rate').setAttribute('aria-valuetext', text);
}

/** Sets a usual bit rate for the profile. */
async function chooseProfile() {
    await checkSettings();
    const usual = { lc: 128, he: 48, 'he-v2': 32, auto: 64 }[settings().profile];
    element('rate').value = rates.indexOf(usual);
    showRate();
}

/** Encodes the signal and shows the result. */
function encode() {
    if (!signal) return;
    run('Encoding…', async () => {
        const options = { ...settings(), sampleRate: signal.sampleRate, silencesInvalid: true };
        element('progress-row').hidden = false;
        element('progress').value = 0;
        try {
            const result = await codec.call('encode', { channels: signal.channels, options }, (progress) => (element('progress').value = progress));
            if (!result) return say('Cancelled.');
            say('Measuring…');
            await view.show(signal, result, options);
            say(`Encoded in ${result.seconds < 1 ? `${Math.round(1000 * result.seconds)} ms` : `${result.seconds.toFixed(1)} s`}.`);
        } finally {
            element('progress-row').hidden = true;
        }
    });
}

/** Starts or stops recording. */
async function record() {
    if (recorder) {
        const [ended, button] = [recorder, element('record')];
        recorder = null;
        button.setAttribute('aria-pressed', 'false');
        element('record-text').textContent = 'Record';
        element('level').hidden = true;
        await run('Recording…', async () => {
            const recorded = await ended.stop();
            if (!recorded) throw new Error('no samples from the microphone');
            await take(recorded, 'recording');
        });
        return;
    }
    const started = new Recorder();
    await run('Opening the microphone…', async () => {
        await started.start((peak) => (element('level').value = Math.max(peak, element('level').value * 0.85)));
        recorder = started;
        element('record').setAttribute('aria-pressed', 'true');
        element('record-text').textContent = 'Stop';
        element('level').hidden = false;
        say('Recording. Press Stop to end.');
    });
}

element('file').addEventListener('change', ({ target }) => {
    const [file] = target.files;
    if (file) open(file);
    target.value = '';
});
element('example').addEventListener('click', () => run('Generating the example…', () => take(makeExample(), 'example')));
element('record').addEventListener('click', record);
element('cancel').addEventListener('click', () => codec.cancel());
element('settings').addEventListener('submit', (event) => {
    event.preventDefault();
    encode();
});
element('rate').addEventListener('input', showRate);
for (const input of document.querySelectorAll('[name="profile"]')) input.addEventListener('change', chooseProfile);
watchDrops(element('drop'), ([file]) => open(file));
showRate();
codec.call('about').then(
    ({ version }) => (element('about').textContent = `Linnet ${version}, Apache License 2.0. The page loads nothing from other hosts.`),
    (error) => say(`Cannot load the codec: ${error.message}.`, true));
