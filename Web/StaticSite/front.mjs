// SPDX-License-Identifier: Apache-2.0

// The first page: README.md, with charts instead of its measured tables.

import { barChart, lineChart } from './charts.mjs';
import { escapeText, textOf } from './html.mjs';
import { addressFrom } from './layout.mjs';
import { readDocument } from './markdown.mjs';
import { MeasuredTable } from './tables.mjs';

const quality = 'Documentation/Guides/Quality.md';

/** Writes the first page. Throws if README.md lacks one of the sections. */
export function writeFrontPage(site, links) {
    const { html } = readDocument('README.md', links);
    const found = html.matchAll(/<h2 id="([^"]*)">(.*?)<\/h2>(.*?)(?=<h2|$)/gs);
    const sections = new Map([...found].map(([, anchor, title, body]) => [textOf(title), { anchor, title, body }]));
    const section = (title) => {
        if (!sections.has(title)) throw new Error(`README.md has no section "${title}"`);
        return sections.get(title);
    };
    const whole = (title, change = (body) => body) =>
        `<section>\n<h2 id="${section(title).anchor}">${section(title).title}</h2>\n${change(section(title).body)}</section>`;
    const introduction = /<p>(.*?)<\/p>/s.exec(html)[1];
    site.page('index.html', {
        title: 'Linnet', description: textOf(introduction).slice(0, 300), kind: 'front',
        content: [
            hero(introduction, section('Command')), halves(example(html), whole('Library'), whole('Install')),
            halves(whole('Formats', rowPerFormat), destinations(), whole('When not to use Linnet'), whole('More')),
            figures(section('Quality'), section('Speed'), links),
        ].join('\n'),
    });
}

/** Two columns on wide screens. */
const halves = (left, ...right) => `<div class="halves">\n<div>\n${left}\n</div>\n<div>\n${right.join('\n')}\n</div>\n</div>`;

/** The introduction and the first commands. */
function hero(introduction, command) {
    return `<div class="hero">
<div>
<h1>Linnet</h1>
<p class="lead">${introduction}</p>
<p class="actions"><a class="action main-action" href="encoder.html">Encode in the browser</a>
<a class="action" href="documentation.html">Documentation</a></p>
</div>
<section class="start" aria-labelledby="${command.anchor}">
<h2 id="${command.anchor}">${command.title}</h2>
${command.body}
</section>
</div>`;
}

/** The picture of README.md, which shows what the command finds in an encoded file. */
function example(html) {
    const found = /<p>(<img [^>]*alt="([^"]*)"[^>]*>)<\/p>/.exec(html);
    if (!found) throw new Error('README.md has no picture');
    const [, picture, text] = found;
    return `<figure class="example">\n${picture}\n<figcaption>${text}: <code>linnet report song.m4a</code></figcaption>\n</figure>`;
}

/** Returns a section with one table row per format; README.md groups formats that have the same cells. */
function rowPerFormat(html) {
    const listed = (text) => text.split(/[,;] /).map((name) => name.trim());
    // "A (v2: B)" means B for formats whose names end in "v2", and A for the others.
    const own = (cells, name) => cells.replace(/([^<>]*) \((\w+): ([^<>]*)\)/g, (_, common, key, other) => (name.endsWith(` ${key}`) ? other : common));
    const shown = new Set();
    return html.replace(/<tr>\s*<td>(.*?)<\/td>(.*?)<\/tr>/gs, (_, names, cells) => {
        const parts = [...names.matchAll(/<a href="([^"]*)">(.*?)<\/a>|([^<]+)/g)];
        const rows = parts.flatMap(([, address, linked, text]) =>
            listed(linked ?? text.replace(/^[,;] |[,;] $/g, '')).filter(Boolean).map((name) => (address ? `<a href="${address}">${name}</a>` : name)));
        return rows.map((name) => `<tr>\n<th scope="row">${name}</th>${own(cells, name)}</tr>`).filter((row) => !shown.has(row) && shown.add(row)).join('\n');
    });
}

/** Charts of the measured tables, with captions from README.md. */
function figures(good, fast, links) {
    const caption = ({ body }) => /<p>(.*?)<\/p>/s.exec(body)[1].replace(/:\s*$/, '.');
    return `<section>
<h2 id="${good.anchor}">${good.title} and <span id="${fast.anchor}">speed</span></h2>
<div class="figures">
${distanceFigure(caption(good))}
${speechFigure(links)}
${speedFigure(caption(fast))}
</div>
</section>`;
}

/** Returns a chart with its caption, and its numbers as a table. */
function figure(heading, svg, caption, { head, rows }) {
    const cells = ([first, ...others]) => `<th scope="row">${escapeText(first)}</th>${others.map((cell) => `<td>${escapeText(cell)}</td>`).join('')}`;
    return `<figure>
<h3>${escapeText(heading)}</h3>
${svg}
<figcaption>${caption}</figcaption>
<details><summary>Numbers<span class="hidden"> of ${escapeText(heading)}</span></summary>
<table>
<thead><tr>${head.map((cell) => `<th scope="col">${escapeText(cell)}</th>`).join('')}</tr></thead>
<tbody>
${rows.map((row) => `<tr>${cells(row)}</tr>`).join('\n')}
</tbody>
</table>
</details>
</figure>`;
}

