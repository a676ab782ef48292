// SPDX-License-Identifier: Apache-2.0

// Text in HTML.

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Returns a text with what has a meaning in HTML escaped. */
export function escapeText(text) {
    return String(text).replace(/[&<>"]/g, (character) => entities[character]);
}

/** Returns the text of a piece of HTML, not escaped. */
export function textOf(html) {
    return html.replace(/<[^>]*>/g, '').replace(/&(?:lt|gt|quot|#39);/g, (entity) => ({ '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" })[entity])
        .replaceAll('&amp;', '&').replace(/\s+/g, ' ').trim();
}

/** Returns the name by which a link refers to a heading, as GitHub makes it; a second heading of the same text gets a number. */
export function anchorOf(heading, used = new Set()) {
    const name = heading.toLowerCase().replace(/[^\p{L}\p{N}_\- ]/gu, '').replaceAll(' ', '-');
    let anchor = name;
    for (let number = 1; used.has(anchor); number += 1) anchor = `${name}-${number}`;
    used.add(anchor);
    return anchor;
}

/** Returns code as HTML, with its comments marked. */
export function highlighted(code, language) {
    const comment = ['swift', 'js', 'c', 'go', 'rust', 'csharp'].includes(language) ? /(?<=^|\s)\/\/ .*$/gm : /(?<=^| )# .*$/gm;
    return escapeText(code).replace(comment, (text) => `<span class="comment">${text}</span>`);
}

/** Returns a block of code, which the keyboard can scroll. */
export function codeBlock(code, language) {
    return `<pre tabindex="0"><code>${highlighted(code.replace(/\n+$/, ''), language)}</code></pre>`;
}

/** Returns a table in a frame that scrolls if it is too wide for the page; a wide one can be scrolled by keyboard. */
export function framedTable(table, columnCount, label) {
    const scrolls = columnCount > 2 ? ` role="region" tabindex="0" aria-label="${escapeText(label)}"` : '';
    return `<div class="table"${scrolls}>${table}</div>`;
}
