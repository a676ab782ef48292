// SPDX-License-Identifier: Apache-2.0

// Records an oscillator, and a canvas in one file, with Chromium's MediaRecorder.
//
//     node recorder.mjs FOLDER

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Browser, serve } from './browser.mjs';

const [output] = process.argv.slice(2);

/** Runs in the page. Returns a recording in Base64. `pause` and `slice` are in milliseconds, or 0 for none. */
async function record({ type, slice, pause, hasVideo }) {
    const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
    const context = new AudioContext({ sampleRate: 48_000 });
    const oscillator = new OscillatorNode(context, { frequency: 440 });
    const destination = context.createMediaStreamDestination();
    oscillator.connect(destination);
    oscillator.start();
    const stream = destination.stream;
    let timer;
    if (hasVideo) {
        const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 48 });
        const drawing = canvas.getContext('2d');
        let count = 0;
        timer = setInterval(() => {
            drawing.fillStyle = `hsl(${(count += 5)} 80% 50%)`;
            drawing.fillRect(0, 0, 64, 48);
        }, 50);
        stream.addTrack(canvas.captureStream(10).getVideoTracks()[0]);
    }
    const recorder = new MediaRecorder(stream, { mimeType: type, audioBitsPerSecond: 32_000, videoBitsPerSecond: 50_000 });
    const parts = [];
    recorder.ondataavailable = ({ data }) => parts.push(data);
    const stopped = new Promise((resolve) => (recorder.onstop = resolve));
    recorder.start(slice || undefined);
    await wait(1200);
    if (pause) {
        recorder.pause();
        await wait(pause);
        recorder.resume();
        await wait(1200);
    }
    recorder.stop();
    await stopped;
    clearInterval(timer);
    const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

const folder = mkdtempSync(join(tmpdir(), 'linnet-recorder-'));
writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Recorder</title>');
const server = await serve({}, folder);
const browser = new Browser();
try {
    const page = await browser.open(`${server.address}/`);
    const files = [
        ['whole.webm', { type: 'audio/webm;codecs=opus', slice: 0, pause: 0, hasVideo: false }],
        ['pieces-with-pause.webm', { type: 'audio/webm;codecs=opus', slice: 250, pause: 700, hasVideo: false }],
        ['video.webm', { type: 'video/webm;codecs=vp8,opus', slice: 400, pause: 0, hasVideo: true }],
    ];
    for (const [name, options] of files) {
        const text = await page.evaluate(`(${record})(${JSON.stringify(options)})`);
        writeFileSync(join(output, name), Buffer.from(text, 'base64'));
    }
} finally {
    await browser.close();
    server.close();
    rmSync(folder, { recursive: true, force: true });
}
