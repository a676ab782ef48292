// SPDX-License-Identifier: Apache-2.0

// Opens the pages of a site in Chromium as files, without a server. Checks links, layout and contrast at two widths and in both color schemes,
// keyboard, messages, requests, the encoder and the search.
//
//     node site.mjs SITE COMMAND WAV [SCREENSHOTS]

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Browser } from './browser.mjs';
import { checkPages } from './site-links.mjs';

const [site, command, wav, screenshots] = process.argv.slice(2);
const root = pathToFileURL(`${resolve(site)}/`).href;
const folder = mkdtempSync(join(tmpdir(), 'linnet-site-'));
/** One page of each kind. */
const kinds = [
    'index.html', 'documentation.html', 'guides/quality.html', 'internals/architecture.html', 'api/index.html', 'api/aaccodec/index.html',
    'api/aaccodec/aacencoder.html', 'manual/linnet-encode.1.html', 'sources/LICENSE.html', 'encoder.html', 'listening.html', 'search.html',
];

/** Returns texts with a contrast to their background below 4.5 to 1 (WCAG 2.2), except in disabled controls. */
function lowContrasts() {
    const parse = (text) => {
        const [red, green, blue, alpha = 1] = text.match(/[\d.]+/g).map(Number);
        return { parts: [red, green, blue], alpha };
    };
    const over = (color, below) => color.parts.map((part, index) => part * color.alpha + below[index] * (1 - color.alpha));
    const luminance = (parts) => {
        const [red, green, blue] = parts.map((part) => (part <= 10.3 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4));
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const behind = (element) => {
        const own = parse(getComputedStyle(element).backgroundColor);
        if (own.alpha === 1) return own.parts;
        return over(own, element.parentElement ? behind(element.parentElement) : [255, 255, 255]);
    };
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const element = node.parentElement;
        if (node.data.trim() === '' || element.closest('script, :disabled, :disabled + label, title, desc') || !element.checkVisibility()) continue;
        const style = getComputedStyle(element);
        const color = parse(element.closest('svg') ? style.fill : style.color);
        for (let each = element; each; each = each.parentElement) color.alpha *= Number(getComputedStyle(each).opacity);
        const below = behind(element);
        const [lighter, darker] = [luminance(over(color, below)), luminance(below)].sort((one, other) => other - one);
        const ratio = (lighter + 0.05) / (darker + 0.05);
        if (ratio < 4.5) found.push(`${ratio.toFixed(2)}: ${node.data.trim().slice(0, 60)}`);
    }
    return found;
}

/** Checks that the page logged no messages and loaded only files of the site. */
function assertQuiet(page, name) {
    assert.deepEqual(page.messages, [], `${name}: console messages`);
    assert.deepEqual(page.requests.filter((address) => !address.startsWith(root) && !/^(blob:null\/|data:)/.test(address)), [], `${name}: requests`);
}

/** Checks the layout, colors and names of a page in its current state. */
async function checkShown(page, name) {
    for (const width of [390, 1600]) {
        await page.send('Emulation.setDeviceMetricsOverride', { width, height: 900, deviceScaleFactor: 1, mobile: width < 600 });
        for (const scheme of ['light', 'dark']) {
            await page.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
            // Completes color transitions.
            await page.evaluate('document.getAnimations().forEach((animation) => animation.finish())');
            const widest = await page.evaluate('document.documentElement.scrollWidth');
            assert.ok(widest <= width, `${name}: ${widest} pixels wide at ${width}`);
            assert.deepEqual(await page.evaluate(`(${lowContrasts})()`), [], `${name}: contrast at ${width}, ${scheme}`);
            if (screenshots) await page.screenshot(join(screenshots, `${name.replace(/\W+/g, '-')}-${width}-${scheme}.png`), { height: 4000 });
        }
    }
    const unnamed = await page.evaluate(`[...document.querySelectorAll('a, button, input, select, summary')]
        .filter((each) => !(each.getAttribute('aria-label') || each.textContent.trim() || each.labels?.length)).map((each) => each.outerHTML)`);
    assert.deepEqual(unnamed, [], `${name}: controls without a name`);
    assert.ok((await page.evaluate('document.body.innerText.length')) > 100, `${name}: no text`);
}

