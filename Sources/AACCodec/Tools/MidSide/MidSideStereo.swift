// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

/// Middle and side in place of left and right, band by band, where that takes fewer bits (`ms_used`, ISO/IEC 14496-3:2009, 4.6.8.1).
struct MidSideStereo {
    /// The choice for each band of the frame, and of the long frame before.
    private(set) var usesMidSide = [120 of Bool](repeating: false)
    private var previous = [120 of Bool](repeating: false)

    /// Bits by which a band must win to change its mind.
    private static let hysteresis: Float = 2

    /// The noise of middle and of side against that of the more sensitive ear: a little more than the half that would keep it as it was.
    private static let noiseShare: Float = 0.6

    /// Chooses for each band, and puts middle and side and their noise targets where left and right were.
    ///
    /// The noise of middle and side adds up in both ears, so each may have half of what the more sensitive ear allows.
    /// - Parameter quality: What the noise targets will be multiplied by, about.
    mutating func decide(first: inout ChannelState, second: inout ChannelState, quality: Float, layout: borrowing BandLayout) {
        for band in 0..<layout.count {
            usesMidSide[band] = false
            if first.coder.replacements.contains(band) || second.coder.replacements.contains(band) { continue }
            let lines = layout.lines(band)
            let width = Float(lines.count)
            let leftNoise = first.coder.noise.span[band]
            let rightNoise = second.coder.noise.span[band]
            let shared = Self.noiseShare * min(leftNoise, rightNoise)
            let gains = SIMD4(leftNoise, rightNoise, shared, shared) * SIMD4(repeating: quality / width)
            let difference = Self.bitsSaved(
                first.coder.lines.values.span, second.coder.lines.values.span, in: lines, inverseNoise: SIMD4(repeating: 1) / gains)
            let margin = layout.sequence != .eightShort && previous.span[band] ? -Self.hysteresis : Self.hysteresis
            usesMidSide[band] = difference > margin
            guard usesMidSide.span[band] else { continue }
            var left = first.coder.lines.values.mutableSpan
            var right = second.coder.lines.values.mutableSpan
            for line in stride(from: lines.lowerBound, to: lines.upperBound, by: 4) {
                let (l, r) = (left.vector(at: line), right.vector(at: line))
                left.store((l + r) * 0.5, at: line)
                right.store((l - r) * 0.5, at: line)
            }
            first.coder.noise[band] = shared
            second.coder.noise[band] = shared
        }
        if layout.sequence != .eightShort { previous = usesMidSide }
    }

    // MARK: By the costs of coding

    /// Chooses for each band by what it costs to code either way, errors at their price included.
    ///
    /// Otherwise as ``decide(first:second:quality:layout:)``.
    mutating func decideByCosts(
        first: inout ChannelState, second: inout ChannelState, quality: Float, layout: borrowing BandLayout, effort: SearchEffort
    ) {
        var separateCosts = [120 of Float](repeating: 0)
        var jointCosts = separateCosts
        let (leftNoise, rightNoise) = (first.coder.noise, second.coder.noise)
        Self.addCosts(first: &first, second: &second, quality: quality, layout: layout, effort: effort, to: &separateCosts)
        for band in 0..<layout.count {
            usesMidSide[band] = !first.coder.replacements.contains(band) && !second.coder.replacements.contains(band)
            guard usesMidSide.span[band] else { continue }
            Self.mix(&first.coder.lines.values, &second.coder.lines.values, in: layout.lines(band), scale: 0.5)
            let shared = Self.sharedNoise(leftNoise.span[band], rightNoise.span[band])
            first.coder.noise[band] = shared
            second.coder.noise[band] = shared
        }
        Self.addCosts(first: &first, second: &second, quality: quality, layout: layout, effort: effort, to: &jointCosts)
        for band in 0..<layout.count where usesMidSide.span[band] {
            let margin = layout.sequence != .eightShort && previous.span[band] ? -Self.hysteresis : Self.hysteresis
            guard separateCosts[band] - jointCosts[band] <= margin else { continue }
            usesMidSide[band] = false
            Self.mix(&first.coder.lines.values, &second.coder.lines.values, in: layout.lines(band), scale: 1)
            first.coder.noise[band] = leftNoise[band]
            second.coder.noise[band] = rightNoise[band]
        }
        if layout.sequence != .eightShort { previous = usesMidSide }
    }

    /// The noise of middle and of side: errors of either are heard in both ears, so their price is that of both ears together.
    private static func sharedNoise(_ left: Float, _ right: Float) -> Float { costedNoiseShare * left * right / (left + right) }

    /// The part of what that comes to that middle and side have: for targets that are equal, ``noiseShare``.
    private static let costedNoiseShare: Float = 1.2

    private static func addCosts(
        first: inout ChannelState, second: inout ChannelState, quality: Float, layout: borrowing BandLayout, effort: SearchEffort,
        to costs: inout [120 of Float]
    ) {
        var costs = costs.mutableSpan
        first.coder.addCosts(quality: quality, layout: layout, effort: effort, to: &costs)
        second.coder.addCosts(quality: quality, layout: layout, effort: effort, to: &costs)
    }

    /// Replaces lines by their sum and difference, times `scale`: half makes middle and side, one makes left and right of them again.
    private static func mix(_ first: inout [1024 of Float], _ second: inout [1024 of Float], in lines: Range<Int>, scale: Float) {
        var first = first.mutableSpan
        var second = second.mutableSpan
        for line in stride(from: lines.lowerBound, to: lines.upperBound, by: 4) {
            let (a, b) = (first.vector(at: line), second.vector(at: line))
            first.store((a + b) * scale, at: line)
            second.store((a - b) * scale, at: line)
        }
    }

    /// Forgets the choices of the frame before.
    mutating func forget() { previous = [120 of Bool](repeating: false) }

    /// How many bits left and right take more than middle and side: half the log2 of 1 + x²/N for each line.
    @inline(__always)
    private static func bitsSaved(_ left: Span<Float>, _ right: Span<Float>, in lines: Range<Int>, inverseNoise: SIMD4<Float>) -> Float {
        let weights = (
            SIMD4(repeating: inverseNoise[0]), SIMD4(repeating: inverseNoise[1]), SIMD4(repeating: inverseNoise[2] * 0.25),
            SIMD4(repeating: inverseNoise[3] * 0.25)
        )
        let one = SIMD4<Float>(repeating: 1)
        let bits = PortableMath.sumOfLog2(lines) { line in
            let (l, r) = (left.vector(at: line), right.vector(at: line))
            let (middle, side) = (l + r, l - r)
            let separate = (one + l * l * weights.0) * (one + r * r * weights.1)
            return separate / ((one + middle * middle * weights.2) * (one + side * side * weights.3))
        }
        return bits.laneSum * 0.5
    }

    /// Writes the mask of a pair with common windows.
    func writeMask(to sink: inout some BitSink, layout: borrowing BandLayout) {
        let usesMidSide = usesMidSide.span
        var used = 0
        for band in 0..<layout.count where usesMidSide[band] { used += 1 }
        let mask: MSMask = used == 0 ? .none : used == layout.count ? .all : .perBand
        sink.write(UInt32(mask.rawValue), count: 2)
        guard mask == .perBand else { return }
        for band in 0..<layout.count { sink.write(usesMidSide[band]) }
    }
}
