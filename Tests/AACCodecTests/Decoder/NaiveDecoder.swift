// SPDX-License-Identifier: Apache-2.0

import AACCodec
import Foundation
import MPEG4Audio
import TransformCoding

/// A decoder of pairs by the standard's formulas in double precision.
///
/// It shares only the parsed structures.
struct NaiveDecoder {
    var overlap: [[Double]]
    var shapes: [WindowShape] = [.sine, .sine]
    /// All previous samples of both channels.
    var past: [[Double]] = [[], []]
    let bands: ScaleFactorBands

    init(bands: ScaleFactorBands) {
        self.bands = bands
        overlap = [[Double]](repeating: [Double](repeating: 0, count: bands.frameLength), count: 2)
    }

    /// Decodes one pair to samples with a full scale of ±32768.
    mutating func decode(_ pair: borrowing ChannelPairElement) -> [[Double]] {
        var lines = [spectrum(of: pair.first), spectrum(of: pair.second)]
        applyStereo(pair, &lines, isIntensity: false)
        applyStereo(pair, &lines, isIntensity: true)
        predict(pair.first, &lines[0], channel: 0)
        predict(pair.second, &lines[1], channel: 1)
        shape(pair.first, &lines[0])
        shape(pair.second, &lines[1])
        let output = [synthesize(pair.first.info, lines[0], channel: 0), synthesize(pair.second.info, lines[1], channel: 1)]
        for channel in 0..<2 { past[channel] += output[channel] }
        return output
    }

    /// Applies long-term prediction to frames without TNS.
    private func predict(_ stream: borrowing IndividualChannelStream, _ lines: inout [Double], channel: Int) {
        guard let data = stream.info.longTermPrediction, stream.info.windowSequence != .eightShort else { return }
        let gains = [0.570829, 0.696616, 0.813004, 0.911304, 0.984900, 1.067894, 1.194601, 1.369533]
        let length = bands.frameLength
        let known = [Double](repeating: 0, count: 2 * length) + past[channel] + overlap[channel]
        let window = window(stream.info, old: shapes[channel])
        var block = [Double](repeating: 0, count: 2 * length)
        for n in 0..<2 * length {
            let place = known.count - length - Int(data.lag) + n
            if place < known.count { block[n] = gains[Int(data.gainIndex)] * known[place] * window[n] }
        }
        let count = 2 * length
        for band in 0..<min(stream.info.maxSFB, 40) where data.usedBands >> UInt64(band) & 1 == 1 {
            for k in Int(bands.longOffsets[band])..<Int(bands.longOffsets[band + 1]) {
                var sum = 0.0
                for n in 0..<count where block[n] != 0 {
                    let phase = (2 * n + count / 2 + 1) * (2 * k + 1) % (4 * count)
                    sum += block[n] * cos(2 * Double.pi / Double(4 * count) * Double(phase))
                }
                lines[k] += 2 * sum
            }
        }
    }

    /// The whole window of a frame without short blocks.
    private func window(_ info: ICSInfo, old: WindowShape) -> [Double] {
        let (length, short) = (bands.frameLength, bands.frameLength / 8)
        let rise = Self.padded(Self.rise(old, info.windowSequence == .longStop ? short : length), length)
        let fall = Self.padded(Self.rise(info.windowShape, info.windowSequence == .longStart ? short : length), length)
        return rise + fall.reversed()
    }

    private func offsets(_ info: ICSInfo) -> [Int] {
        info.windowSequence == .eightShort
            ? (0...bands.shortCount).map { Int(bands.shortOffsets[$0]) } : (0...bands.longCount).map { Int(bands.longOffsets[$0]) }
    }

    private func groupsOfWindows(_ info: ICSInfo) -> [Int] {
        guard info.windowSequence == .eightShort else { return [0] }
        return (0..<info.groupCount).flatMap { group in [Int](repeating: group, count: Int(info.groupLengths[group])) }
    }

    private func spectrum(of stream: borrowing IndividualChannelStream) -> [Double] {
        var quantized = stream.quantized.indices.map { Int(stream.quantized[$0]) }
        if let pulse = stream.pulse {
            var line = Int(bands.longOffsets[pulse.startBand])
            for index in 0..<pulse.count {
                line += Int(pulse.offsets[index])
                quantized[line] += quantized[line] > 0 ? Int(pulse.amplitudes[index]) : -Int(pulse.amplitudes[index])
            }
        }
        let offsets = offsets(stream.info)
        let groups = groupsOfWindows(stream.info)
        let length = bands.frameLength / groups.count
        var lines = [Double](repeating: 0, count: bands.frameLength)
        var next = 0
        for group in 0..<stream.info.groupCount {
            let windows = groups.indices.filter { groups[$0] == group }
            let start = next
            for sfb in 0..<stream.info.maxSFB {
                let scale = pow(2, 0.25 * (Double(stream.scaleFactors[group * 16 + sfb]) - 100))
                for window in windows {
                    for line in offsets[sfb]..<offsets[sfb + 1] {
                        let value = Double(quantized[next])
                        next += 1
                        let codebook = stream.codebooks[group * 16 + sfb]
                        guard codebook > 0 && codebook < 12 else { continue }
                        lines[window * length + line] = (value < 0 ? -1 : 1) * pow(abs(value), 4.0 / 3) * scale
                    }
                }
            }
            next = start + windows.count * length
        }
        return lines
    }

