// SPDX-License-Identifier: Apache-2.0

// Tests the page's recorder and player with stand-ins for the browser's audio, whose timing is exact.
//
//     node sound.mjs SITE

import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const page = `${pathToFileURL(resolve(process.argv[2]))}/page`;

/** A browser with a microphone. */
class Microphone {
    processors = [];
    track = { isStopped: false, stop: () => (this.track.isStopped = true) };
    #Processor;
    #port;

    constructor() {
        const microphone = this;
        Object.defineProperty(globalThis, 'navigator', {
            value: { mediaDevices: { getUserMedia: async () => ({ getTracks: () => [this.track] }) } }, configurable: true,
        });
        globalThis.AudioWorkletProcessor = class { port = microphone.#port; };
        globalThis.registerProcessor = (_, Processor) => (this.#Processor = Processor);
        globalThis.AudioContext = class {
            sampleRate = 48_000;
            audioWorklet = { addModule: (url) => import(`${url}?${performance.now()}`) };
            createMediaStreamSource() {
                return { connect: () => {} };
            }
            async resume() {}
            async close() {}
        };
        globalThis.AudioWorkletNode = class {
            constructor() {
                const { port1, port2 } = new MessageChannel();
                [this.port, microphone.#port] = [port1, port2];
                microphone.close = () => [port1, port2].forEach((port) => port.close());
                microphone.processors.push(new microphone.#Processor());
            }
        };
    }
}

async function testRecorderKeepsTheEnd() {
    const microphone = new Microphone();
    const { Recorder } = await import(`${page}/recorder.js`);
    const recorder = new Recorder();
    await recorder.start(() => {});
    // More than two blocks, and a part of one.
    const samples = Float32Array.from({ length: 40 * 128 }, (_, index) => index / 8192);
    for (let first = 0; first < samples.length; first += 128) {
        microphone.processors[0].process([[samples.slice(first, first + 128)]]);
    }
    const { channels } = await recorder.stop();
    microphone.close();
    assert.deepEqual(channels, [samples], 'the recording has all samples');
    assert.ok(microphone.track.isStopped, 'the microphone is released');
}

async function testFailedStartReleasesTheMicrophone() {
    const microphone = new Microphone();
    globalThis.AudioWorkletNode = class {
        constructor() {
            throw new Error('no worklet');
        }
    };
    const { Recorder } = await import(`${page}/recorder.js`);
    await assert.rejects(new Recorder().start(() => {}), /no worklet/);
    assert.ok(microphone.track.isStopped, 'the microphone is released');
}

async function testSeeksWhilePlaybackStarts() {
    const sources = [];
    const gain = { setTargetAtTime: () => {} };
    const node = { connect: (target) => target, disconnect: () => {} };
    globalThis.AudioContext = class {
        currentTime = 9;
        async resume() {}
    };
    globalThis.AudioBuffer = class {
        duration = 60;
        copyToChannel() {}
    };
    globalThis.GainNode = class {
        constructor() {
            Object.assign(this, node, { gain });
        }
    };
    globalThis.AudioBufferSourceNode = class {
        constructor() {
            Object.assign(this, node, { start: (_, offset) => (this.offset = offset), stop: () => (this.isStopped = true) });
            sources.push(this);
        }
    };
    const { Player } = await import(`${page}/player.js`);
    const player = new Player();
    player.load([[new Float32Array(10)], [new Float32Array(10)]], 48_000);
    const started = player.play();
    assert.equal(player.position, 0, 'the position before the first sample');
    await Promise.all([started, player.seek(20), player.seek(30)]);
    const playing = sources.filter((source) => !source.isStopped);
    assert.deepEqual(playing.map((source) => source.offset), [30, 30], 'each signal plays once, from the last position');
}

await testRecorderKeepsTheEnd();
await testFailedStartReleasesTheMicrophone();
await testSeeksWhilePlaybackStarts();
console.log('The recorder keeps its last samples and releases the microphone; the player plays each signal once');
