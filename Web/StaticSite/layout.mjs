// SPDX-License-Identifier: Apache-2.0

// The frame of all pages (navigation, columns, footer) and the search index.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { escapeText, textOf } from './html.mjs';

/** The links of the bar: name, target, title. */
const sections = [
    ['documentation', 'documentation.html', 'Documentation'],
    ['interface', 'api/index.html', 'API'],
    ['manual', 'manual/linnet.1.html', 'Manual'],
    ['encoder', 'encoder.html', 'Encoder'],
    ['listening', 'listening.html', 'Listening test'],
    ['search', 'search.html', 'Search'],
];

/** Returns the address of `target`, a page or file, relative to `page`. */
export function addressFrom(page, target) {
    const [path, anchor] = target.split('#');
    const relative = path === page && anchor ? '' : posix.relative(posix.dirname(page), path);
    return encodeURI(relative) + (anchor ? `#${encodeURIComponent(anchor)}` : '');
}

/** Returns the bar with the sections of the site, preceded by the link that skips it. */
export function bar(page, current) {
    const links = sections.map(([name, target, title]) => {
        const marked = name === current ? ` aria-current="${target === page ? 'page' : 'true'}"` : '';
        return `<li><a href="${addressFrom(page, target)}"${marked}>${title}</a></li>`;
    });
    return `<a class="skip" href="#main">Skip to the content</a>
<nav class="bar" aria-label="Site">
<a class="bar-name" href="${addressFrom(page, 'index.html')}"><img src="${addressFrom(page, 'page/icon.svg')}" alt="" width="28" height="28"> Linnet</a>
<ul>
${links.join('\n')}
</ul>
</nav>`;
}

/** Returns a nested list of links. An item is { title, target, items }. */
function list(page, items) {
    return `<ul>\n${items.map(({ title, target, items: inner }) => {
        const marked = target === page ? ' aria-current="page"' : '';
        return `<li><a href="${addressFrom(page, target)}"${marked}>${escapeText(title)}</a>${inner?.length ? `\n${list(page, inner)}` : ''}</li>`;
    }).join('\n')}\n</ul>`;
}

/** Headings that API pages share and that the search index omits. */
const isGroup = (section, level) => section === 'interface' && level === '2';

/** A site that is written to a folder. */
export class Site {
    /** The entries of the search index: [path, title, section, [anchor, heading, anchor, heading, …]]. */
    #index = [];

    constructor(folder, version) {
        this.folder = folder;
        this.version = version;
    }

    write(path, content) {
        mkdirSync(dirname(join(this.folder, path)), { recursive: true });
        writeFileSync(join(this.folder, path), content);
    }

    /** Writes the search index, as a script that also loads from a file. */
    writeIndex(path) {
        this.write(path, `globalThis.linnetIndex = ${JSON.stringify(this.#index)};\n`);
    }

    /**
     * Writes a page and adds it to the search index.
     *
     * `neighbours` are groups of links to related pages ({ title, items }); `headings` are listed next to the text ([{ title, anchor }]);
     * `scripts` are classic scripts.
     */
    page(path, { section, title, description, content, neighbours, headings = [], scripts = [], kind = 'document' }) {
        const found = [...content.matchAll(/<h([2-4]) id="([^"]*)">(.*?)<\/h\1>/gs)].filter(([, level]) => !isGroup(section, level));
        this.#index.push([path, title, section ?? '', found.flatMap(([, , anchor, text]) => [textOf(anchor), textOf(text)])]);
        const inner = headings.map((heading) => ({ title: heading.title, target: `${path}#${heading.anchor}` }));
        const groups = (neighbours ?? []).map((group) => `<h2>${escapeText(group.title)}</h2>\n${list(path, group.items)}`);
        this.write(path, `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escapeText(description)}">
<title>${escapeText(title === 'Linnet' ? 'Linnet: audio capture and AAC' : `${title} · Linnet`)}</title>
<link rel="icon" href="${addressFrom(path, 'page/icon.svg')}">
<link rel="stylesheet" href="${addressFrom(path, 'site.css')}">
${scripts.map((script) => `<script defer src="${addressFrom(path, script)}"></script>\n`).join('')}</head>
<body class="${kind}">
${bar(path, section)}
<div class="columns">
<main id="main" tabindex="-1">
${content}
</main>
${groups.length > 0 ? `<nav class="neighbours" aria-label="Related pages">\n${groups.join('\n')}\n</nav>\n` : ''}${
    inner.length > 1 ? `<nav class="contents" aria-label="On this page">\n<h2>On this page</h2>\n${list(path, inner)}\n</nav>\n` : ''}</div>
<footer>
<p>Linnet ${this.version}, <a href="${addressFrom(path, 'sources/LICENSE.html')}">Apache License 2.0</a>.
<a href="${addressFrom(path, 'changelog.html')}">Changes</a>, <a href="${addressFrom(path, 'contributing.html')}">contributing</a>,
<a href="${addressFrom(path, 'security.html')}">security</a>, <a href="${addressFrom(path, 'glossary.html')}">glossary</a>.
Pages load nothing from other hosts.</p>
</footer>
</body>
</html>
`);
    }
}
