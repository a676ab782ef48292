// SPDX-License-Identifier: Apache-2.0

// Checks the HTML of a site's pages: links, names, order of headings, landmarks, tables.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** All HTML pages of a folder. */
export function pagesOf(folder) {
    return readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.html')).sort();
}

/** Returns the elements of a page as { name, attributes, text }. The text ends at the next tag. */
function elements(html) {
    const found = [];
    for (const [, name, inner, text] of html.matchAll(/<([a-zA-Z][\w-]*)((?:\s+[\w:-]+(?:="[^"]*")?)*)\s*\/?>([^<]*)/g)) {
        const attributes = Object.fromEntries([...inner.matchAll(/([\w:-]+)(?:="([^"]*)")?/g)].map(([, key, value]) => [key, unescaped(value ?? '')]));
        found.push({ name, attributes, text });
    }
    return found;
}

const unescaped = (text) => text.replace(/&(lt|gt|quot);/g, (_, name) => ({ lt: '<', gt: '>', quot: '"' })[name]).replaceAll('&amp;', '&');

/** Returns the violations in a site's pages, as lines, and the numbers of links and pages. */
export function checkPages(folder) {
    const pages = pagesOf(folder).map((path) => ({ path, html: readFileSync(join(folder, path), 'utf8') }));
    const all = new Map(pages.map(({ path, html }) => [path, elements(html)]));
    const anchors = new Map([...all].map(([path, found]) => [path, new Set(found.map(({ attributes }) => attributes.id).filter(Boolean))]));
    const wrong = [];
    let count = 0;
    for (const { path, html } of pages) {
        const found = all.get(path);
        wrong.push(...[...structure(html, found)].map((text) => `${path}: ${text}`));
        for (const { name, attributes } of found) {
            const address = attributes.href ?? attributes.src;
            if (address === undefined) continue;
            if (/^[a-z]+:|^\/\//.test(address)) {
                if (name !== 'a' || !address.startsWith('https://')) wrong.push(`${path}: ${name} refers to ${address}`);
                continue;
            }
            count += 1;
            const [file, anchor] = address.split('#').map(decodeURIComponent);
            const target = file === '' ? path : normalize(join(dirname(path), file));
            if (!existsSync(join(folder, target)) || statSync(join(folder, target)).isDirectory()) wrong.push(`${path}: ${address} is missing`);
            else if (anchor && !anchors.get(target)?.has(anchor)) wrong.push(`${path}: ${target} has no ${anchor}`);
        }
    }
    for (const [path, , , headings] of searchIndex(folder)) {
        if (!all.has(path)) wrong.push(`search index: ${path} is missing`);
        for (const anchor of headings.filter((_, index) => index % 2 === 0)) {
            if (!anchors.get(path)?.has(anchor)) wrong.push(`search index: ${path} has no ${anchor}`);
        }
    }
    return { wrong, count, pageCount: pages.length };
}

/** Returns the entries of the search index. */
function searchIndex(folder) {
    return JSON.parse(readFileSync(join(folder, 'search-index.js'), 'utf8').replace(/^[^[]*|;\s*$/g, ''));
}

/** Returns the violations in the structure of a page. */
function* structure(html, found) {
    const named = (name) => found.filter((element) => element.name === name);
    if (!/^<!doctype html>\n<html lang="en">/.test(html)) yield 'no document type or language';
    if (!/<title>[^<]+<\/title>/.test(html)) yield 'no title';
    if (!found.some(({ name, attributes }) => name === 'meta' && attributes.name === 'viewport')) yield 'no viewport for phones';
    if (named('main').length !== 1) yield `${named('main').length} main elements`;
    if (named('h1').length !== 1) yield `${named('h1').length} first-level headings`;
    const firstLink = named('a')[0];
    if (firstLink?.attributes.href !== '#main') yield 'the first link does not skip the navigation';
    let level = 0;
    for (const { name, text } of found.filter((element) => /^h[1-6]$/.test(element.name))) {
        if (Number(name[1]) > level + 1) yield `${name} after h${level}: ${text}`;
        level = Number(name[1]);
    }
    const ids = found.map(({ attributes }) => attributes.id).filter((id) => id !== undefined);
    for (const id of new Set(ids.filter((each, index) => ids.indexOf(each) !== index))) yield `two elements ${id}`;
    for (const { attributes } of named('img')) if (attributes.alt === undefined) yield `no alternative text for ${attributes.src}`;
    for (const { attributes } of named('nav')) if (!attributes['aria-label']) yield 'navigation without a name';
    for (const { attributes } of named('th')) if (!attributes.scope) yield 'table header without scope';
    for (const [table] of html.matchAll(/<table>.*?<\/table>/gs)) if (!table.includes('<th')) yield 'table without headers';
    for (const { attributes } of named('svg')) {
        if (!(attributes['aria-labelledby'] ?? '').split(' ').every((id) => ids.includes(id))) yield 'picture without a name';
    }
}
