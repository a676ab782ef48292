// SPDX-License-Identifier: Apache-2.0

// Random numbers for the presentation order.

/** Returns a uniformly distributed integer from 0 up to but not including a limit. */
export function randomBelow(limit) {
    const range = 2 ** 32;
    const [value] = crypto.getRandomValues(new Uint32Array(1));
    return value < range - (range % limit) ? value % limit : randomBelow(limit);
}

/** Returns the items in a random order. All orders are equally likely. */
export function shuffled(items) {
    const result = [...items];
    for (let last = result.length - 1; last > 0; last -= 1) {
        const other = randomBelow(last + 1);
        [result[last], result[other]] = [result[other], result[last]];
    }
    return result;
}

/** Returns the clip index of each trial, in random order. All clips occur equally often, or differ by one. */
export function clipOrder(clipCount, trialCount) {
    const order = [];
    while (order.length < trialCount) order.push(...shuffled(Array.from({ length: clipCount }, (_, index) => index)));
    return order.slice(0, trialCount);
}
