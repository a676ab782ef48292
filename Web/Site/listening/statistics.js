// SPDX-License-Identifier: Apache-2.0

// Statistics of test answers.

/** Returns the probability of guessing at least `correct` of `count` answers: the p-value of an ABX test. */
export function guessingProbability(correct, count) {
    let [term, sum] = [1, 0];
    // Terms of the binomial distribution, starting with all answers correct, over 2^count.
    for (let right = count; right >= correct; right -= 1) {
        sum += term;
        term *= right / (count - right + 1);
    }
    return sum / 2 ** count;
}

// The 97.5th percentile of Student's t-distribution for 1 to 30 degrees of freedom.
const percentiles = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11, 2.101, 2.093, 2.086,
    2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/** Returns the mean and half the 95 % confidence interval, which is null for a single value. */
export function meanWithInterval(values) {
    const count = values.length;
    const mean = values.reduce((sum, value) => sum + value, 0) / count;
    if (count < 2) return { mean, interval: null };
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1);
    // Above 30 degrees of freedom the last value is used, which is at most 4 % too large.
    const factor = percentiles[Math.min(count - 1, percentiles.length) - 1];
    return { mean, interval: factor * Math.sqrt(variance / count) };
}
