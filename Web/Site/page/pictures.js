// SPDX-License-Identifier: Apache-2.0

// Pictures over time, drawn on canvases.

/** Prepares a canvas for its size on screen. Returns its context, width and height in pixels. */
function prepare(canvas) {
    const scale = window.devicePixelRatio || 1;
    const [width, height] = [Math.max(1, Math.round(canvas.clientWidth * scale)), Math.max(1, Math.round(canvas.clientHeight * scale))];
    canvas.width = width;
    canvas.height = height;
    return { context: canvas.getContext('2d'), width, height };
}

/** Returns a color of the page. */
function color(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** Draws the minima and maxima of a signal. */
export function drawWaveform(canvas, channels, colorName) {
    const { context, width, height } = prepare(canvas);
    const frameCount = channels[0].length;
    context.fillStyle = color(colorName);
    for (let x = 0; x < width; x += 1) {
        const [first, end] = [Math.floor((x * frameCount) / width), Math.max(Math.floor((x * frameCount) / width) + 1, Math.floor(((x + 1) * frameCount) / width))];
        let [low, high] = [1, -1];
        const step = Math.max(1, Math.floor((end - first) / 400));
        for (const channel of channels) {
            for (let frame = first; frame < end && frame < frameCount; frame += step) {
                low = Math.min(low, channel[frame]);
                high = Math.max(high, channel[frame]);
            }
        }
        const y = ((1 - Math.min(1, high)) / 2) * height;
        context.fillRect(x, y, 1, Math.max(1, ((1 - Math.max(-1, low)) / 2) * height - y));
    }
}

/** Returns 256 colors interpolated between stops, each [position from 0 to 1, red, green, blue]. */
function palette(stops) {
    return Array.from({ length: 256 }, (_, index) => {
        const position = index / 255;
        const next = Math.max(1, stops.findIndex(([stop]) => stop >= position));
        const [[start, ...from], [end, ...to]] = [stops[next - 1], stops[next]];
        const part = (position - start) / (end - start);
        return from.map((value, channel) => Math.round(value + (to[channel] - value) * part));
    });
}

// Both palettes are ordered by lightness, so that they are readable without color vision.
const levelColors = palette([[0, 8, 12, 24], [0.25, 32, 46, 104], [0.5, 28, 112, 142], [0.75, 74, 190, 130], [1, 250, 235, 110]]);
const ratioColors = palette([[0, 10, 16, 38], [0.5, 38, 92, 134], [0.66, 120, 150, 150], [0.7, 250, 216, 90], [0.85, 255, 176, 110], [1, 255, 244, 236]]);

/** Draws levels from 0 to 255, column by column from the lowest row, with a frequency scale. */
function drawLevels(canvas, { columns, rows, levels }, colors, rowOf, marks) {
    const { context, width, height } = prepare(canvas);
    const image = context.createImageData(width, height);
    for (let y = 0; y < height; y += 1) {
        const row = Math.max(0, Math.min(rows - 1, rowOf(1 - (y + 0.5) / height)));
        for (let x = 0; x < width; x += 1) {
            const column = Math.min(columns - 1, Math.floor((x * columns) / width));
            const [red, green, blue] = colors[levels[column * rows + row]];
            image.data.set([red, green, blue, 255], 4 * (y * width + x));
        }
    }
    context.putImageData(image, 0, 0);
    const scale = window.devicePixelRatio || 1;
    context.font = `${11 * scale}px system-ui, sans-serif`;
    context.textAlign = 'right';
    context.shadowColor = '#000';
    context.shadowBlur = 3 * scale;
    for (const { part, text } of marks) {
        const y = (1 - part) * height;
        context.fillStyle = 'rgb(255 255 255 / 0.55)';
        context.fillRect(width - 5 * scale, y, 5 * scale, scale);
        context.fillStyle = '#fff';
        context.fillText(text, width - 8 * scale, Math.max(10 * scale, y + 4 * scale));
    }
}

export function drawSpectrogram(canvas, spectrogram, sampleRate) {
    const nyquist = sampleRate / 2000;
    const step = nyquist > 10 ? 5 : 2;
    const marks = [];
    for (let kilohertz = step; kilohertz < nyquist * 0.95; kilohertz += step) marks.push({ part: kilohertz / nyquist, text: `${kilohertz} kHz` });
    drawLevels(canvas, spectrogram, levelColors, (part) => Math.floor(part * spectrogram.rows), marks);
}

/** Draws noise-to-mask ratios from -30 to 13 dB. */
export function drawRatios(canvas, { frames, bands, ratios, edges }) {
    const columns = Math.max(1, Math.min(frames, 1000));
    const levels = new Uint8Array(columns * bands);
    for (let column = 0; column < columns; column += 1) {
        const [first, end] = [Math.floor((column * frames) / columns), Math.max(Math.floor((column * frames) / columns) + 1, Math.floor(((column + 1) * frames) / columns))];
        for (let band = 0; band < bands; band += 1) {
            let power = 0;
            for (let frame = first; frame < end; frame += 1) power += 10 ** (ratios[frame * bands + band] / 10);
            const level = 10 * Math.log10(power / (end - first));
            levels[column * bands + band] = Math.max(0, Math.min(255, Math.round(((level + 30) / 43) * 255)));
        }
    }
    const marks = [200, 1000, 5000, 15000].filter((hertz) => hertz < edges.at(-1)).map((hertz) => ({
        part: edges.findIndex((edge) => edge > hertz) / bands, text: hertz < 1000 ? `${hertz} Hz` : `${hertz / 1000} kHz`,
    }));
    drawLevels(canvas, { columns, rows: bands, levels }, ratioColors, (part) => Math.floor(part * bands), marks);
}

/** Draws the color scale of the ratios. */
export function drawRatioKey(canvas) {
    const context = canvas.getContext('2d');
    for (let x = 0; x < canvas.width; x += 1) {
        context.fillStyle = `rgb(${ratioColors[Math.round((x * 255) / (canvas.width - 1))].join(' ')})`;
        context.fillRect(x, 0, 1, canvas.height);
    }
}

/** Draws the bits of each access unit. Those with short windows have the other color and a mark at the top. */
export function drawUnits(canvas, { bits, isShort, unitLength, priming }, frameCount) {
    const { context, width, height } = prepare(canvas);
    const most = bits.reduce((largest, count) => Math.max(largest, count), 1);
    const [long, short] = [color('--original'), color('--coded')];
    const x = (index) => ((index * unitLength - priming) / frameCount) * width;
    bits.forEach((count, index) => {
        const [left, right] = [x(index), x(index + 1)];
        const barHeight = (count / most) * (height - 8);
        context.fillStyle = isShort[index] ? short : long;
        const barWidth = right - left > 3 ? right - left - 1 : Math.max(1, right - left);
        context.fillRect(left, height - barHeight, barWidth, barHeight);
        if (isShort[index]) context.fillRect(left, 0, Math.max(2, barWidth), 5);
    });
}
