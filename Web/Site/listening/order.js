// SPDX-License-Identifier: Apache-2.0

// Random numbers that decide what is heard where.

/** Returns a whole number from 0 up to, not including, a limit, each equally likely. */
export function randomBelow(limit) {
    const range = 2 ** 32;
    const [value] = crypto.getRandomValues(new Uint32Array(1));
    return value < range - (range % limit) ? value % limit : randomBelow(limit);
}

/** Returns the items in a random order, each order equally likely. */
export function shuffled(items) {
    const result = [...items];
    for (let last = result.length - 1; last > 0; last -= 1) {
        const other = randomBelow(last + 1);
        [result[last], result[other]] = [result[other], result[last]];
    }
    return result;
}

/** Returns which clip each of a number of trials has: all equally often, as far as the number allows, in a random order. */
export function clipOrder(clipCount, trialCount) {
    const order = [];
    while (order.length < trialCount) order.push(...shuffled(Array.from({ length: clipCount }, (_, index) => index)));
    return order.slice(0, trialCount);
}
