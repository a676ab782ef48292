// SPDX-License-Identifier: Apache-2.0

// Uses the page in Chromium with files and a microphone. Saved files must equal the command's. Also checks keyboard, narrow screens, requests.
//
//     node page.mjs SITE COMMAND WAV [SCREENSHOTS]

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Browser, serve } from './browser.mjs';

const [site, command, wav, screenshots] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'linnet-page-'));
const server = await serve({}, site, import.meta.dirname ?? new URL('.', import.meta.url).pathname);
const browser = new Browser('--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream', `--use-file-for-fake-audio-capture=${wav}`);
const run = (input, ...args) => execFileSync(command, args, { input, maxBuffer: 1 << 28 });
const isReady = "!document.querySelector('#encode').disabled";
const isShown = `${isReady} && !document.querySelector('#result').hidden`;

/** Waits until the page saves a file, and returns its bytes. */
async function saved(page, button, name) {
    const path = join(folder, name);
    rmSync(path, { force: true });
    await page.click(button);
    for (let count = 0; count < 500 && !existsSync(path); count += 1) await new Promise((resolve) => setTimeout(resolve, 20));
    return readFileSync(path);
}

/** Presses Tab until an element has the focus. */
async function tabTo(page, id) {
    for (let count = 0; count < 40; count += 1) {
        if ((await page.evaluate('document.activeElement.id')) === id) return;
        await page.press('Tab');
    }
    assert.fail(`the Tab key does not reach ${id}`);
}

/** Returns the command's ADTS for the samples of a WAV file, after its 44-byte header. */
function encoded(file, format, ...options) {
    return run(file.subarray(44), 'encode', '--quiet', '--raw', format, ...options, '-', '-o', '-');
}

/** Checks that the page logged no messages and sent no requests to other hosts. */
function assertQuiet(page) {
    assert.deepEqual(page.messages, [], 'console messages');
    assert.deepEqual(page.requests.filter((url) => !url.startsWith(server.address) && !url.startsWith('blob:')), [], 'requests');
}

async function testFile() {
    const page = await browser.open(`${server.address}/`, { downloads: folder });
    const source = readFileSync(wav);
    await page.chooseFiles('#file', wav);
    await page.until(isReady);
    assert.match(await page.evaluate("document.querySelector('#source-info').textContent"), /WAV, 16 bit · 44.1 kHz · stereo · 0:09/);
    // With the keyboard only.
    await page.evaluate("document.activeElement.blur()");
    await tabTo(page, 'rate');
    await page.press('ArrowLeft');
    assert.equal(await page.evaluate("document.querySelector('#rate-text').textContent"), '112 kbit/s');
    await tabTo(page, 'encode');
    await page.press('Enter');
    await page.until(isShown);
    await tabTo(page, 'play');
    await page.press(' ');
    await page.until("document.querySelector('#play').getAttribute('aria-label') === 'Pause' && Number(document.querySelector('#position').value) > 0.2");
    await page.press('a');
    assert.ok(await page.evaluate("document.querySelector('#listen-original').checked"));
    await page.press('b');
    assert.ok(await page.evaluate("document.querySelector('#listen-result').checked"));
    await page.press('ArrowRight');
    await page.until("Number(document.querySelector('#position').value) > 2");
    await page.press(' ');
    await page.until("document.querySelector('#play').getAttribute('aria-label') === 'Play'");

    const name = basename(wav, '.wav');
    const adts = await saved(page, '#save-adts', `${name}.aac`);
    assert.ok(encoded(source, 's16le,44100,2', '-b', '112k').equals(adts), "the saved ADTS is not the command's");
    const m4a = await saved(page, '#save-m4a', `${name}.m4a`);
    const samples = run(m4a, 'decode', '--quiet', '--format', 'raw', '-', '-o', '-');
    assert.equal(samples.length, source.length - 44, 'the M4A has the length of the source');

    // Other profiles and efforts; AAC and FLAC input.
    await page.click('label[for=profile-he-v2]');
    await page.until("document.querySelector('#rate-text').textContent === '32 kbit/s'");
    await page.click('label[for=effort-fast]');
    await page.click('#encode');
    await page.until(isShown);
    const small = await saved(page, '#save-adts', `${name}.aac`);
    const options = ['-b', '32k', '--profile', 'he-v2', '--effort', 'fast'];
    assert.ok(encoded(source, 's16le,44100,2', ...options).equals(small), "the saved HE-AAC v2 is not the command's");
    await page.chooseFiles('#file', join(folder, `${name}.m4a`));
    await page.until("document.querySelector('#source-info').textContent.includes('AAC in M4A') && document.querySelector('#result').hidden");
    await page.until(isReady);
    const flac = join(folder, 'source.flac');
    execFileSync('flac', ['--silent', '--force', '-o', flac, wav]);
    await page.chooseFiles('#file', flac);
    await page.until(`${isReady} && document.querySelector('#source-info').textContent.includes('FLAC')`);
    await page.click('#encode');
    await page.until(isShown);
    const fromFLAC = await saved(page, '#save-adts', 'source.aac');
    assert.ok(fromFLAC.equals(small), 'FLAC and WAV input give different bytes');

    writeFileSync(join(folder, 'bad.aac'), 'this is no audio');
    await page.chooseFiles('#file', join(folder, 'bad.aac'));
    await page.until("document.querySelector('#status').textContent.includes('neither Linnet nor the browser')");
    assertQuiet(page);
    await page.close();
}

