// SPDX-License-Identifier: Apache-2.0

// The first page: README.md, with pictures of the measured tables in the place of some of them.

import { barChart, lineChart } from './charts.mjs';
import { codeBlock, escapeText, textOf } from './html.mjs';
import { addressFrom } from './layout.mjs';
import { readDocument } from './markdown.mjs';
import { MeasuredTable } from './tables.mjs';

const quality = 'Documentation/Guides/Quality.md';

/** Writes the first page. */
export function writeFrontPage(site, links) {
    const { html } = readDocument('README.md', links);
    const found = html.matchAll(/<h2 id="([^"]*)">(.*?)<\/h2>(.*?)(?=<h2|$)/gs);
    const sections = new Map([...found].map(([, anchor, title, body]) => [textOf(title), { anchor, title, body }]));
    const section = (title) => {
        if (!sections.has(title)) throw new Error(`README.md has no section "${title}"`);
        return sections.get(title);
    };
    const whole = (title) => `<section>\n<h2 id="${section(title).anchor}">${section(title).title}</h2>\n${section(title).body}</section>`;
    const introduction = /<p>(.*?)<\/p>/s.exec(html)[1];
    site.page('index.html', {
        title: 'Linnet', description: textOf(introduction).slice(0, 300), kind: 'front',
        content: [
            hero(introduction), figures(section('How good, how fast'), links), whole('What it reads and writes'),
            `<div class="halves">\n${whole('Use it as a package')}\n${whole('C, Python, browsers, AVFAudio')}\n</div>`, destinations(), whole('Licence'),
        ].join('\n'),
    });
}

/** What it is, and three commands to start. */
function hero(introduction) {
    const commands = `apt-get install ./linnet_*.deb         # Debian 12
linnet encode song.flac -o song.m4a    # AAC-LC, tags, cover
linnet report song.m4a                 # a page about it`;
    return `<div class="hero">
<div>
<h1>Linnet</h1>
<p class="lead">${introduction}</p>
<p class="actions"><a class="action main-action" href="encoder.html">Encode in the browser</a>
<a class="action" href="documentation.html">Documentation</a></p>
</div>
<section class="start" aria-labelledby="start">
<h2 id="start">Three commands</h2>
${codeBlock(commands, 'sh')}
<p>Other systems, and building from source: <a href="packaging.html">packages</a>. What else the command does: <a href="guides/command.html">the
command</a>.</p>
</section>
</div>`;
}

/** The pictures, with what README.md says about them. */
function figures({ anchor, title, body }, links) {
    const [good, fast] = [...body.matchAll(/<p>(.*?)<\/p>/gs)].map(([, text]) => text.replace(/:\s*$/, '.'));
    return `<section>
<h2 id="${anchor}">${title}</h2>
<div class="figures">
${distanceFigure(good)}
${speechFigure(links)}
${speedFigure(fast)}
</div>
</section>`;
}

/** A picture with its caption, and its numbers as a table. */
function figure(heading, svg, caption, { head, rows }) {
    const cells = ([first, ...others]) => `<th scope="row">${escapeText(first)}</th>${others.map((cell) => `<td>${escapeText(cell)}</td>`).join('')}`;
    return `<figure>
<h3>${escapeText(heading)}</h3>
${svg}
<figcaption>${caption}</figcaption>
<details><summary>The numbers<span class="hidden"> of ${escapeText(heading)}</span></summary>
<table>
<thead><tr>${head.map((cell) => `<th scope="col">${escapeText(cell)}</th>`).join('')}</tr></thead>
<tbody>
${rows.map((row) => `<tr>${cells(row)}</tr>`).join('\n')}
</tbody>
</table>
</details>
</figure>`;
}

