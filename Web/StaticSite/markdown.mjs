// SPDX-License-Identifier: Apache-2.0

// Markdown pages, which cmark-gfm converts to HTML.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { anchorOf, codeBlock, escapeText, framedTable, textOf } from './html.mjs';
import { addressFrom } from './layout.mjs';
import { pageOf } from './repository.mjs';

/** Returns a Markdown file as { title, summary, html, headings }: first heading, first paragraph, whole text, and section headings. */
export function readDocument(path, links) {
    const page = pageOf(path);
    // Comments are only for the repository's checks.
    const text = readFileSync(path, 'utf8').replace(/^ *<!--.*-->\n/gm, '');
    let html = execFileSync('cmark-gfm', ['--extension', 'table'], { input: text, encoding: 'utf8' });
    const [used, headings] = [new Set(), []];
    let latest = '';
    html = html.replace(/<h([1-6])>(.*?)<\/h\1>/gs, (_, level, inner) => {
        const anchor = anchorOf(textOf(inner), used);
        if (level === '2') headings.push({ title: textOf(inner), anchor });
        return `<h${level} id="${escapeText(anchor)}">${inner}</h${level}>`;
    });
    html = html.replace(/<(?:h\d id="[^"]*">(.*?)<\/h\d|table>.*?<\/table)>/gs, (whole, heading) => {
        if (heading !== undefined) {
            latest = textOf(heading);
            return whole;
        }
        return tableWithHeaders(whole, latest);
    });
    html = html.replace(/<pre><code(?: class="language-(\w+)")?>(.*?)<\/code><\/pre>/gs, (_, language, code) => codeBlock(unescaped(code), language));
    html = html.replace(/<(a href|img src)="([^"]*)"/g, (_, start, address) => {
        const target = links.resolve(path, unescaped(address));
        return `<${start}="${target ? addressFrom(page, target) : address}"`;
    });
    const [title] = /<h1[^>]*>(.*?)<\/h1>/s.exec(html)?.slice(1) ?? [];
    if (!title) throw new Error(`${path} has no heading`);
    return { title: textOf(title), summary: textOf(/<p>(.*?)<\/p>/s.exec(html)?.[1] ?? title), html, headings };
}

/** Unescapes code from cmark. */
function unescaped(code) {
    return code.replace(/&(lt|gt|quot);/g, (_, name) => ({ lt: '<', gt: '>', quot: '"' })[name]).replaceAll('&amp;', '&');
}

/** Returns a cmark table with header scopes and a label. */
function tableWithHeaders(table, heading) {
    const count = (table.match(/<th\b/g) ?? []).length;
    const marked = table.replace(/<th([^>]*)><\/th>/g, '<td$1></td>').replace(/<th\b/g, '<th scope="col"').replace(/ align="(\w+)"/g, ' class="$1"');
    return framedTable(marked, count, `Table: ${heading}`);
}

/** Returns the page groups of Documentation/README.md, by folder, extended by pages that it does not list. */
export function documentGroups(paths, links) {
    const { html } = readDocument('Documentation/README.md', links);
    const groups = new Map();
    for (const [, title, section] of html.matchAll(/<h2[^>]*>(.*?)<\/h2>(.*?)(?=<h2|$)/gs)) {
        const listed = [...section.matchAll(/<a href="([^"#]*)[^"]*">(.*?)<\/a>/g)].map(([, target, name]) => ({ target, title: textOf(name) }));
        const items = listed.filter(({ target }, index) => listed.findIndex((other) => other.target === target) === index)
            .filter(({ target }) => target.startsWith(`${title.toLowerCase()}/`));
        for (const path of paths.filter((each) => each.startsWith(`Documentation/${title}/`))) {
            if (!items.some(({ target }) => target === pageOf(path))) items.push({ target: pageOf(path), title: readDocument(path, links).title });
        }
        groups.set(title, { title, items });
    }
    return groups;
}

export function writeDocuments(site, links, paths) {
    const groups = documentGroups(paths, links);
    for (const path of paths) {
        const { title, summary, html, headings } = readDocument(path, links);
        const group = groups.get(/^Documentation\/(\w+)\//.exec(path)?.[1]);
        const neighbours = group ? [group] : path === 'Documentation/README.md' ? [] : undefined;
        site.page(pageOf(path), { section: 'documentation', title, description: summary.slice(0, 300), content: html, neighbours, headings });
    }
}
