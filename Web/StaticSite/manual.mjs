// SPDX-License-Identifier: Apache-2.0

// Manual pages, which mandoc converts to HTML.

import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { escapeText, textOf } from './html.mjs';

const pageOf = (name) => `manual/${name}.html`;

/** Writes a page for each manual page in the folders. */
export function writeManual(site, ...folders) {
    const files = folders.flatMap((folder) => readdirSync(folder).filter((name) => /\.[1-8]$/.test(name)).sort().map((name) => join(folder, name)));
    // The command precedes its subcommands.
    files.sort((one, other) => Number(basename(other) === 'linnet.1') - Number(basename(one) === 'linnet.1'));
    const names = files.map((file) => basename(file));
    const items = names.map((name) => ({ title: name.replace(/\.(\d)$/, '($1)').replace(/^linnet-/, 'linnet '), target: pageOf(name) }));
    for (const [index, file] of files.entries()) {
        const html = content(execFileSync('mandoc', ['-T', 'html', '-O', 'fragment', file], { encoding: 'utf8' }), names);
        const purpose = textOf(/<p class="Pp">(.*?)<\/p>/s.exec(html)?.[1] ?? '');
        const headings = [...html.matchAll(/<h2 id="([^"]*)">(.*?)<\/h2>/g)].map(([, anchor, title]) => ({ title: textOf(title), anchor }));
        site.page(pageOf(names[index]), {
            section: 'manual', title: items[index].title, description: purpose, headings, neighbours: [{ title: 'Manual', items }], kind: 'document manual',
            content: `<h1>${escapeText(items[index].title)}</h1>\n${html}`,
        });
    }
}

/** Returns mandoc's output with headings one level lower and other pages linked, without page header and footer. */
function content(html, names) {
    return html.replace(/<table class="(?:head|foot)">.*?<\/table>/gs, '')
        .replace(/<a class="permalink" href="[^"]*">(.*?)<\/a>/gs, '$1')
        .replace(/<h([12]) class="S[hs]" id="([^"]*)">(.*?)<\/h\1>/gs, (_, level, id, inner) => {
            const title = textOf(inner);
            return `<h${Number(level) + 1} id="${id}">${escapeText(title[0] + title.slice(1).toLowerCase())}</h${Number(level) + 1}>`;
        })
        .replace(/<pre/g, '<pre tabindex="0"')
        .replace(/<b>([\w-]+)<\/b>\s*\((\d)\)/g, (whole, name, section) =>
            (names.includes(`${name}.${section}`) ? `<a href="${name}.${section}.html">${name}(${section})</a>` : whole));
}