/** Returns the columns of a measured table for some programs, by bit rate. */
function byRate(table, programs) {
    const places = table.numbers('kbit/s');
    const series = programs.map((name) => ({ name, values: table.numbers(name) }));
    const rows = places.map((place, index) => [place, ...series.map(({ values }) => values[index])].map((value) => (value === null ? '' : String(value))));
    return { places, series, numbers: { head: ['kbit/s', ...programs], rows } };
}

function distanceFigure(caption) {
    const table = new MeasuredTable(quality, 'A second set', 'kbit/s', 'linnet');
    const { places, series, numbers } = byRate(table, ['linnet', 'fdk-aac', 'FFmpeg']);
    const svg = lineChart({
        id: 'distance-chart', title: 'Distance to the source by bit rate', places, series, range: [4, 500], marks: [5, 10, 20, 50, 100, 200, 500], isLogarithmic: true,
        placeLabel: 'kbit/s', valueLabel: 'Zimtohrli × 100 000; lower is better',
        description: `Mean distance of AAC-LC to the source, for 98 clips. ${inWords(places, series)}`,
    });
    return figure('98 clips, AAC-LC', svg, caption, numbers);
}

function speechFigure(links) {
    const table = new MeasuredTable(quality, 'Speech', 'kbit/s', 'linnet');
    const { places, series, numbers } = byRate(table, ['linnet', 'fdk-aac', 'FFmpeg', 'faac']);
    const svg = lineChart({
        id: 'speech-chart', title: 'Noise-to-mask ratio of speech by bit rate', places, series, range: [-11, 7], marks: [-9, -6, -3, 0, 3, 6], isLogarithmic: false,
        placeLabel: 'kbit/s', valueLabel: 'Noise-to-mask ratio in dB; below 0 it is masked',
        description: `Mean noise-to-mask ratio of AAC-LC, for fifteen clips of speech. ${inWords(places, series)}`,
    });
    const address = addressFrom('index.html', links.resolve('README.md', `${quality}#speech`));
    return figure('Speech, AAC-LC', svg, `Fifteen clips, mono, at equal payload rates, after commit ${table.commit}
(<a href="${address}">Quality</a>: also HE-AAC, held-back clips, and clips where others are better).`, numbers);
}

function speedFigure(caption) {
    const table = new MeasuredTable('README.md', 'Speed', 'task', 'Linnet', 'other');
    const [encoding, decoding] = ['encode AAC-LC, 128 kbit/s', 'decode AAC-LC'];
    const bar = (name, label, row, column, after) => ({ name, label, value: table.number(row, column, after) });
    const groups = [
        { title: 'Encoding AAC-LC at 128 kbit/s', bars: [
            bar('linnet', 'Linnet', encoding, 'Linnet'), bar('linnet', 'Linnet, effort fast', encoding, 'Linnet', '--effort fast'),
            bar('fdk-aac', 'fdk-aac', encoding, 'other', 'fdk-aac'),
        ] },
        { title: 'Decoding AAC-LC', bars: [bar('linnet', 'Linnet', decoding, 'Linnet'), bar('FFmpeg', 'FFmpeg', decoding, 'other', 'FFmpeg')] },
    ];
    const rows = groups.flatMap(({ title, bars }) => bars.map(({ label, value }) => [`${title}, ${label}`, String(value)]));
    const svg = barChart({
        id: 'speed-chart', title: 'CPU time for ten minutes of stereo', groups, unit: 's',
        description: `Shorter bars are faster. ${rows.map(([name, value]) => `${name}: ${value} s.`).join(' ')}`,
    });
    return figure('CPU seconds for ten minutes of stereo', svg, caption, { head: ['', 'seconds'], rows });
}

/** Returns the numbers of the series as text. */
function inWords(places, series) {
    return series.map(({ name, values }) => `${name}: ${places.map((place, index) => `${values[index]} at ${place} kbit/s`).join(', ')}.`).join(' ');
}

/** Cards that link to the parts of the site. */
function destinations() {
    const items = [
        ['documentation.html', 'Documentation', 'Guides to the command and the library, codec internals, and measurements.'],
        ['api/index.html', 'API', 'All modules, types and functions of the Swift package.'],
        ['manual/linnet.1.html', 'Manual', 'Manual pages of the command, of each subcommand, and of the C library.'],
        ['encoder.html', 'Encoder', 'Encode, compare and save AAC in the browser. Nothing is uploaded.'],
        ['listening.html', 'Listening test', 'A blind test of two settings with your own audio.'],
        ['examples.html', 'Examples', 'Five example packages.'],
    ];
    return `<section>
<h2 id="parts">On this site</h2>
<ul class="cards">
${items.map(([target, title, text]) => `<li><h3><a href="${target}">${title}</a></h3><p>${text}</p></li>`).join('\n')}
</ul>
</section>`;
}
