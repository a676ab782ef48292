// SPDX-License-Identifier: Apache-2.0

// Opens the user's files.

import { decodeByBrowser, readWAV } from './signals.js';

/** Opens a file: WAV in JavaScript, AAC with Linnet, others with the browser. */
export async function openAudio(file, codec) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const found = readWAV(bytes) ?? (await codec.call('open', { bytes }));
    const decoded = found ?? (await decodeByBrowser(bytes).catch(() => {
        throw new Error('neither Linnet nor the browser can decode the file');
    }));
    if (decoded.channels[0].length === 0) throw new Error('the file has no audio');
    return decoded;
}

/** Reports files dropped anywhere on the page, and highlights an element while files are dragged. */
export function watchDrops(element, ondrop) {
    for (const name of ['dragenter', 'dragover']) {
        document.addEventListener(name, (event) => {
            event.preventDefault();
            element.classList.add('over');
        });
    }
    document.addEventListener('dragleave', (event) => event.relatedTarget ?? element.classList.remove('over'));
    document.addEventListener('drop', (event) => {
        event.preventDefault();
        element.classList.remove('over');
        if (event.dataTransfer.files.length > 0) ondrop([...event.dataTransfer.files]);
    });
}
