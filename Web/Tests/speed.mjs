// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

// Measures linnet.wasm in Chromium: speed on the main thread, start, memory. The best of several rounds, since other programs disturb.
//
//     taskset -c 0 node speed.mjs SITE WAV [ROUNDS]

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Browser, serve } from './browser.mjs';

const [site, wav, rounds = '5'] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'linnet-speed-'));
writeFileSync(join(folder, 'signal.wav'), readFileSync(wav));
const server = await serve(site, new URL('.', import.meta.url).pathname, folder);
const browser = new Browser();
try {
    const page = await browser.open(`${server.address}/module.html`);
    const results = await page.evaluate(`(async () => {
        const { Linnet } = await import('/linnet.js');
        const { readWAV } = await import('/page/signals.js');
        const { channels, sampleRate } = readWAV(new Uint8Array(await (await fetch('/signal.wav')).arrayBuffer()));
        const seconds = channels[0].length / sampleRate;
        const results = { seconds, rows: [] };
        const milliseconds = (body) => { const start = performance.now(); body(); return performance.now() - start; };
        const bytes = await (await fetch('/linnet.wasm')).arrayBuffer();
        results.starts = [];
        for (let round = 0; round < ${rounds}; round += 1) {
            const start = performance.now();
            const linnet = await Linnet.load(bytes);
            const loaded = performance.now();
            const encoder = linnet.createEncoder({ sampleRate, channels: 2, bitRate: 128000 });
            const units = encoder.write(channels.map((channel) => channel.subarray(0, 4096)));
            results.starts.push([loaded - start, performance.now() - loaded, units.length]);
        }
        for (const [profile, bitRate] of [['lc', 128000], ['he', 48000], ['he-v2', 32000]]) {
            for (const effort of ['fast', 'balanced', 'best']) {
                const linnet = await Linnet.load(bytes);
                const options = { sampleRate, bitRate, profile, effort, format: 'm4a' };
                let [encoding, decoding, file] = [Infinity, Infinity];
                const first = milliseconds(() => { file = linnet.encode(channels, options); });
                const { memoryByteCount } = linnet;
                for (let round = 0; round < ${rounds}; round += 1) {
                    encoding = Math.min(encoding, milliseconds(() => linnet.encode(channels, options)));
                    decoding = Math.min(decoding, milliseconds(() => linnet.decode(file)));
                }
                results.rows.push({ profile, effort, first: seconds / first * 1000, encoding: seconds / encoding * 1000, decoding: seconds / decoding * 1000, memoryByteCount });
            }
        }
        return results;
    })()`);
    const best = (index) => Math.min(...results.starts.map((start) => start[index])).toFixed(1);
    console.log(`loading ${best(0)} ms, then to the first unit ${best(1)} ms; ${results.seconds.toFixed(1)} s of audio`);
    for (const { profile, effort, first, encoding, decoding, memoryByteCount } of results.rows) {
        const memory = (memoryByteCount / 1048576).toFixed(1);
        console.log(`${profile} ${effort}: encodes ${encoding.toFixed(0)} x, the first time ${first.toFixed(0)} x; decodes ${decoding.toFixed(0)} x; ${memory} MiB`);
    }
} finally {
    await browser.close();
    server.close();
    rmSync(folder, { recursive: true, force: true });
}