async function testMicrophone() {
    const page = await browser.open(`${server.address}/`, { downloads: folder });
    await page.click('#record');
    await page.until("document.querySelector('#record').getAttribute('aria-pressed') === 'true'");
    await page.until("document.querySelector('#level').value > 0.05");
    await new Promise((resolve) => setTimeout(resolve, 700));
    await page.click('#record');
    await page.until(isReady);
    await page.click('#encode');
    await page.until(isShown);
    const adts = await saved(page, '#save-adts', 'recording.aac');
    const recording = await saved(page, '#save-wav', 'recording.wav');
    const [rate, channels] = [recording.readUInt32LE(24), recording.readUInt16LE(22)];
    assert.ok(encoded(recording, `f32le,${rate},${channels}`, '-b', '128k').equals(adts), "the recording's ADTS is not the command's");
    const peak = new Float32Array(recording.buffer.slice(recording.byteOffset + 44)).reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    assert.ok(peak > 0.05, `the recording is silent: ${peak}`);
    assertQuiet(page);
    await page.close();
}

async function testSizes() {
    for (const [width, scheme] of [[360, 'light'], [1180, 'light'], [1180, 'dark']]) {
        const page = await browser.open(`${server.address}/`, { width, scheme });
        const widest = () => page.evaluate('document.documentElement.scrollWidth');
        assert.ok((await widest()) <= width, `${await widest()} pixels wide before a result`);
        await page.click('#example');
        await page.until(isReady);
        await page.click('#encode');
        await page.until(isShown);
        assert.ok((await widest()) <= width, `${await widest()} pixels wide with a result`);
        const small = await page.evaluate("[...document.querySelectorAll('button, .button')].filter((each) => each.offsetParent && each.offsetHeight < 40).length");
        assert.equal(small, 0, 'buttons too small for a finger');
        const unnamed = await page.evaluate("[...document.querySelectorAll('button, input, canvas:not([aria-hidden])')].filter((each) => !(each.getAttribute('aria-label') || each.textContent.trim() || each.labels?.length)).length");
        assert.equal(unnamed, 0, 'controls without a name');
        await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
        if (screenshots) await page.screenshot(join(screenshots, `webassembly-${width < 600 ? 'phone' : scheme}.png`), { height: width < 600 ? 1700 : undefined });
        assertQuiet(page);
        await page.close();
    }
}

/** Tests the module in a separate page: WebCodecs-like classes and an audio worklet. */
async function testModule() {
    const page = await browser.open(`${server.address}/module.html`);
    const report = await page.evaluate("import('/module-test.js').then((module) => module.run())");
    assert.deepEqual(report, []);
    assertQuiet(page);
    await page.close();
}

try {
    await testFile();
    await testMicrophone();
    await testSizes();
    await testModule();
    const missing = server.requests.filter((path) => !existsSync(join(site, path)) && !path.startsWith('/module') && !path.startsWith('/worklet'));
    assert.deepEqual(missing, [], 'requests for missing files');
    console.log("Chromium: saved files equal the command's, with file, keyboard and microphone; no messages, no requests to other hosts");
} finally {
    await browser.close();
    server.close();
    rmSync(folder, { recursive: true, force: true });
}
