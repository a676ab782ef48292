// SPDX-License-Identifier: Apache-2.0

// Takes the blind listening test in Chromium: records the page's output and derives the answers from the recording alone. Also checks statistics,
// alignment and random order.
//
//     node listening.mjs SITE WAV [--page FILE] [--screenshots DIR]    # FILE: opened as a file, without a server

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Browser, serve } from './browser.mjs';

const [site, wav, ...options] = process.argv.slice(2);
const option = (name) => (options.includes(name) ? resolve(options[options.indexOf(name) + 1]) : undefined);
const [file, screenshots] = [option('--page'), option('--screenshots')];
const server = await serve({}, site);
const address = file ? pathToFileURL(file).href : `${server.address}/listening.html`;
const folder = mkdtempSync(join(tmpdir(), 'linnet-listening-'));
const module = (name) => import(pathToFileURL(resolve(site, 'listening', name)));

async function testFunctions() {
    const { guessingProbability, meanWithInterval } = await module('statistics.js');
    // From tables of the binomial distribution.
    assert.ok(Math.abs(guessingProbability(12, 16) - 0.0384063720703125) < 1e-15);
    assert.ok(Math.abs(guessingProbability(9, 10) - 11 / 1024) < 1e-15);
    assert.equal(guessingProbability(0, 16), 1);
    assert.equal(guessingProbability(0, 0), 1);
    const { mean, interval } = meanWithInterval([80, 90, 100]);
    assert.ok(mean === 90 && Math.abs(interval - (4.303 * 10) / Math.sqrt(3)) < 1e-9);
    assert.equal(meanWithInterval([70]).interval, null);

    const { clipOrder, randomBelow, shuffled } = await module('order.js');
    const counts = [0, 0, 0];
    for (let count = 0; count < 30_000; count += 1) counts[randomBelow(3)] += 1;
    // Six standard deviations.
    assert.ok(counts.every((count) => Math.abs(count - 10_000) < 490), `${counts}`);
    const places = Array.from({ length: 4 }, () => [0, 0, 0, 0]);
    for (let count = 0; count < 8000; count += 1) shuffled([0, 1, 2, 3]).forEach((item, place) => (places[item][place] += 1));
    assert.ok(places.flat().every((count) => Math.abs(count - 2000) < 240), `${places}`);
    assert.deepEqual([...clipOrder(3, 12)].sort(), [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]);

    const { lag, levels, loudness } = await module('alignment.js');
    for (const sampleRate of [44_100, 48_000]) {
        // BS.1770-5: a full-scale 997 Hz sine in one channel has -3.01 LUFS.
        const sine = Float32Array.from({ length: 2 * sampleRate }, (_, frame) => Math.sin((2 * Math.PI * 997 * frame) / sampleRate));
        assert.ok(Math.abs(loudness([sine], sampleRate) + 3.01) < 0.02, `${loudness([sine], sampleRate)} LUFS`);
        const quiet = sine.map((value) => value / 2);
        const gains = levels([[sine], [quiet]], sampleRate);
        assert.ok(Math.abs(gains[1] / gains[0] - 2) < 1e-3 && gains[0] <= 1);
    }
    const noise = Float32Array.from({ length: 20_000 }, () => Math.random() - 0.5);
    const late = new Float32Array(20_000);
    late.set(noise.subarray(0, 19_983), 17);
    assert.equal(lag([noise], [late]), 17);
    assert.equal(lag([late], [noise]), -17);
}

/**
 * Records the end of the page's output on the audio thread, because the main thread would miss parts on a busy machine. `listen` also measures
 * the playing time.
 */
