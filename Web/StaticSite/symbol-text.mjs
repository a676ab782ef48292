// SPDX-License-Identifier: Apache-2.0

// Converts docc's text, declarations and tables to HTML.

import { anchorOf, codeBlock, escapeText, framedTable } from './html.mjs';
import { addressFrom } from './layout.mjs';

/** Whether a heading is a default heading of docc. */
const saysNothing = ({ text }) => /^(Overview|Discussion|Return Value)$/.test(text);

/** Converts docc content to HTML for a page. */
export class SymbolText {
    #symbols;
    #page;

    constructor(symbols, page) {
        this.#symbols = symbols;
        this.#page = page;
    }

    /** Returns a link to a symbol, or only its name if it is not in this package. */
    link(id, references, { text, isCode = true } = {}) {
        const entry = this.#symbols.get(id);
        const title = text ?? entry?.title ?? references?.[id]?.title ?? id.split('/').at(-1);
        const shown = isCode && entry?.kind !== 'article' ? `<code>${escapeText(title)}</code>` : escapeText(title);
        return entry ? `<a href="${addressFrom(this.#page, entry.target)}">${shown}</a>` : shown;
    }

    /** Returns inline text. */
    inline(parts, references) {
        return (parts ?? []).map((part) => {
            switch (part.type) {
                case 'text': return escapeText(part.text);
                case 'codeVoice': return `<code>${escapeText(part.code)}</code>`;
                case 'emphasis': return `<em>${this.inline(part.inlineContent, references)}</em>`;
                case 'strong': return `<strong>${this.inline(part.inlineContent, references)}</strong>`;
                case 'reference': return this.#reference(part, references);
                default: throw new Error(`unknown inline content: ${part.type}`);
            }
        }).join('');
    }

    #reference(part, references) {
        const reference = references?.[part.identifier];
        if (reference?.type === 'link') return `<a href="${escapeText(reference.url)}">${escapeText(reference.title)}</a>`;
        return this.link(part.identifier, references, { text: part.overridingTitle });
    }

    /** Returns block content, with headings starting at a level. */
    blocks(content, references, level = 2, used = new Set()) {
        const headings = (content ?? []).filter((block) => block.type === 'heading' && !saysNothing(block));
        // "Overview" is omitted, so that there may be only third-level headings.
        const top = Math.min(...headings.map((heading) => heading.level));
        return (content ?? []).map((block) => {
            switch (block.type) {
                case 'paragraph': return `<p>${this.inline(block.inlineContent, references)}</p>`;
                case 'codeListing': return codeBlock(block.code.join('\n'), block.syntax ?? 'swift');
                case 'heading': return saysNothing(block) ? '' : this.#heading(block, level - top, used);
                case 'unorderedList': case 'orderedList': return this.#list(block, references, level);
                case 'aside': return `<p class="aside"><strong>${escapeText(block.name)}:</strong> ${this.#unwrapped(block.content, references, level)}</p>`;
                case 'table': return this.#table(block, references);
                default: throw new Error(`unknown block content: ${block.type}`);
            }
        }).filter((html) => html !== '').join('\n');
    }

    #heading({ text, level }, shift, used) {
        const depth = Math.min(6, level + shift);
        return `<h${depth} id="${anchorOf(text, used)}">${escapeText(text)}</h${depth}>`;
    }

    #list({ type, items }, references, level) {
        const name = type === 'orderedList' ? 'ol' : 'ul';
        return `<${name}>\n${items.map((item) => `<li>${this.#unwrapped(item.content, references, level)}</li>`).join('\n')}\n</${name}>`;
    }

    /** Returns blocks, without the element around a single paragraph. */
    #unwrapped(content, references, level) {
        const [first, ...others] = content ?? [];
        if (others.length === 0 && first?.type === 'paragraph') return this.inline(first.inlineContent, references);
        return this.blocks(content, references, level).replace(/<\/?p>/g, ' ');
    }

    #table({ rows }, references) {
        const cell = (content, name, scope) => `<${name}${scope}>${this.#unwrapped(content, references, 2)}</${name}>`;
        const row = (cells, name, scope = '') => `<tr>${cells.map((content) => cell(content, name, scope)).join('')}</tr>`;
        const [head, ...body] = rows;
        const lines = body.map((cells) => row(cells, 'td')).join('\n');
        return framedTable(`<table>\n<thead>\n${row(head, 'th', ' scope="col"')}\n</thead>\n<tbody>\n${lines}\n</tbody>\n</table>`, head.length, 'Table');
    }

    /** Returns declarations with links to their types. */
    declarations(sections) {
        return sections.flatMap(({ declarations }) => declarations).map(({ tokens }) => {
            const text = tokens.map((token) => {
                const entry = token.identifier && this.#symbols.get(token.identifier);
                const shown = escapeText(token.text);
                if (entry) return `<a href="${addressFrom(this.#page, entry.target)}">${shown}</a>`;
                return token.kind === 'keyword' || token.kind === 'attribute' ? `<span class="keyword">${shown}</span>` : shown;
            }).join('');
            return `<pre class="declaration" tabindex="0"><code>${text}</code></pre>`;
        }).join('\n');
    }

    /** Returns parameters as a definition list. */
    parameters(sections, references) {
        return sections.map(({ parameters }) => `<dl class="parameters">\n${parameters.map(({ name, content }) =>
            `<dt><code>${escapeText(name)}</code></dt><dd>${this.#unwrapped(content, references, 5)}</dd>`).join('\n')}\n</dl>`).join('\n');
    }
}