/** Checks the keyboard: the first stop skips the navigation, and each stop shows its focus. */
async function checkKeyboard(page, name) {
    const focused = (expression) => page.evaluate(`((element) => ${expression})(document.activeElement)`);
    for (let stop = 0; stop < 12; stop += 1) {
        await page.press('Tab');
        // The search page starts in its input.
        if (stop === 0 && name !== 'search.html') {
            assert.equal(await focused('element.className'), 'skip', `${name}: the first stop`);
            assert.ok(await focused('element.getBoundingClientRect().top >= 0'), `${name}: the first stop is not shown`);
        }
        assert.ok(await focused("element === document.body || element.matches('.skip, .file') || getComputedStyle(element).outlineStyle !== 'none'"
            + " || getComputedStyle(element.nextElementSibling ?? element).outlineStyle !== 'none'"), `${name}: stop ${stop} does not show the focus`);
    }
    await page.evaluate("document.querySelector('.skip').focus()");
    await page.press('Enter');
    await page.until("document.activeElement.id === 'main'", 10);
}

async function saved(page, button, name) {
    const path = join(folder, name);
    await page.click(button);
    for (let count = 0; count < 500 && !existsSync(path); count += 1) await new Promise((resolve) => setTimeout(resolve, 20));
    return readFileSync(path);
}

/** Checks the encoder page with the microphone and with a file, whose encoded bytes must equal the command's. */
async function checkEncoder(browser) {
    const page = await browser.open(`${root}encoder.html`, { downloads: folder });
    const shown = "!document.querySelector('#encode').disabled && !document.querySelector('#result').hidden";
    await page.chooseFiles('#file', resolve(wav));
    await page.until("!document.querySelector('#encode').disabled");
    await page.click('#encode');
    await page.until(shown);
    const adts = await saved(page, '#save-adts', `${basename(wav, '.wav')}.aac`);
    const samples = readFileSync(wav).subarray(44);
    const options = ['encode', '--quiet', '--raw', 's16le,44100,2', '-b', '128k', '-', '-o', '-'];
    assert.ok(execFileSync(command, options, { input: samples, maxBuffer: 1 << 28 }).equals(adts), "the saved ADTS is not the command's");
    await checkShown(page, 'encoder.html with a result');
    await page.click('#record');
    await page.until("document.querySelector('#record').getAttribute('aria-pressed') === 'true'");
    await new Promise((resolve) => setTimeout(resolve, 700));
    await page.click('#record');
    await page.until("document.querySelector('#source-info').textContent.includes('recording')");
    assertQuiet(page, 'encoder.html');
    await page.close();
}

/** The search finds a page, a heading and an API member, and reads its query from the address. */
async function checkSearch(browser) {
    const page = await browser.open(`${root}search.html#audio%20quality`);
    await page.until("document.querySelector('#results a')?.getAttribute('href') === 'guides/quality.html'");
    for (const [query, target] of [['a second set', 'guides/quality.html#a-second-set'], ['AACEncoder finish', 'api/aaccodec/aacencoder.html#finish()']]) {
        await page.evaluate(`location.hash = ${JSON.stringify(encodeURIComponent(query))}`);
        await page.until(`[...document.querySelectorAll('#results a')].some((each) => each.getAttribute('href') === ${JSON.stringify(target)})`);
    }
    assertQuiet(page, 'search.html');
    await page.close();
}

const { wrong, count, pageCount } = checkPages(site);
assert.deepEqual(wrong, [], 'links and structure');
const browser = new Browser('--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream', `--use-file-for-fake-audio-capture=${wav}`);
try {
    for (const name of kinds) {
        const page = await browser.open(root + name);
        await checkShown(page, name);
        await checkKeyboard(page, name);
        assertQuiet(page, name);
        await page.close();
    }
    await checkEncoder(browser);
    await checkSearch(browser);
    console.log(`Site: ${pageCount} pages, ${count} links; ${kinds.length} kinds of pages as files in Chromium; the encoder's bytes equal the command's`);
} finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
}
