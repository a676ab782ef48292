// SPDX-License-Identifier: Apache-2.0

// Searches the index of titles and headings (see search.mjs). The address keeps the query after "#", so that results can be linked.

const limit = 60;
const parts = { documentation: 'Documentation', interface: 'API', manual: 'Manual' };
const [query, count, results] = ['query', 'count', 'results'].map((id) => document.getElementById(id));

/** All targets: { target, text, context, part, lowered }, where `context` is the title of a heading's page. */
const entries = globalThis.linnetIndex.flatMap(([path, title, section, headings]) => {
    const part = parts[section] ?? 'Linnet';
    const entry = (target, text, context) => ({ target, text, context, part, lowered: `${text} ${context}`.toLowerCase() });
    const inner = [];
    for (let index = 0; index < headings.length; index += 2) {
        inner.push(entry(`${encodeURI(path)}#${encodeURIComponent(headings[index])}`, headings[index + 1], title));
    }
    return [entry(encodeURI(path), title, ''), ...inner];
});

/** Returns the rank of an entry for the words; lower is better, `null` without a match. Each word must match the text or the page title. */
function rank({ text, context, part, lowered }, words) {
    if (!words.every((word) => lowered.includes(word))) return null;
    const own = text.toLowerCase();
    const whole = words.join(' ');
    let rank = own === whole ? 0 : own.startsWith(whole) ? 2 : words.every((word) => own.includes(word)) ? 4 : 8;
    if (!words.every((word) => lowered.split(/[^\p{L}\p{N}]+/u).some((each) => each.startsWith(word)))) rank += 3;
    return rank + (context ? 1 : 0) + (part === 'API' ? 0.5 : 0);
}

function show() {
    const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = words.length === 0 ? [] : entries.map((entry) => ({ entry, rank: rank(entry, words) })).filter((each) => each.rank !== null);
    found.sort((one, other) => one.rank - other.rank || one.entry.text.length - other.entry.text.length);
    const shown = found.slice(0, limit);
    const more = found.length > limit ? `, the first ${limit} shown` : '';
    count.textContent = words.length === 0 ? '' : `${found.length} ${found.length === 1 ? 'result' : 'results'}${more}`;
    results.replaceChildren(...shown.map(({ entry }) => {
        const [item, link, place] = ['li', 'a', 'span'].map((name) => document.createElement(name));
        link.href = entry.target;
        link.textContent = entry.text;
        place.className = 'place';
        place.textContent = entry.context ? `${entry.part} · ${entry.context}` : entry.part;
        item.append(link, ' ', place);
        return item;
    }));
}

/** Reads the query from the address. */
function restore() {
    query.value = decodeURIComponent(location.hash.slice(1));
    show();
}

query.addEventListener('input', () => {
    history.replaceState(null, '', `#${encodeURIComponent(query.value)}`);
    show();
});
query.form.addEventListener('submit', (event) => {
    event.preventDefault();
    results.querySelector('a')?.focus();
});
addEventListener('hashchange', restore);
restore();
