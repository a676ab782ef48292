// SPDX-License-Identifier: Apache-2.0

// The results of a test as text, tables, CSV and JSON.

import { summarizeABX } from './abx.js';
import { summarizeRatings } from './rating.js';

const element = (id) => document.getElementById(id);
const profileNames = { lc: 'AAC-LC', he: 'HE-AAC', 'he-v2': 'HE-AAC v2' };

/** Describes an encoding. */
export function codingText({ profile, bitRate, effort }) {
    return `${profileNames[profile]}, ${bitRate / 1000} kbit/s, ${effort}`;
}

/** Returns readable names of conditions. */
function conditionTexts([first, second]) {
    return { original: 'Original', first: codingText(first), second: codingText(second), anchor: 'Low anchor' };
}

/** Formats a probability with two digits. */
function probabilityText(value) {
    return value >= 0.01 ? value.toFixed(2) : value >= 0.0001 ? value.toFixed(4) : 'below 0.0001';
}

/** Creates a table with a caption. The first cell of each row is a header. */
function table(caption, heads, rows) {
    const made = document.createElement('table');
    made.createCaption().textContent = caption;
    const fill = (row, texts, kinds) => texts.forEach((text, index) => {
        const cell = document.createElement(kinds(index));
        if (cell.tagName === 'TH') cell.scope = index === 0 && row.parentElement.tagName === 'TBODY' ? 'row' : 'col';
        cell.textContent = text;
        row.append(cell);
    });
    fill(made.createTHead().insertRow(), heads, () => 'th');
    const body = made.createTBody();
    for (const row of rows) fill(body.insertRow(), row, (index) => (index === 0 ? 'th' : 'td'));
    const frame = document.createElement('div');
    frame.className = 'table';
    frame.tabIndex = 0;
    frame.setAttribute('role', 'region');
    frame.setAttribute('aria-label', caption);
    frame.append(made);
    return frame;
}

function showABX(test) {
    const [all, ...clips] = summarizeABX(test.answers);
    const names = conditionTexts(test.codings);
    const pair = test.pair.map((name) => names[name]).join(' and ');
    const heard = all.trials > 0 && all.p < 0.05;
    element('finding').textContent = all.trials === 0 ? 'No answers.'
        : `${all.correct} of ${all.trials} answers are correct. The probability of guessing at least as many is ${probabilityText(all.p)}: ${
            heard ? 'a difference was heard' : 'no audible difference was shown'}.`;
    const rows = [...clips, { ...all, clip: 'All' }].map(({ clip, correct, trials, p }) => [clip, `${correct} of ${trials}`, probabilityText(p)]);
    return [
        table(`A and B: ${pair}`, ['Clip', 'Correct', 'p'], rows),
        table('Trials', ['Trial', 'Clip', 'X was', 'Answer', 'Correct', 'Seconds'], test.answers.map((each) => [
            String(each.trial), each.clip, names[each.x], names[each.answer], each.correct ? 'yes' : 'no', each.seconds.toFixed(1),
        ])),
    ];
}

function showRatings(test) {
    const names = conditionTexts(test.codings);
    const summary = summarizeRatings(test.answers).filter(({ clips }) => clips > 0);
    const missed = test.answers.filter(({ condition, rating }) => condition === 'original' && rating < 90).length;
    const clipCount = summary[0]?.clips ?? 0;
    element('finding').textContent = clipCount === 0 ? 'No ratings.'
        : missed > 0.15 * clipCount
            ? `The hidden original is rated below 90 for ${missed} of ${clipCount} clips. BS.1534-3 excludes listeners with more than 15 % of such ratings.`
            : `The hidden original was identified: it is rated 90 or more for ${clipCount - missed} of ${clipCount} clips.`;
    const clips = [...new Set(test.answers.map(({ clip }) => clip))];
    const rating = (clip, condition) => test.answers.find((each) => each.clip === clip && each.condition === condition)?.rating;
    return [
        table('Mean ratings', ['Condition', 'Mean', '95 %', 'Clips'], summary.map(({ condition, mean, interval, clips: count }) => [
            names[condition], mean.toFixed(1), interval === null ? '–' : `± ${interval.toFixed(1)}`, String(count),
        ])),
        table('Ratings', ['Clip', ...summary.map(({ condition }) => names[condition])], clips.map((clip) => [
            clip, ...summary.map(({ condition }) => String(rating(clip, condition))),
        ])),
    ];
}

/** Shows the results of a test. */
export function showResults(test) {
    const names = conditionTexts(test.codings);
    const alignment = table('Compared signals', ['Clip', 'Condition', 'Bit rate', 'Gain', 'Delay'], test.clips.flatMap(({ name, conditions }) =>
        conditions.map((each) => [
            name, names[each.name], each.bitRate ? `${(each.bitRate / 1000).toFixed(1)} kbit/s` : '–',
            `${each.gainDecibels.toFixed(2).replace('-', '−')} dB`, `${each.lag} samples`,
        ])));
    element('tables').replaceChildren(...(test.method === 'abx' ? showABX(test) : showRatings(test)), alignment);
}

/** Returns the answers as CSV with a header line. */
export function resultsCSV({ answers, codings }) {
    if (answers.length === 0) return '';
    const names = conditionTexts(codings);
    const quoted = (value) => (/[",\n]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : String(value));
    const columns = [...Object.keys(answers[0]), 'first_coding', 'second_coding'];
    const rows = answers.map((answer) => [...Object.values(answer), names.first, names.second].map(quoted).join(','));
    return `${[columns.join(','), ...rows].join('\r\n')}\r\n`;
}

/** Returns the complete test as JSON. */
export function resultsJSON(test) {
    return `${JSON.stringify({ ...test, summary: test.method === 'abx' ? summarizeABX(test.answers) : summarizeRatings(test.answers) }, null, 2)}\n`;
}
