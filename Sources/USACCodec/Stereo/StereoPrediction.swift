// SPDX-License-Identifier: Apache-2.0

package import MPEG4Audio
package import TransformCoding

/// M/S stereo and complex prediction of a channel pair (ISO/IEC 23003-3, 7.7).
package struct StereoPrediction: ~Copyable {
    /// The quantized real parts of the last group's prediction coefficients, by band.
    private var realMemory = SIMD64<Int16>()
    /// The quantized imaginary parts.
    private var imaginaryMemory = SIMD64<Int16>()
    /// Whether the stored coefficients belong to eight short windows.
    private var isMemoryShort = false
    /// The real parts of the frame's coefficients, at `group * 16 + sfb`.
    private var real = FixedArray<Float>(repeating: 0, count: WindowDivision.bandCapacity)
    /// The imaginary parts of the frame's coefficients.
    private var imaginary = FixedArray<Float>(repeating: 0, count: WindowDivision.bandCapacity)
    /// The downmix of a window.
    private var downmix: FixedArray<Float>
    /// The downmix of the previous window.
    private var previousDownmix: FixedArray<Float>
    /// The estimated MDST of the downmix.
    private var estimate: FixedArray<Float>

    /// The quantization step of coefficients.
    private static let step: Float = 0.1

    /// Creates a tool without history.
    package init(frameLength: Int) {
        downmix = FixedArray(repeating: 0, count: frameLength)
        previousDownmix = FixedArray(repeating: 0, count: frameLength)
        estimate = FixedArray(repeating: 0, count: frameLength)
    }

    package mutating func reset() {
        realMemory = SIMD64()
        imaginaryMemory = SIMD64()
    }

    /// Converts M/S to L/R in the marked bands.
    ///
    /// - Parameter spectra: The lines of the first channel, then of the second.
    package static func decodeMidSide(
        _ info: borrowing StereoCoreToolInfo, windows: WindowDivision, bands: ScaleFactorBands, in spectra: inout MutableSpan<Float>
    ) {
        let distance = bands.frameLength
        let length = bands.lineCount(isShort: windows.isShort)
        let offsets = windows.isShort ? bands.shortOffsets.span : bands.longOffsets.span
        var window = 0
        for group in 0..<windows.groupCount {
            for _ in 0..<Int(windows.groupLengths[group]) {
                let start = window &* length
                window &+= 1
                for sfb in 0..<info.bandCount where info.used[group &* WindowDivision.bandStride &+ sfb] != 0 {
                    // Band widths are multiples of four.
                    for line in stride(from: start &+ Int(offsets[sfb]), to: start &+ Int(offsets[sfb &+ 1]), by: 4) {
                        let (mid, side) = (spectra.vector(at: line), spectra.vector(at: distance &+ line))
                        spectra.store(mid + side, at: line)
                        spectra.store(mid - side, at: distance &+ line)
                    }
                }
            }
        }
    }

    /// Decodes the coefficients of a frame and stores its last group's coefficients.
    private mutating func decodeCoefficients(_ info: borrowing StereoCoreToolInfo, windows: WindowDivision) {
        if isMemoryShort != windows.isShort { reset() }
        isMemoryShort = windows.isShort
        for group in 0..<windows.groupCount {
            var (realValue, imaginaryValue) = (0, 0)
            for sfb in stride(from: 0, to: info.bandCount, by: 2) {
                let index = group * WindowDivision.bandStride + sfb
                if info.isDeltaInTime { (realValue, imaginaryValue) = (Int(realMemory[sfb]), Int(imaginaryMemory[sfb])) }
                if info.used[index] != 0 {
                    realValue -= Int(info.realDifferences[index])
                    imaginaryValue = info.isComplex ? imaginaryValue - Int(info.imaginaryDifferences[index]) : 0
                } else {
                    (realValue, imaginaryValue) = (0, 0)
                }
                realMemory[sfb] = Int16(truncatingIfNeeded: realValue)
                imaginaryMemory[sfb] = Int16(truncatingIfNeeded: imaginaryValue)
                for band in index..<min(index + 2, WindowDivision.bandCapacity) {
                    real[band] = Self.step * Float(realValue)
                    imaginary[band] = Self.step * Float(imaginaryValue)
                }
            }
            for sfb in info.bandCount..<64 where sfb & 1 == 0 { (realMemory[sfb], imaginaryMemory[sfb]) = (0, 0) }
        }
    }

    /// The windows that determine the filters of the MDST estimate.
    package struct Shapes {
        /// The sequence index: 0 only long or eight short, 1 start, 2 stop, 3 stop-start.
        package var sequence: Int
        /// The shape of the first window's left half.
        package var left: WindowShape
        /// The shape of the right half.
        package var right: WindowShape

        package init(sequence: Int, left: WindowShape, right: WindowShape) {
            self.sequence = sequence
            self.left = left
            self.right = right
        }
    }

    /// Converts downmix and residual to L/R.
    ///
    /// - Parameters:
    ///   - previous: The lines of both channels in the previous frame; empty if they are not usable.
    ///   - spectra: The lines of the first channel, then of the second.
    package mutating func decodePrediction(
        _ info: borrowing StereoCoreToolInfo, windows: WindowDivision, bands: ScaleFactorBands, shapes: Shapes,
        previous: Span<Float>, in spectra: inout MutableSpan<Float>
    ) {
        let distance = bands.frameLength
        decodeCoefficients(info, windows: windows)
        let length = bands.lineCount(isShort: windows.isShort)
        let sign: Float = info.isReversed ? -1 : 1
        let offsets = windows.isShort ? bands.shortOffsets.span : bands.longOffsets.span
        var window = 0
        for group in 0..<windows.groupCount {
            for _ in 0..<Int(windows.groupLengths[group]) {
                let start = window &* length
                if info.isComplex {
                    makeDownmix(info, group: group, start: start, distance: distance, offsets, sign: sign, spectra.span)
                    let usesPrevious = window > 0 || info.usesPreviousFrame && !previous.isEmpty
                    if window == 0 && usesPrevious {
                        let first = distance - length
                        var target = previousDownmix.mutableSpan
                        for line in stride(from: 0, to: length, by: 4) {
                            let sum = previous.vector(at: first &+ line) + previous.vector(at: distance &+ first &+ line) * sign
                            target.store(sum * 0.5, at: line)
                        }
                    }
                    let first = window > 0 ? shapes.right : shapes.left
                    makeEstimate(shapes, left: first, length: length, usesPrevious: usesPrevious)
                    swap(&downmix, &previousDownmix)
                }
                let imaginaryLines = estimate.span
                for sfb in 0..<info.bandCount {
                    let index = group &* WindowDivision.bandStride &+ sfb
                    guard info.used[index] != 0 else { continue }
                    let (a, b) = (real[index], info.isComplex ? imaginary[index] : 0)
                    // Band widths are multiples of four.
                    for line in stride(from: Int(offsets[sfb]), to: Int(offsets[sfb &+ 1]), by: 4) {
                        let (first, second) = (start &+ line, distance &+ start &+ line)
                        let d = spectra.vector(at: first)
                        let side = spectra.vector(at: second) - d * a - imaginaryLines.vector(at: line) * b
                        spectra.store(d + side, at: first)
                        spectra.store((d - side) * sign, at: second)
                    }
                }
                window &+= 1
            }
        }
    }

    private mutating func makeDownmix(
        _ info: borrowing StereoCoreToolInfo, group: Int, start: Int, distance: Int, _ offsets: Span<UInt16>, sign: Float,
        _ spectra: Span<Float>
    ) {
        downmix.fill(0)
        var target = downmix.mutableSpan
        for sfb in 0..<info.bandCount {
            let isUsed = info.used[group &* WindowDivision.bandStride &+ sfb] != 0
            for line in stride(from: Int(offsets[sfb]), to: Int(offsets[sfb &+ 1]), by: 4) {
                let first = spectra.vector(at: start &+ line)
                target.store(isUsed ? first : (first + spectra.vector(at: distance &+ start &+ line) * sign) * 0.5, at: line)
            }
        }
    }

    /// Estimates the MDST of the downmix from this window and, if available, the previous window.
    private mutating func makeEstimate(_ shapes: Shapes, left: WindowShape, length: Int, usesPrevious: Bool) {
        let h = SineTransformFilters.current[4 * shapes.sequence + 2 * Int(left.rawValue) + Int(shapes.right.rawValue)]
        let x = downmix.span
        var target = estimate.mutableSpan
        for line in stride(from: 0, to: length, by: 4) {
            let (m1, p1) = Self.neighbours(x, line, 1, length)
            let (m2, p2) = Self.neighbours(x, line, 2, length)
            let (m3, p3) = Self.neighbours(x, line, 3, length)
            var sum: SIMD4<Float> = (p1 - m1) * h[0]
            sum += (p2 - m2) * h[1]
            sum += (p3 - m3) * h[2]
            target.store(sum, at: line)
        }
        guard usesPrevious else { return }
        let p = SineTransformFilters.previous[(shapes.sequence >= 2 ? 2 : 0) + Int(left.rawValue)]
        let y = previousDownmix.span
        let signs = SIMD4<Float>(-1, 1, -1, 1)
        for line in stride(from: 0, to: length, by: 4) {
            let (m1, p1) = Self.neighbours(y, line, 1, length)
            let (m2, p2) = Self.neighbours(y, line, 2, length)
            let (m3, p3) = Self.neighbours(y, line, 3, length)
            var sum: SIMD4<Float> = y.vector(at: line) * p[0]
            sum += (p1 + m1) * p[1]
            sum += (p2 + m2) * p[2]
            sum += (p3 + m3) * p[3]
            target.store(target.vector(at: line) + sum * signs, at: line)
        }
    }

    /// Returns the lines before and after each of four lines, at a distance from 1 to 3.
    @inline(__always)
    private static func neighbours(
        _ values: Span<Float>, _ line: Int, _ distance: Int, _ length: Int
    ) -> (before: SIMD4<Float>, after: SIMD4<Float>) {
        if line > 0 && line &+ 8 <= length { return (values.vector(at: line &- distance), values.vector(at: line &+ distance)) }
        var (before, after) = (SIMD4<Float>(), SIMD4<Float>())
        for lane in 0..<4 {
            before[lane] = values[mirrored(line &+ lane &- distance, length)]
            after[lane] = values[mirrored(line &+ lane &+ distance, length)]
        }
        return (before, after)
    }

    /// Returns an index mirrored at the ends of a window.
    private static func mirrored(_ index: Int, _ length: Int) -> Int {
        index < 0 ? -1 &- index : index >= length ? 2 &* length &- 1 &- index : index
    }
}
