// SPDX-License-Identifier: Apache-2.0

// docc's symbols of all modules, and their location on the site: a page for each module, type and article, a section for each member.

import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const kindsWithPage = new Set(['module', 'struct', 'enum', 'class', 'protocol', 'typealias', 'extension', 'macro']);

/** All symbols and articles, by identifier. */
export class Symbols {
    #all = new Map();

    /** Reads the symbols from the output of Scripts/document. */
    constructor(folder) {
        for (const file of filesBelow(join(folder, 'data/documentation')).sort()) {
            const data = JSON.parse(readFileSync(join(folder, 'data/documentation', file), 'utf8'));
            this.#all.set(data.identifier.url, new Entry(data, file.replace(/\.json$/, '')));
        }
        for (const entry of this.#all.values()) {
            if (entry.hasPage) entry.target = `api/${entry.path}${entry.kind === 'module' ? '/index' : ''}.html`;
        }
        // A symbol without a page is a section on the page of its parent.
        for (const entry of this.#all.values()) {
            if (entry.hasPage) continue;
            const parent = this.#owner(entry.path);
            if (!parent) throw new Error(`${entry.id} has no parent with a page`);
            entry.anchor = entry.path.slice(parent.path.length + 1);
            entry.target = `${parent.target}#${entry.anchor}`;
        }
    }

    /** Returns the closest entry above a path that has a page. */
    #owner(path) {
        const byPath = (this.byPath ??= new Map([...this.#all.values()].map((entry) => [entry.path, entry])));
        for (let above = posix.dirname(path); above !== '.'; above = posix.dirname(above)) {
            if (byPath.get(above)?.hasPage) return byPath.get(above);
        }
        return null;
    }

    /** Returns the entry of an identifier; undefined for symbols of other libraries. */
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

class Entry {
    constructor(data, path) {
        this.data = data;
        this.path = path;
        this.id = data.identifier.url;
        this.title = data.metadata.title;
        this.kind = data.metadata.symbolKind ?? data.metadata.role;
        this.hasPage = kindsWithPage.has(this.kind) || this.kind === 'article';
    }

    /** Returns the primary content sections of a kind. */
    sections(kind) {
        return (this.data.primaryContentSections ?? []).filter((section) => section.kind === kind);
    }

    /** The topic groups: title, anchor, identifiers. */
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