/** The columns of a measured table for programs, by bit rate. */
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
        id: 'distance', title: 'Distance to the source by bit rate', places, series, range: [4, 500], marks: [5, 10, 20, 50, 100, 200, 500], isLogarithmic: true,
        placeLabel: 'kbit/s', valueLabel: 'Zimtohrli × 100 000; lower is nearer to the source',
        description: `Mean distance of AAC-LC to the source, for 98 signals. ${inWords(places, series)}`,
    });
    return figure('98 signals, AAC-LC', svg, caption, numbers);
}

function speechFigure(links) {
    const table = new MeasuredTable(quality, 'Speech', 'kbit/s', 'linnet');
    const { places, series, numbers } = byRate(table, ['linnet', 'fdk-aac', 'FFmpeg', 'faac']);
    const svg = lineChart({
        id: 'speech', title: 'Noise to mask of speech by bit rate', places, series, range: [-11, 7], marks: [-9, -6, -3, 0, 3, 6], isLogarithmic: false,
        placeLabel: 'kbit/s', valueLabel: 'Noise to mask in dB; below 0 it is masked',
        description: `Mean ratio of noise to mask of AAC-LC, for fifteen clips of speech. ${inWords(places, series)}`,
    });
    const address = addressFrom('index.html', links.resolve('README.md', `${quality}#speech`));
    return figure('Speech, AAC-LC', svg, `Fifteen clips, mono, at equal payload rates, after commit ${table.commit}
(<a href="${address}">Quality</a>, with HE-AAC, ten clips held back, and where others are better).`, numbers);
}

function speedFigure(caption) {
    const table = new MeasuredTable('README.md', 'How good, how fast', '', 'processor time');
    const [encoding, fast, decoding] = ['encoding AAC-LC at 128 kb/s', 'the same with `--effort fast`', 'decoding AAC-LC'];
    const bar = (name, label, row, column) => ({ name, label, value: table.number(row, column) });
    const groups = [
        { title: 'Encoding AAC-LC at 128 kb/s', bars: [
            bar('linnet', 'linnet', encoding, 'processor time'), bar('linnet', 'linnet, effort fast', fast, 'processor time'),
            bar('fdk-aac', 'fdk-aac', encoding, 'beside'),
        ] },
        { title: 'Decoding AAC-LC', bars: [bar('linnet', 'linnet', decoding, 'processor time'), bar('FFmpeg', 'FFmpeg', decoding, 'beside')] },
    ];
    const rows = groups.flatMap(({ title, bars }) => bars.map(({ label, value }) => [`${title}, ${label}`, String(value)]));
    const svg = barChart({
        id: 'speed', title: 'Processor time for ten minutes of stereo', groups, unit: 's',
        description: `Shorter bars are faster. ${rows.map(([name, value]) => `${name}: ${value} s.`).join(' ')}`,
    });
    return figure('Seconds for ten minutes of stereo', svg, caption, { head: ['', 'seconds'], rows });
}

/** Returns the numbers of series as text. */
function inWords(places, series) {
    return series.map(({ name, values }) => `${name}: ${places.map((place, index) => `${values[index]} at ${place} kbit/s`).join(', ')}.`).join(' ');
}

/** What else is in the site. */
function destinations() {
    const items = [
        ['documentation.html', 'Documentation', 'Guides to the command and the library, how the codec works, and the measurements behind its decisions.'],
        ['api/index.html', 'API', 'All modules, types and functions of the Swift package.'],
        ['manual/linnet.1.html', 'Manual', 'Manual pages of the command, of each subcommand, and of the C library.'],
        ['encoder.html', 'Encoder', 'Encode, compare and save AAC in the browser. Nothing is uploaded.'],
        ['listening.html', 'Listening test', 'A blind test of two settings with your own audio and ears.'],
        ['examples.html', 'Examples', 'Five packages to start from.'],
    ];
    return `<section>
<h2 id="parts">In this site</h2>
<ul class="cards">
${items.map(([target, title, text]) => `<li><h3><a href="${target}">${title}</a></h3><p>${text}</p></li>`).join('\n')}
</ul>
</section>`;
}
