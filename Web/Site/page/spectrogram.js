// SPDX-License-Identifier: Apache-2.0

// Spectrograms from a short-time Fourier transform.

const size = 1024;

/** Transforms complex numbers in place. The length is a power of two. */
function transform(real, imaginary) {
    const count = real.length;
    for (let index = 1, other = 0; index < count; index += 1) {
        let bit = count >> 1;
        for (; other & bit; bit >>= 1) other ^= bit;
        other ^= bit;
        if (index < other) {
            [real[index], real[other]] = [real[other], real[index]];
            [imaginary[index], imaginary[other]] = [imaginary[other], imaginary[index]];
        }
    }
    for (let length = 2; length <= count; length *= 2) {
        const half = length / 2;
        for (let part = 0; part < half; part += 1) {
            const [cosine, sine] = [Math.cos((Math.PI * part) / half), -Math.sin((Math.PI * part) / half)];
            for (let first = part; first < count; first += length) {
                const second = first + half;
                const [x, y] = [real[second] * cosine - imaginary[second] * sine, real[second] * sine + imaginary[second] * cosine];
                real[second] = real[first] - x;
                imaginary[second] = imaginary[first] - y;
                real[first] += x;
                imaginary[first] += y;
            }
        }
    }
}

/** Returns at most 1000 columns of levels of the mono downmix. 0 to 255 mean -110 to 0 dBFS. */
export function spectrogram(channels) {
    const frameCount = channels[0].length;
    const columns = Math.max(1, Math.min(1000, Math.floor(frameCount / 256)));
    const rows = size / 2;
    const levels = new Uint8Array(columns * rows);
    const [real, imaginary] = [new Float64Array(size), new Float64Array(size)];
    const window = Float64Array.from({ length: size }, (_, index) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (index + 0.5)) / size));
    for (let column = 0; column < columns; column += 1) {
        const first = Math.round(((column + 0.5) * frameCount) / columns) - size / 2;
        for (let index = 0; index < size; index += 1) {
            const frame = first + index;
            let value = 0;
            if (frame >= 0 && frame < frameCount) for (const channel of channels) value += channel[frame];
            real[index] = (value / channels.length) * window[index];
            imaginary[index] = 0;
        }
        transform(real, imaginary);
        for (let row = 0; row < rows; row += 1) {
            const power = (real[row] ** 2 + imaginary[row] ** 2) / (size / 4) ** 2;
            const level = 10 * Math.log10(power + 1e-12);
            levels[column * rows + row] = Math.max(0, Math.min(255, Math.round(((level + 110) / 110) * 255)));
        }
    }
    return { columns, rows, levels };
}