const recorder = `
    const connect = AudioNode.prototype.connect;
    const taps = new WeakMap();
    let [tap, begun] = [null, 0];
    AudioNode.prototype.connect = function (target, ...rest) {
        const { context } = this;
        if (target === context.destination && context instanceof AudioContext) {
            if (!taps.has(context)) taps.set(context, context.createAnalyser());
            tap = taps.get(context);
            tap.fftSize = 32768;
            connect.call(this, tap);
        }
        return connect.call(this, target, ...rest);
    };
    const last = (seconds) => {
        const samples = new Float32Array(tap.fftSize);
        tap.getFloatTimeDomainData(samples);
        return samples.subarray(Math.max(0, samples.length - Math.round(seconds * tap.context.sampleRate)));
    };
    globalThis.forget = () => (begun = tap.context.currentTime);
    globalThis.played = () => tap.context.currentTime - begun;
    globalThis.steepest = () => last(played()).reduce((most, value, index, all) => (index ? Math.max(most, Math.abs(value - all[index - 1])) : 0), 0);
    // The energy of second-order differences relative to the signal energy: the amount of treble in the half-second part.
    globalThis.treble = () => {
        const samples = last(0.5);
        let [high, all] = [0, 0];
        for (let index = 2; index < samples.length; index += 1) {
            high += (samples[index] - 2 * samples[index - 1] + samples[index - 2]) ** 2;
            all += samples[index] ** 2;
        }
        return all > 0 ? high / all : 0;
    };`;

/** Waits until the page has played the complete part after the cross-fade. Returns the amount of treble. */
async function listen(page) {
    await page.evaluate('forget()');
    await page.until('played() > 0.65', 30);
    return page.evaluate('treble()');
}

/** Checks that the page logged no messages. */
function assertQuiet(page) {
    assert.deepEqual(page.messages, [], 'console messages');
}

async function openPage(browser, options) {
    const page = await browser.open(address, { downloads: folder, script: recorder, ...options });
    await page.chooseFiles('#file', wav);
    await page.until("document.querySelectorAll('#clips li').length === 1 && !document.querySelector('#begin').disabled");
    return page;
}

const choose = (page, id, value) => page.evaluate(`(() => {
    const element = document.getElementById('${id}');
    element.value = '${value}';
    element.dispatchEvent(new Event('change', { bubbles: true }));
})()`);

async function saved(page, button, name) {
    const path = join(folder, name);
    rmSync(path, { force: true });
    await page.click(button);
    for (let count = 0; count < 500 && !existsSync(path); count += 1) await new Promise((resolve) => setTimeout(resolve, 20));
    return readFileSync(path, 'utf8');
}

/** Starts with the keyboard: a click would miss the button if the layout changed. */
async function begin(page) {
    await page.evaluate("document.querySelector('#begin').focus()");
    await page.press('Enter');
}

/** Repeats a part of half a second, so that all recordings have the same content. */
async function shorten(page) {
    await page.evaluate(`(() => {
        const [start, end] = ['part-start', 'part-end'].map((id) => document.getElementById(id));
        [start.value, end.value] = [0.5, 1];
        end.dispatchEvent(new Event('change', { bubbles: true }));
    })()`);
}

