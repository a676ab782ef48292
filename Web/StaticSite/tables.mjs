// SPDX-License-Identifier: Apache-2.0

// Measured tables of the documentation, as numbers.

import { readFileSync } from 'node:fs';

/** A table of a Markdown page, with the commit that it was measured at. */
export class MeasuredTable {
    /** Reads the first table under a heading that starts with these columns. */
    constructor(path, heading, ...columns) {
        this.path = path;
        this.heading = heading;
        const [, section] = readFileSync(path, 'utf8').split(new RegExp(`^#+ ${heading}$`, 'm'));
        const lines = (section ?? '').split(/^#+ /m)[0].split('\n');
        const cells = (line) => line.split('|').slice(1, -1).map((cell) => cell.trim());
        const first = lines.findIndex((line) => line.startsWith('|') && columns.every((name, index) => cells(line)[index] === name));
        if (first < 0) throw new Error(`${path}: no table of ${columns.join(', ')} under "${heading}"`);
        const length = lines.slice(first).findIndex((line) => !line.startsWith('|'));
        const [head, , ...rows] = lines.slice(first, first + length).map(cells);
        this.columns = head;
        // The last commit named in the text above the table.
        this.commit = [...lines.slice(0, first).join('\n').matchAll(/\bcommit\s+([0-9a-f]{7})\b/g)].at(-1)?.[1];
        if (!this.commit) throw new Error(`${path}: no commit above the table under "${heading}"`);
        this.rows = rows;
    }

    /** Returns the numbers of a column; `null` where a cell is empty. */
    numbers(name) {
        const index = this.columns.indexOf(name);
        return this.rows.map((row) => this.#number(row[index]));
    }

    /** Returns the first number in a cell of the row `name`, or the first one after the text `after`. */
    number(name, column, after = '') {
        const row = this.rows.find(([first]) => first === name);
        if (!row) throw new Error(`${this.path}: no row "${name}" under "${this.heading}"`);
        const cell = row[this.columns.indexOf(column)] ?? '';
        if (!cell.includes(after)) throw new Error(`${this.path}: "${cell}" under "${this.heading}" does not contain "${after}"`);
        return this.#number(cell.slice(cell.indexOf(after) + after.length));
    }

    #number(cell) {
        if (cell === '') return null;
        const found = /-?\d+(?:\.\d+)?/.exec(cell ?? '');
        if (!found) throw new Error(`${this.path}: "${cell}" under "${this.heading}" has no number`);
        return Number(found[0]);
    }
}
