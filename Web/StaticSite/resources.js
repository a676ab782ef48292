// SPDX-License-Identifier: Apache-2.0

// In the place of Web/Site/page/resources.js, for pages that are opened as files: worker, worklet and codec are texts of codec.js.

import { Linnet } from '../linnet.js';

const files = globalThis.linnetFiles;
let worker;

/** Returns an address of a script. */
const addressOf = (...texts) => URL.createObjectURL(new Blob(texts, { type: 'text/javascript' }));

/** Starts the worker of the codec. */
export function startWorker() {
    worker ??= addressOf(`globalThis.linnetFiles = { codec: '${files.codec}' };\n`, files.worker);
    return new Worker(worker);
}

/** The address of the recorder's worklet. Chromium takes it from a page that is a file if it is the text itself, but not as a blob. */
export const recorderWorklet = () => `data:text/javascript;charset=utf-8,${encodeURIComponent(files.recorder)}`;

/** Loads the codec, in the worker. */
export async function loadCodec() {
    const bytes = Uint8Array.from(atob(files.codec), (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    return Linnet.load(await new Response(stream).arrayBuffer());
}
