// SPDX-License-Identifier: Apache-2.0

// The pages with the codec, so that they also work when they are opened as files: a browser then loads neither modules nor data.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bar } from './layout.mjs';

/** Pages of Web/Site: their file there, their name in the site, and their script. */
const pages = [['index.html', 'encoder', 'page/page.js'], ['listening.html', 'listening', 'listening/page.js']];
const styles = ['page/page.css', 'page/colors.css', 'page/icon.svg', 'listening/listening.css'];
/** What they may load: their own files, a worker and a worklet that are made of text. */
const policy = "default-src 'none'; script-src 'self' file: blob: data: 'wasm-unsafe-eval'; worker-src blob:; style-src 'self' file:; "
    + "img-src 'self' file:; base-uri 'none'; form-action 'none'";

/** Writes them, from the folder that Scripts/Package/webassembly has made. */
export function writeCodecPages(site, folder) {
    const work = mkdtempSync(join(tmpdir(), 'linnet-site-'));
    try {
        cpSync(folder, work, { recursive: true });
        cpSync(new URL('resources.js', import.meta.url), join(work, 'page/resources.js'));
        // The address of linnet.wasm is never asked for, nor the file system of Node.
        const bundle = (path) => execFileSync('esbuild', [
            join(work, path), '--bundle', '--minify', '--format=iife', '--target=es2022', '--charset=utf8', '--external:node:*', '--log-level=error',
            '--log-override:empty-import-meta=silent',
        ], { encoding: 'utf8' });
        const files = {
            // Not by Node, whose versions have compressors of their own and so give other bytes.
            codec: execFileSync('gzip', ['-9nc', join(folder, 'linnet.wasm')]).toString('base64'),
            worker: bundle('page/worker.js'),
            recorder: bundle('page/recorder-worklet.js'),
        };
        site.write('codec.js', `globalThis.linnetFiles = ${JSON.stringify(files)};\n`);
        for (const [file, name, script] of pages) {
            site.write(`${name}.js`, bundle(script));
            site.write(`${name}.html`, framed(readFileSync(join(folder, file), 'utf8'), name, script));
        }
        for (const path of styles) site.write(path, readFileSync(join(folder, path)));
        site.write('bar.css', readFileSync(new URL('bar.css', import.meta.url)));
    } finally {
        rmSync(work, { recursive: true });
    }
}

/** Returns a page with the bar of the site, and with classic scripts. */
function framed(html, name, script) {
    const changes = [
        [/(http-equiv="Content-Security-Policy" content=")[^"]*"/, `$1${policy}"`],
        [
            `<script type="module" src="${script}"></script>`,
            `<link rel="stylesheet" href="bar.css">\n<script defer src="codec.js"></script>\n<script defer src="${name}.js"></script>`,
        ],
        ['<body>', `<body>\n${bar(`${name}.html`, name)}`],
        // The bar has the icon and the name.
        [/<h1><img[^>]*> (.*?)<\/h1>/, (_, title) => `<h1>${title === 'Linnet' ? 'Encoder' : title}</h1>`],
        ['<main>', '<main id="main" tabindex="-1">'],
    ];
    return changes.reduce((text, [old, replacement]) => {
        const changed = text.replace(old, replacement);
        if (changed === text) throw new Error(`the page ${name} has no ${old}`);
        return changed;
    }, html);
}
