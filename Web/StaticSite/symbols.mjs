// SPDX-License-Identifier: Apache-2.0

// What docc knows of all modules, and where each symbol is in the site: a page for each module, type and article, a section for each member.

import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const kindsWithPage = new Set(['module', 'struct', 'enum', 'class', 'protocol', 'typealias', 'extension', 'macro']);

/** All symbols and articles, by their identifier. */
export class Symbols {
    #all = new Map();

    /** Reads them from the folder that Scripts/document has made. */
    constructor(folder) {
        for (const file of filesBelow(join(folder, 'data/documentation')).sort()) {
            const data = JSON.parse(readFileSync(join(folder, 'data/documentation', file), 'utf8'));
            this.#all.set(data.identifier.url, new Entry(data, file.replace(/\.json$/, '')));
        }
        for (const entry of this.#all.values()) {
            if (entry.hasPage) entry.target = `api/${entry.path}${entry.kind === 'module' ? '/index' : ''}.html`;
        }
        // What has no page is a section on the page of what it belongs to.
        for (const entry of this.#all.values()) {
            if (entry.hasPage) continue;
            const parent = this.#owner(entry.path);
            if (!parent) throw new Error(`${entry.id} belongs to nothing that has a page`);
            entry.anchor = entry.path.slice(parent.path.length + 1);
            entry.target = `${parent.target}#${entry.anchor}`;
        }
    }

    /** The entry that has a page, of those above a path. */
    #owner(path) {
        const byPath = (this.byPath ??= new Map([...this.#all.values()].map((entry) => [entry.path, entry])));
        for (let above = posix.dirname(path); above !== '.'; above = posix.dirname(above)) {
            if (byPath.get(above)?.hasPage) return byPath.get(above);
        }
        return null;
    }

    /** The entry of an identifier; undefined for what belongs to other libraries. */
    get(id) {
        return this.#all.get(id);
    }

    get pages() {
        return [...this.#all.values()].filter((entry) => entry.hasPage);
    }

    get modules() {
        return this.pages.filter((entry) => entry.kind === 'module').sort((one, other) => (one.title < other.title ? -1 : 1));
    }
}

/** A symbol or an article. */
class Entry {
    constructor(data, path) {
        this.data = data;
        this.path = path;
        this.id = data.identifier.url;
        this.title = data.metadata.title;
        this.kind = data.metadata.symbolKind ?? data.metadata.role;
        this.hasPage = kindsWithPage.has(this.kind) || this.kind === 'article';
    }

    /** The parts of a kind of what is said about it. */
    sections(kind) {
        return (this.data.primaryContentSections ?? []).filter((section) => section.kind === kind);
    }

    /** The groups of what belongs to it: title, anchor, identifiers. */
    get topics() {
        return [...(this.data.topicSections ?? []), ...(this.data.defaultImplementationsSections ?? [])];
    }
}

function filesBelow(folder, prefix = '') {
    return readdirSync(join(folder, prefix), { withFileTypes: true }).flatMap((entry) => {
        const path = posix.join(prefix, entry.name);
        return entry.isDirectory() ? filesBelow(folder, path) : [path];
    });
}
