// SPDX-License-Identifier: Apache-2.0

// Aligns signals with an original in level and time, so that neither reveals which is which.

/** Returns the coefficients of the two loudness weighting filters (ITU-R BS.1770-5, annex 1) at a sample rate. */
function weightingFilters(sampleRate) {
    // The analog prototypes of the filters that the recommendation lists for 48 kHz: frequency, Q, and gain of the shelf.
    const [shelf, shelfQuality, shelfGain] = [Math.tan((Math.PI * 1681.974450955533) / sampleRate), 0.7071752369554196, 3.999843853973347];
    const [high, middle] = [10 ** (shelfGain / 20), 10 ** ((shelfGain / 20) * 0.4996667741545416)];
    const shelfScale = 1 + shelf / shelfQuality + shelf * shelf;
    const [pass, passQuality] = [Math.tan((Math.PI * 38.13547087602444) / sampleRate), 0.5003270373238773];
    const passScale = 1 + pass / passQuality + pass * pass;
    return [
        {
            b: [high + (middle * shelf) / shelfQuality + shelf * shelf, 2 * (shelf * shelf - high), high - (middle * shelf) / shelfQuality + shelf * shelf]
                .map((value) => value / shelfScale),
            a: [(2 * (shelf * shelf - 1)) / shelfScale, (1 - shelf / shelfQuality + shelf * shelf) / shelfScale],
        },
        { b: [1, -2, 1], a: [(2 * (pass * pass - 1)) / passScale, (1 - pass / passQuality + pass * pass) / passScale] },
    ];
}

/** Returns the ungated loudness, in LUFS; minus infinity for silence. */
export function loudness(channels, sampleRate) {
    const [shelf, pass] = weightingFilters(sampleRate);
    let power = 0;
    for (const channel of channels) {
        let [s1, s2, p1, p2, sum] = [0, 0, 0, 0, 0];
        for (const value of channel) {
            const bright = shelf.b[0] * value + s1;
            s1 = shelf.b[1] * value - shelf.a[0] * bright + s2;
            s2 = shelf.b[2] * value - shelf.a[1] * bright;
            const weighted = pass.b[0] * bright + p1;
            p1 = pass.b[1] * bright - pass.a[0] * weighted + p2;
            p2 = pass.b[2] * bright - pass.a[1] * weighted;
            sum += weighted * weighted;
        }
        power += sum / Math.max(1, channel.length);
    }
    return -0.691 + 10 * Math.log10(power);
}

/** Returns the sum of the channels. */
function mixed(channels) {
    return channels.length === 1 ? channels[0] : channels[0].map((value, frame) => value + channels[1][frame]);
}

/** Returns the delay in sample frames, from -`limit` to `limit`, that maximizes the correlation with the original. */
export function lag(original, other, limit = 64) {
    const [reference, test] = [mixed(original), mixed(other)];
    const count = Math.min(reference.length, test.length, 96_000);
    const start = Math.floor((Math.min(reference.length, test.length) - count) / 2);
    let best = { shift: 0, value: -Infinity };
    for (let shift = -limit; shift <= limit; shift += 1) {
        let value = 0;
        for (let frame = start + limit; frame < start + count - limit; frame += 1) value += reference[frame] * test[frame + shift];
        if (value > best.value || (value === best.value && Math.abs(shift) < Math.abs(best.shift))) best = { shift, value };
    }
    return best.shift;
}

/** Returns gains that give all signals the loudness of the first, without peaks above full scale. */
export function levels(signals, sampleRate) {
    const values = signals.map((channels) => loudness(channels, sampleRate));
    const gains = values.map((value) => (Number.isFinite(value) && Number.isFinite(values[0]) ? 10 ** ((values[0] - value) / 20) : 1));
    const peak = (channels) => channels.reduce((most, channel) => channel.reduce((highest, value) => Math.max(highest, Math.abs(value)), most), 0);
    const highest = signals.reduce((most, channels, index) => Math.max(most, gains[index] * peak(channels)), 0);
    return gains.map((gain) => gain / Math.max(1, highest));
}

/** Applies a gain, and 5 ms fades at both ends, so that the signal repeats without a click. */
export function faded(channels, gain, sampleRate) {
    const length = Math.round(0.005 * sampleRate);
    return channels.map((channel) =>
        channel.map((value, frame) => gain * value * Math.min(1, frame / length, (channel.length - 1 - frame) / length)));
}