    private func applyStereo(_ pair: borrowing ChannelPairElement, _ lines: inout [[Double]], isIntensity: Bool) {
        guard pair.hasCommonWindow else { return }
        let info = pair.first.info
        let offsets = offsets(info)
        let groups = groupsOfWindows(info)
        let length = bands.frameLength / groups.count
        for (window, group) in groups.enumerated() {
            for sfb in 0..<info.maxSFB {
                let band = group * 16 + sfb
                let isMarked = pair.midSide.kind == .all || pair.midSide.kind == .perBand && pair.midSide.flags[band]
                let range = window * length + offsets[sfb]..<window * length + offsets[sfb + 1]
                let (left, right) = (pair.first.codebooks[band], pair.second.codebooks[band])
                if !isIntensity && isMarked && left != 13 && right < 13 {
                    for line in range {
                        let (mid, side) = (lines[0][line], lines[1][line])
                        lines[0][line] = mid + side
                        lines[1][line] = mid - side
                    }
                }
                guard isIntensity && right >= 14 else { continue }
                let invert = pair.midSide.kind == .perBand && pair.midSide.flags[band] ? -1.0 : 1
                let factor = (right == 15 ? 1 : -1) * invert * pow(0.5, 0.25 * Double(pair.second.scaleFactors[band]))
                for line in range { lines[1][line] = factor * lines[0][line] }
            }
        }
    }

    private func shape(_ stream: borrowing IndividualChannelStream, _ lines: inout [Double]) {
        guard let tns = stream.tns else { return }
        let isShort = stream.info.windowSequence == .eightShort
        let offsets = offsets(stream.info)
        let limit = min(isShort ? bands.shortTNSBands : bands.longTNSBands, stream.info.maxSFB)
        for window in 0..<(isShort ? 8 : 1) {
            var top = offsets.count - 1
            for index in 0..<Int(tns.filterCounts[window]) {
                let filter = tns[window, index]
                let bottom = max(top - Int(filter.length), 0)
                let first = window * bands.frameLength / 8
                let (start, end) = (first + offsets[min(bottom, limit)], first + offsets[min(top, limit)])
                top = bottom
                guard filter.order > 0 && start < end else { continue }
                let a = predictor(filter, resolution: Int(tns.resolutions[window]))
                var history: [Double] = []
                for place in start..<end {
                    let line = filter.isDownward ? end - 1 - (place - start) : place
                    var value = lines[line]
                    for (i, old) in history.prefix(Int(filter.order)).enumerated() { value -= a[i + 1] * old }
                    history.insert(value, at: 0)
                    lines[line] = value
                }
            }
        }
    }

    private func predictor(_ filter: TNSFilter, resolution: Int) -> [Double] {
        var a = [1.0]
        for m in 0..<Int(filter.order) {
            let index = Double(filter.coefficients[m])
            let half = pow(2, Double(resolution - 1))
            let reflection = sin(index / ((index >= 0 ? half - 0.5 : half + 0.5) / (Double.pi / 2)))
            var b = a + [0]
            for i in 1..<b.count { b[i] += reflection * (i == b.count - 1 ? 1 : a[a.count - i]) }
            a = b
        }
        return a
    }

    private mutating func synthesize(_ info: ICSInfo, _ lines: [Double], channel: Int) -> [Double] {
        let length = bands.frameLength
        let short = length / 8
        let (old, shape) = (shapes[channel], info.windowShape)
        shapes[channel] = shape
        var frame = [Double](repeating: 0, count: 2 * length)
        if info.windowSequence == .eightShort {
            for window in 0..<8 {
                let block = Self.inverseTransform(Array(lines[window * short..<(window + 1) * short]))
                let rise = Self.rise(window == 0 ? old : shape, short)
                let fall = Self.rise(shape, short)
                for n in 0..<2 * short {
                    frame[(length - short) / 2 + window * short + n] += block[n] * (n < short ? rise[n] : fall[2 * short - 1 - n])
                }
            }
        } else {
            let block = Self.inverseTransform(lines)
            let window = window(info, old: old)
            for n in 0..<2 * length { frame[n] = block[n] * window[n] }
        }
        let output = (0..<length).map { overlap[channel][$0] + frame[$0] }
        overlap[channel] = Array(frame[length...])
        return output
    }

    private static func padded(_ rise: [Double], _ length: Int) -> [Double] {
        let flat = (length - rise.count) / 2
        return [Double](repeating: 0, count: flat) + rise + [Double](repeating: 1, count: flat)
    }

    private static func rise(_ shape: WindowShape, _ count: Int) -> [Double] {
        guard shape == .kaiserBesselDerived else { return (0..<count).map { sin(Double.pi / Double(2 * count) * (Double($0) + 0.5)) } }
        func bessel(_ x: Double) -> Double {
            var (sum, term, k) = (1.0, 1.0, 1.0)
            while term > 1e-17 * sum {
                term *= (x / 2 / k) * (x / 2 / k)
                sum += term
                k += 1
            }
            return sum
        }
        let alpha = count >= 960 ? 4.0 : 6.0
        let half = Double(count) / 2
        let kernel = (0...count).map { bessel(Double.pi * alpha * sqrt(1 - pow((Double($0) - half) / half, 2))) }
        let total = kernel.reduce(0, +)
        var sum = 0.0
        return (0..<count).map { n in
            sum += kernel[n]
            return sqrt(sum / total)
        }
    }

    /// x[n] = 2/N sum X[k] cos(2 pi / N (n + n0) (k + 1/2)), n0 = (N/2 + 1) / 2.
    private static func inverseTransform(_ lines: [Double]) -> [Double] {
        let count = 2 * lines.count
        let cosines = (0..<4 * count).map { cos(2 * Double.pi / Double(4 * count) * Double($0)) }
        let active = lines.indices.filter { lines[$0] != 0 }
        return (0..<count).map { n in
            var sum = 0.0
            let phase = 2 * n + count / 2 + 1
            for k in active { sum += lines[k] * cosines[phase * (2 * k + 1) % (4 * count)] }
            return sum * 2 / Double(count)
        }
    }
}
