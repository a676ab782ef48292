// SPDX-License-Identifier: Apache-2.0

// Replaces Web/Site/page/resources.js for pages opened as files: codec.js contains worker, worklet and codec as text.

import { Linnet } from '../linnet.js';

const files = globalThis.linnetFiles;
let worker;

/** Returns a blob URL of a script. */
const addressOf = (...texts) => URL.createObjectURL(new Blob(texts, { type: 'text/javascript' }));

/** Starts the codec worker. */
export function startWorker() {
    worker ??= addressOf(`globalThis.linnetFiles = { codec: '${files.codec}' };\n`, files.worker);
    return new Worker(worker);
}

/** The address of the recorder worklet. For pages opened as files, Chromium accepts a data URL, but not a blob. */
export const recorderWorklet = () => `data:text/javascript;charset=utf-8,${encodeURIComponent(files.recorder)}`;

/** Loads the codec, in the worker. */
export async function loadCodec() {
    const bytes = Uint8Array.from(atob(files.codec), (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    return Linnet.load(await new Response(stream).arrayBuffer());
}
