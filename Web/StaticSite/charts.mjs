// SPDX-License-Identifier: Apache-2.0

// Charts of measured tables, as SVG with the page's colors.

import { escapeText } from './html.mjs';

const width = 340;
const number = (value) => Number(value.toFixed(2));

/** The style class of each program. */
const classes = { linnet: 'linnet', 'fdk-aac': 'peer', FFmpeg: 'other', faac: 'third' };

/** Returns the marker of a program. Its shape distinguishes programs without color. */
function mark(name, x, y) {
    const [left, top] = [number(x), number(y)];
    switch (classes[name]) {
        case 'linnet': return `<circle class="mark linnet" cx="${left}" cy="${top}" r="4.5"/>`;
        case 'peer': return `<rect class="mark peer" x="${left - 4}" y="${top - 4}" width="8" height="8"/>`;
        case 'other': return `<path class="mark other" d="M${left} ${top - 5}l5 9h-10z"/>`;
        default: return `<path class="mark third" d="M${left} ${top - 5}l5 5l-5 5l-5 -5z"/>`;
    }
}

/** Returns a chart with its title and text description. */
function picture(id, title, description, height, content) {
    return `<svg class="chart" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}-title ${id}-description">
<title id="${id}-title">${escapeText(title)}</title>
<desc id="${id}-description">${escapeText(description)}</desc>
${content.join('\n')}
</svg>`;
}

/** Returns a linear or logarithmic function from values to coordinates. */
function scale([lowest, highest], [first, last], isLogarithmic) {
    const place = isLogarithmic ? Math.log : (value) => value;
    return (value) => first + ((place(value) - place(lowest)) / (place(highest) - place(lowest))) * (last - first);
}

/**
 * Returns a line chart. `series` are [{ name, values }] over `places` on the x axis; `marks` are the values of grid lines. Value labels are
 * next to the points of the first series, below its falling line.
 */
export function lineChart({ id, title, description, places, series, range, marks, isLogarithmic, placeLabel, valueLabel, decimals = 1 }) {
    const [left, right, top, bottom] = [34, 272, 34, 226];
    const x = scale([places[0], places.at(-1)], [left + 34, right - 8], true);
    const y = scale(range, [bottom, top], isLogarithmic);
    const content = [`<text class="axis" x="0" y="14">${escapeText(valueLabel)}</text>`];
    for (const value of marks) {
        content.push(`<path class="grid" d="M${left} ${number(y(value))}H${right}"/>`);
        content.push(`<text class="axis" x="${left - 6}" y="${number(y(value) + 4)}" text-anchor="end">${String(value).replace('-', '−')}</text>`);
    }
    for (const place of places) content.push(`<text class="axis" x="${number(x(place))}" y="${bottom + 22}" text-anchor="middle">${place}</text>`);
    content.push(`<text class="axis" x="${right + 10}" y="${bottom + 22}">${escapeText(placeLabel)}</text>`);
    const pointsOf = (values) => places.map((place, index) => [place, values[index]]).filter(([, value]) => value !== null);
    const shown = series.map(({ name, values }) => ({ name, points: pointsOf(values) }));
    for (const { name, points } of [...shown].reverse()) {
        const line = points.map(([place, value], index) => `${index ? 'L' : 'M'}${number(x(place))} ${number(y(value))}`).join('');
        content.push(`<path class="line ${classes[name]}" d="${line}"/>`, ...points.map(([place, value]) => mark(name, x(place), y(value))));
    }
    // Names are at the line ends, spaced by at least one line of text.
    let previous = -Infinity;
    for (const { name, points } of [...shown].sort((one, other) => y(one.points.at(-1)[1]) - y(other.points.at(-1)[1]))) {
        const [, value] = points.at(-1);
        const place = Math.max(y(value) + 4, previous + 15);
        previous = place;
        content.push(`<text class="name ${classes[name]}" x="${right + 6}" y="${number(place)}">${escapeText(name)}</text>`);
    }
    for (const [place, value] of shown[0].points) {
        const text = value.toFixed(decimals).replace('-', '−');
        content.push(`<text class="value" x="${number(x(place) - 1)}" y="${number(y(value) + 16)}" text-anchor="end">${text}</text>`);
    }
    return picture(id, title, description, bottom + 30, content);
}

/** Returns a bar chart. `groups` are [{ title, bars: [{ name, label, value }] }]. */
export function barChart({ id, title, description, groups, unit }) {
    const largest = Math.max(...groups.flatMap(({ bars }) => bars.map(({ value }) => value)));
    const x = scale([0, largest], [0, 270], false);
    const content = [];
    let y = 0;
    for (const { title: group, bars } of groups) {
        content.push(`<text class="group" x="0" y="${y + 14}">${escapeText(group)}</text>`);
        y += 24;
        for (const { name, label, value } of bars) {
            content.push(`<text class="axis" x="0" y="${y + 12}">${escapeText(label)}</text>`);
            content.push(`<rect class="bar-of ${classes[name]}" x="0" y="${y + 18}" width="${number(x(value))}" height="13" rx="2"/>`);
            content.push(`<text class="value" x="${number(x(value) + 7)}" y="${y + 29}">${value} ${unit}</text>`);
            y += 40;
        }
        y += 12;
    }
    return picture(id, title, description, y - 10, content);
}
