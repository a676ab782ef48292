// SPDX-License-Identifier: Apache-2.0

// Plays the workers' output with Media Source Extensions, and reports failures to the server.

async function play({ file, codec, seconds }) {
    const type = `audio/mp4; codecs="${codec}"`;
    if (!MediaSource.isTypeSupported(type)) return [`the browser does not play ${type}`];
    const [source, audio] = [new MediaSource(), document.querySelector('audio')];
    audio.src = URL.createObjectURL(source);
    await new Promise((resolve) => source.addEventListener('sourceopen', resolve, { once: true }));
    const buffer = source.addSourceBuffer(type);
    buffer.appendBuffer(file);
    await new Promise((resolve, reject) => {
        buffer.onupdateend = resolve;
        buffer.onerror = () => reject(new Error('the buffer rejects the file'));
    });
    source.endOfStream();
    audio.muted = true;
    await audio.play();
    await new Promise((resolve, reject) => {
        audio.onended = resolve;
        audio.onerror = () => reject(new Error(`playing fails: ${audio.error.message}`));
    });
    const isWhole = Math.abs(audio.duration - seconds) < 0.15 && audio.currentTime > seconds - 0.15;
    return isWhole ? [] : [`${audio.currentTime} of ${audio.duration} s played, of ${seconds}`];
}

async function run() {
    const worker = new Worker('./package-worker.js', { type: 'module' });
    const result = await new Promise((resolve, reject) => {
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = (event) => reject(new Error(`the worker: ${event.message}`));
        worker.postMessage('start');
    });
    return result.file ? [...result.problems, ...(await play(result))] : result.problems;
}

document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => violations.push(`${violatedDirective} ${blockedURI}`));
const violations = [];
const problems = await run().catch((error) => [String(error.stack ?? error)]);
await fetch('/result', { method: 'POST', body: JSON.stringify([...problems, ...violations]) });