async function testABX(browser) {
    const page = await openPage(browser);
    await choose(page, 'trials', '10');
    await choose(page, 'second-rate', '32');
    await begin(page);
    await page.until("!document.querySelector('#trial').hidden");
    if (screenshots) await page.screenshot(join(screenshots, 'listening-abx.png'));
    await page.evaluate("document.querySelector('#trial-title').focus()");
    assert.ok(await page.evaluate("document.querySelector('#answer-a').disabled"), 'an answer is possible before listening');
    await shorten(page);
    await page.press(' ');
    const heard = [];
    let calm = 0;
    for (let trial = 0; trial < 10; trial += 1) {
        // With the keyboard only. A and B are the same in all trials.
        for (const key of ['a', 'b', 'x']) {
            await page.press(key);
            if (trial === 0 || key === 'x') {
                heard['abx'.indexOf(key)] = await listen(page);
                calm = Math.max(calm, await page.evaluate('steepest()'));
            } else await new Promise((resolve) => setTimeout(resolve, 60));
        }
        if (trial === 0) {
            assert.ok(heard[0] > 1.15 * heard[1], `A does not have more treble than B: ${heard}`);
            // No clicks: a recording with 30 switches has no larger step than the signals.
            await page.evaluate('forget()');
            for (let count = 0; count < 30; count += 1) {
                await page.press('abx'[count % 3]);
                await new Promise((resolve) => setTimeout(resolve, 17));
            }
            const switched = await page.evaluate('steepest()');
            assert.ok((await page.evaluate('played()')) > 0.34 && switched < 1.2 * calm, `a step of ${switched}, without changes ${calm}`);
        }
        await page.press(Math.abs(heard[2] - heard[0]) < Math.abs(heard[2] - heard[1]) ? '1' : '2');
    }
    await page.until("!document.querySelector('#results').hidden");
    const result = JSON.parse(await saved(page, '#save-json', 'listening-test.json'));
    assert.equal(result.answers.length, 10);
    assert.ok(result.answers.every(({ correct, answer, x }) => correct && answer === x), 'X differs from the reported signal');
    assert.equal(result.summary[0].p, 1 / 1024);
    assert.deepEqual(result.pair, ['original', 'second']);
    assert.ok(result.clips[0].conditions.every(({ lag }) => lag === 0), 'an encoding is delayed');
    assert.match(await page.evaluate("document.querySelector('#finding').textContent"), /^10 of 10 .* 0\.0010: a difference was heard/);
    const csv = (await saved(page, '#save-csv', 'listening-test.csv')).trim().split('\r\n');
    assert.ok(csv.length === 11 && csv[0].startsWith('trial,clip,x,answer,correct,'));
    if (screenshots) await page.screenshot(join(screenshots, 'listening-results.png'));
    assertQuiet(page);
    await page.close();
    return result;
}

async function testRating(browser) {
    const page = await openPage(browser, { width: 390, scheme: 'dark' });
    await page.click('label[for=method-rating]');
    await choose(page, 'first-profile', 'he');
    await choose(page, 'second-rate', '32');
    await begin(page);
    await page.until("!document.querySelector('#trial').hidden");
    if (screenshots) await page.screenshot(join(screenshots, 'listening-rating.png'));
    assert.ok((await page.evaluate('document.documentElement.scrollWidth')) <= 390, 'wider than 390 pixels');
    await shorten(page);
    await page.press(' ');
    const heard = [];
    for (const key of ['r', '1', '2', '3', '4']) {
        await page.press(key);
        heard.push(await listen(page));
        if (key === 'r') continue;
        assert.equal(await page.evaluate('document.activeElement.id'), `rate-${key}`);
    }
    // A larger difference in treble from the original gets fewer points.
    for (let index = 1; index <= 4; index += 1) {
        const points = Math.round(Math.max(0, 100 - 25 * Math.abs(Math.log(heard[index] / heard[0]))));
        await page.evaluate(`(() => {
            const slider = document.getElementById('rate-${index}');
            slider.value = ${points};
            slider.dispatchEvent(new Event('input', { bubbles: true }));
        })()`);
    }
    await page.press('1');
    await page.press('ArrowRight');
    await page.press('Enter');
    await page.until("!document.querySelector('#results').hidden");
    const result = JSON.parse(await saved(page, '#save-json', 'listening-test.json'));
    const rating = Object.fromEntries(result.answers.map((each) => [each.condition, each.rating]));
    assert.deepEqual(Object.keys(rating).sort(), ['anchor', 'first', 'original', 'second']);
    assert.ok(rating.original >= 95 && rating.anchor < rating.first && rating.anchor < rating.second && rating.anchor < 80, JSON.stringify(rating));
    const [original, ...others] = result.clips[0].conditions;
    assert.ok(others.every(({ lag }) => lag === 0) && others.every(({ gainDecibels }) => Math.abs(gainDecibels - original.gainDecibels) < 3));
    assertQuiet(page);
    await page.close();
}

await testFunctions();
const browser = new Browser();
try {
    const { answers } = await testABX(browser);
    await testRating(browser);
    const count = answers.filter(({ x }) => x === 'original').length;
    console.log(`Listening test: 10 of 10 correct from the recording, X ${count} times the original; hidden original and anchor rated from the recording`);
} finally {
    await browser.close();
    server.close();
    rmSync(folder, { recursive: true, force: true });
}
