// SPDX-License-Identifier: Apache-2.0

// API pages.

import { anchorOf, escapeText, textOf } from './html.mjs';
import { Symbols } from './symbols.mjs';
import { SymbolText } from './symbol-text.mjs';

/** Writes a page for each module, type and article, and an index of modules. */
export function writeInterface(site, folder) {
    const symbols = new Symbols(folder);
    const modules = symbols.modules.map((module) => ({ title: module.title, target: module.target }));
    for (const entry of symbols.pages) new InterfacePage(symbols, entry).write(site, modules);
    const text = new SymbolText(symbols, 'api/index.html');
    const items = symbols.modules.map((module) =>
        `<dt>${text.link(module.id)}</dt><dd>${text.inline(module.data.abstract, module.data.references)}</dd>`);
    site.page('api/index.html', {
        section: 'interface', title: 'API', description: 'The modules of the package, with all types and functions', neighbours: [{ title: 'Modules', items: modules }],
        content: `<h1>API</h1>
<p>The modules of the package. <code>import Linnet</code> imports all of them; each can also be imported alone.</p>
<dl class="symbols">\n${items.join('\n')}\n</dl>`,
    });
}

/** The page of a module, type or article. */
class InterfacePage {
    #symbols;
    #entry;
    #text;
    #used = new Set(['main']);

    constructor(symbols, entry) {
        this.#symbols = symbols;
        this.#entry = entry;
        this.#text = new SymbolText(symbols, entry.target);
    }

    write(site, modules) {
        const { data, title, kind, target } = this.#entry;
        const headings = [];
        const topics = this.#entry.topics.map((topic) => this.#topic(topic, headings));
        const shown = kind === 'article' || kind === 'module' ? escapeText(title) : `<code>${escapeText(title)}</code>`;
        const parts = [
            `<p class="kind">${this.#place()}</p>`,
            `<h1>${shown}</h1>`,
            data.abstract ? `<p class="lead">${this.#text.inline(data.abstract, data.references)}</p>` : '',
            this.#text.declarations(this.#entry.sections('declarations')),
            ...(data.relationshipsSections ?? []).map((section) => this.#relationship(section)),
            this.#text.parameters(this.#entry.sections('parameters'), data.references),
            ...this.#entry.sections('content').map(({ content }) => this.#text.blocks(content, data.references, 2, this.#used)),
            ...topics,
        ];
        site.page(target, {
            section: 'interface', title: `${title} (${data.metadata.modules?.[0]?.name ?? title})`, headings, neighbours: this.#neighbours(modules),
            kind: 'document interface', description: textOf(this.#text.inline(data.abstract, data.references)) || `${data.metadata.roleHeading} ${title}`,
            content: parts.filter((part) => part !== '').join('\n'),
        });
    }

    /** Returns the kind of symbol and its module. */
    #place() {
        const { metadata } = this.#entry.data;
        const module = this.#module();
        const kind = { Library: 'Module' }[metadata.roleHeading] ?? metadata.roleHeading;
        return module === this.#entry ? kind : `${kind} in ${this.#text.link(module.id, {}, { isCode: false })}`;
    }

    #module() {
        return this.#symbols.modules.find(({ path }) => path === this.#entry.path.split('/')[0]);
    }

    /** Returns links to the modules and to the contents of this page's module. */
    #neighbours(modules) {
        const module = this.#module();
        const items = module.topics.flatMap(({ identifiers }) => identifiers).map((id) => this.#symbols.get(id)).filter((each) => each?.hasPage);
        const own = { title: module.title, items: items.map(({ title, target }) => ({ title, target })) };
        return [...(items.length > 0 ? [own] : []), { title: 'Modules', items: modules }];
    }

    #relationship({ title, identifiers }) {
        const names = identifiers.map((id) => this.#text.link(id, this.#entry.data.references)).sort();
        return `<p class="relation">${title[0]}${title.slice(1).toLowerCase()}: ${names.join(', ')}</p>`;
    }

    /** Returns a topic group: types and articles as a list of links, members as sections. */
    #topic({ title, identifiers }, headings) {
        const anchor = anchorOf(title, this.#used);
        headings.push({ title, anchor });
        const entries = identifiers.map((id) => this.#symbols.get(id)).filter(Boolean);
        return `<h2 id="${anchor}">${escapeText(title)}</h2>\n${this.#members(entries, 3)}`;
    }

    #members(entries, level) {
        const pages = entries.filter((each) => each.hasPage);
        const list = pages.map((each) => `<dt>${this.#text.link(each.id)}</dt><dd>${this.#text.inline(each.data.abstract, each.data.references)}</dd>`);
        const members = entries.filter((each) => !each.hasPage).map((each) => this.#member(each, level));
        return [...(list.length > 0 ? [`<dl class="symbols">\n${list.join('\n')}\n</dl>`] : []), ...members].join('\n');
    }

    #member(entry, level) {
        const { data, title, anchor } = entry;
        // A group of members, such as protocol requirements.
        if (entry.kind === 'collectionGroup') {
            const entries = entry.topics.flatMap(({ identifiers }) => identifiers).map((id) => this.#symbols.get(id)).filter(Boolean);
            return `<h${level} id="${escapeText(anchor)}">${escapeText(title)}</h${level}>\n${this.#members(entries, level + 1)}`;
        }
        const heading = `<h${level} id="${escapeText(anchor)}"><code>${escapeText(title)}</code></h${level}>`;
        return `<section class="member">
${heading}
${[
        this.#text.declarations(entry.sections('declarations')),
        data.abstract ? `<p>${this.#text.inline(data.abstract, data.references)}</p>` : '',
        this.#text.parameters(entry.sections('parameters'), data.references),
        ...entry.sections('content').map(({ content }) => this.#text.blocks(content, data.references, level + 1, this.#used)),
    ].filter((part) => part !== '').join('\n')}
</section>`;
    }
}
