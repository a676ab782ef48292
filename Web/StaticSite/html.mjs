// SPDX-License-Identifier: Apache-2.0

// Helpers for text in HTML.

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes the special characters of HTML. */
export function escapeText(text) {
    return String(text).replace(/[&<>"]/g, (character) => entities[character]);
}

/** Returns the unescaped text of HTML. */
export function textOf(html) {
    return html.replace(/<[^>]*>/g, '').replace(/&(?:lt|gt|quot|#39);/g, (entity) => ({ '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" })[entity])
        .replaceAll('&amp;', '&').replace(/\s+/g, ' ').trim();
}

/** Returns the anchor of a heading, as GitHub generates it. Repeated headings get a number. */
export function anchorOf(heading, used = new Set()) {
    const name = heading.toLowerCase().replace(/[^\p{L}\p{N}_\- ]/gu, '').replaceAll(' ', '-');
    let anchor = name;
    for (let number = 1; used.has(anchor); number += 1) anchor = `${name}-${number}`;
    used.add(anchor);
    return anchor;
}

/** Returns code as HTML, with highlighted comments. */
export function highlighted(code, language) {
    const comment = ['swift', 'js', 'c', 'go', 'rust', 'csharp'].includes(language) ? /(?<=^|\s)\/\/ .*$/gm : /(?<=^| )# .*$/gm;
    return escapeText(code).replace(comment, (text) => `<span class="comment">${text}</span>`);
}

/** Returns a code block that can be scrolled by keyboard. */
export function codeBlock(code, language) {
    return `<pre tabindex="0"><code>${highlighted(code.replace(/\n+$/, ''), language)}</code></pre>`;
}

/** Returns a table in a frame that scrolls if the table is wider than the page. Wide tables can be scrolled by keyboard. */
export function framedTable(table, columnCount, label) {
    const scrolls = columnCount > 2 ? ` role="region" tabindex="0" aria-label="${escapeText(label)}"` : '';
    return `<div class="table"${scrolls}>${table}</div>`;
}
