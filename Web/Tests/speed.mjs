// SPDX-License-Identifier: Apache-2.0

// Measures the speed, start-up time and memory of linnet.wasm in Chromium. Speed is seconds of audio per second of CPU time of the page's
// process, the best of several rounds, so that other programs have little influence.
//
//     taskset -c 0 node speed.mjs SITE WAV [ROUNDS]

import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Browser, serve } from './browser.mjs';

const [site, wav, rounds = '5'] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'linnet-speed-'));
copyFileSync(wav, join(folder, 'signal.wav'));
const server = await serve({}, site, new URL('.', import.meta.url).pathname, folder);
const browser = new Browser();

/** Returns the CPU time of the pages' processes, over all threads, in seconds. */
async function processorTime() {
    const { processInfo } = await browser.send('SystemInfo.getProcessInfo');
    return processInfo.filter(({ type }) => type === 'renderer').reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

try {
    const page = await browser.open(`${server.address}/module.html`);
    const { seconds, starts } = await page.evaluate(`(async () => {
        const { Linnet } = await import('/linnet.js');
        const { readWAV } = await import('/page/signals.js');
        const { channels, sampleRate } = readWAV(new Uint8Array(await (await fetch('/signal.wav')).arrayBuffer()));
        const bytes = await (await fetch('/linnet.wasm')).arrayBuffer();
        const starts = [];
        for (let round = 0; round < ${rounds}; round += 1) {
            const start = performance.now();
            const linnet = await Linnet.load(bytes);
            const loaded = performance.now();
            linnet.createEncoder({ sampleRate, channels: 2, bitRate: 128000 }).write(channels.map((channel) => channel.subarray(0, 4096)));
            starts.push([loaded - start, performance.now() - loaded]);
        }
        globalThis.state = { Linnet, channels, sampleRate, bytes };
        return { seconds: channels[0].length / sampleRate, starts };
    })()`);

    /** Runs an expression several times. Returns the speed of the first and the best run, relative to real time. */
    const measure = async (expression) => {
        const speeds = [];
        for (let round = 0; round <= Number(rounds); round += 1) {
            const before = await processorTime();
            await page.evaluate(`(${expression}, undefined)`);
            speeds.push(seconds / ((await processorTime()) - before));
        }
        return { first: speeds[0].toFixed(0), best: Math.max(...speeds).toFixed(0) };
    };
    const least = (index) => Math.min(...starts.map((start) => start[index])).toFixed(1);
    console.log(`loading ${least(0)} ms, then first access unit after ${least(1)} ms; ${seconds.toFixed(1)} s of audio`);
    for (const [profile, bitRate] of [['lc', 128000], ['he', 48000], ['he-v2', 32000]]) {
        for (const effort of ['fast', 'balanced', 'best']) {
            await page.evaluate(`state.Linnet.load(state.bytes).then((linnet) => (state.linnet = linnet)).then(() => undefined)`);
            const options = `{ sampleRate: state.sampleRate, bitRate: ${bitRate}, profile: '${profile}', effort: '${effort}' }`;
            const encoding = await measure(`state.file = state.linnet.encode(state.channels, ${options})`);
            const decoding = await measure('state.linnet.decode(state.file)');
            const memory = await page.evaluate('(state.linnet.memoryByteCount / 1048576).toFixed(1)');
            console.log(`${profile} ${effort}: encodes ${encoding.best} x, first run ${encoding.first} x; decodes ${decoding.best} x; ${memory} MiB`);
        }
    }
} finally {
    await browser.close();
    server.close();
    rmSync(folder, { recursive: true, force: true });
}
