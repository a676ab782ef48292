// SPDX-License-Identifier: Apache-2.0

// The pages with the codec. They also work when opened as files, where browsers cannot load modules or data.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bar } from './layout.mjs';

/** Pages of Web/Site: file, name on the site, and script. */
const pages = [['index.html', 'encoder', 'page/page.js'], ['listening.html', 'listening', 'listening/page.js']];
const styles = ['page/page.css', 'page/colors.css', 'page/icon.svg', 'listening/listening.css'];
/** The pages' content security policy: their own files, and a worker and a worklet created from text. */
const policy = "default-src 'none'; script-src 'self' file: blob: data: 'wasm-unsafe-eval'; worker-src blob:; style-src 'self' file:; "
    + "img-src 'self' file:; base-uri 'none'; form-action 'none'";

/** Writes the pages from the output of Scripts/Package/webassembly. */
export function writeCodecPages(site, folder) {
    const work = mkdtempSync(join(tmpdir(), 'linnet-site-'));
    try {
        cpSync(folder, work, { recursive: true });
        cpSync(new URL('resources.js', import.meta.url), join(work, 'page/resources.js'));
        // The pages use neither the address of linnet.wasm nor Node's file system.
        const bundle = (path) => execFileSync('esbuild', [
            join(work, path), '--bundle', '--minify', '--format=iife', '--target=es2022', '--charset=utf8', '--external:node:*', '--log-level=error',
            '--log-override:empty-import-meta=silent',
        ], { encoding: 'utf8' });
        const files = {
            // gzip instead of Node, whose versions compress differently.
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

/** Returns a page with the site's bar and classic scripts. */
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
