// SPDX-License-Identifier: Apache-2.0

// Measured tables of the documentation, as numbers.

import { readFileSync } from 'node:fs';

/** A table of a page of Markdown, with the commit at which it was measured. */
export class MeasuredTable {
    /** Reads the first table below a heading whose head begins with certain columns. */
    constructor(path, heading, ...columns) {
        this.path = path;
        this.heading = heading;
        const [, section] = readFileSync(path, 'utf8').split(new RegExp(`^#+ ${heading}$`, 'm'));
        const lines = (section ?? '').split(/^#+ /m)[0].split('\n');
        const cells = (line) => line.split('|').slice(1, -1).map((cell) => cell.trim());
        const first = lines.findIndex((line) => line.startsWith('|') && columns.every((name, index) => cells(line)[index] === name));
        if (first < 0) throw new Error(`${path}: no table of ${columns.join(', ')} below "${heading}"`);
        const length = lines.slice(first).findIndex((line) => !line.startsWith('|'));
        const [head, , ...rows] = lines.slice(first, first + length).map(cells);
        this.columns = head;
        // That of the text above it.
        this.commit = [...lines.slice(0, first).join('\n').matchAll(/\bcommit\s+([0-9a-f]{7})\b/g)].at(-1)?.[1];
        if (!this.commit) throw new Error(`${path}: no commit is named above the table below "${heading}"`);
        this.rows = rows;
    }

    /** Returns the numbers of a column; `null` where a cell is empty. */
    numbers(name) {
        const index = this.columns.indexOf(name);
        return this.rows.map((row) => this.#number(row[index]));
    }

    /** Returns a number of the row that begins with a name. */
    number(name, column) {
        const row = this.rows.find(([first]) => first === name);
        if (!row) throw new Error(`${this.path}: no row "${name}" below "${this.heading}"`);
        return this.#number(row[this.columns.indexOf(column)]);
    }

    /** The number that a cell begins with, or has behind a name. */
    #number(cell) {
        if (cell === '') return null;
        const found = /-?\d+(?:\.\d+)?/.exec(cell ?? '');
        if (!found) throw new Error(`${this.path}: "${cell}" below "${this.heading}" has no number`);
        return Number(found[0]);
    }
}
