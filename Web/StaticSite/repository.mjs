// SPDX-License-Identifier: Apache-2.0

// Maps repository files to the site: Markdown pages, pictures, and the source files that pages link to.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { codeBlock, escapeText } from './html.mjs';

/** Returns the page of a Markdown file, such as guides/quality.html. */
export function pageOf(path) {
    if (path === 'README.md') return 'index.html';
    if (path === 'Documentation/Laboratory/README.md') return 'laboratory/index.html';
    return `${path.replace(/^Documentation\/(?!README)/, '').replace(/\/README\.md$/, '').replace(/\.md$/, '').toLowerCase()}.html`;
}

/** Returns the Markdown files that become pages, except README.md. */
export function documents() {
    const pages = (folder) => readdirSync(folder).filter((name) => name.endsWith('.md')).map((name) => posix.join(folder, name));
    const readmes = (folder) => readdirSync(folder).map((name) => posix.join(folder, name, 'README.md')).filter((path) => existsSync(path));
    const found = ['.', 'Web', 'Documentation', ...['Guides', 'Internals', 'Laboratory'].map((name) => `Documentation/${name}`)].flatMap(pages);
    return [...found, ...['.', 'Scripts', 'Packaging'].flatMap(readmes)].filter((path) => path !== 'README.md')
        .filter((path, index, all) => all.indexOf(path) === index).sort();
}

/** Resolves links, and collects the pictures and source files that they need. */
export class Links {
    #documents = new Set(['README.md', ...documents()]);
    pictures = new Set();
    sources = new Set();

    /** Returns the target on the site of a link in a Markdown file; null for other hosts. */
    resolve(from, address) {
        if (/^[a-z]+:/.test(address)) return null;
        const [relative, anchor] = address.split('#');
        let path = relative === '' ? from : posix.join(posix.dirname(from), decodeURI(relative));
        path = path.replace(/\/$/, '');
        if (!existsSync(path)) throw new Error(`${from}: ${address} is missing`);
        const suffix = anchor ? `#${anchor}` : '';
        if (this.#documents.has(`${path}/README.md`)) path = `${path}/README.md`;
        if (this.#documents.has(path)) return pageOf(path) + suffix;
        if (/\.(png|svg)$/.test(path)) {
            this.pictures.add(path);
            return this.pictureOf(path);
        }
        this.sources.add(path);
        return sourceOf(path);
    }

    pictureOf(path) {
        return `images/${posix.basename(path)}`;
    }
}

/** Returns the page that shows a source file or lists a folder. */
function sourceOf(path) {
    return `sources/${path}${statSync(path).isDirectory() ? '/index' : ''}.html`;
}

/** Writes the pages of linked source files, and the license. */
export function writeSources(site, links) {
    for (const path of new Set(['LICENSE', ...links.sources])) {
        const isFolder = statSync(path).isDirectory();
        const body = isFolder
            ? `<ul class="files">\n${filesBelow(path).map((file) => `<li><code>${escapeText(file)}</code></li>`).join('\n')}\n</ul>`
            : codeBlock(readFileSync(path, 'utf8'), /\.(m?js|swift|c|h)$/.test(path) ? 'js' : 'sh');
        site.page(sourceOf(path), {
            title: path, description: isFolder ? `Files of ${path}` : `Text of ${path}`,
            content: `<h1>${escapeText(path)}</h1>\n<p>${isFolder ? 'A folder' : 'A file'} of the repository.</p>\n${body}`,
        });
    }
}

/** Returns all files below a folder. */
function filesBelow(folder, prefix = '') {
    return readdirSync(join(folder, prefix), { withFileTypes: true }).sort((one, other) => (one.name < other.name ? -1 : 1))
        .filter(({ name }) => !name.startsWith('.'))
        .flatMap((entry) => (entry.isDirectory() ? filesBelow(folder, posix.join(prefix, entry.name)) : [posix.join(prefix, entry.name)]));
}
