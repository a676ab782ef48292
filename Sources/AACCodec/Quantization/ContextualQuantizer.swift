// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded) || LINNET_USAC
internal import MPEG4Audio
internal import TransformCoding
internal import TransformEncoding
internal import USACCodec

/// Quantizes the lines of a channel by the costs of the arithmetic coder of xHE-AAC.
struct ContextualQuantizer: ~Copyable {
    /// The context before the frame.
    private var context: SpectralContext
    /// The context before the next window.
    private var windowContext: SpectralContext
    private var search: SpectralValueSearch
    /// The values and the costs of lowering them, window by window.
    private var values: FixedArray<Int16>
    private var loweringCosts: FixedArray<Int16>
    private let steps = Quantizer.steps

    /// The cost of the energy of a line that becomes 0 and stays silent, relative to the cost of its error.
    ///
    /// Without it, the Zimtohrli distance of castanets is 4 % larger at 96 kbit/s, and that of other clips up to 4 % smaller.
    /// Lines that become noise have no such cost. With it, the distance of six clips is 0.9 % larger at 96 kbit/s.
    private static let energyPrice: Float = 0.25

    /// - Parameter pathCount: The largest number of paths in the search of values.
    init(frameLength: Int, pathCount: Int) {
        context = SpectralContext(frameLength: frameLength)
        windowContext = SpectralContext(frameLength: frameLength)
        search = SpectralValueSearch(frameLength: frameLength, width: pathCount)
        values = FixedArray(repeating: 0, count: frameLength)
        loweringCosts = FixedArray(repeating: SpectralValueSearch.never, count: frameLength)
    }

    /// Sets the context before the frame.
    ///
    /// - Parameter previous: The context after the previous frame; `nil` in independent frames.
    mutating func setContext(_ previous: borrowing SpectralContext, isIndependent: Bool) {
        if isIndependent { context.reset(lineCount: values.count) } else { context.adopt(previous) }
    }

    /// The number of lines before a band whose values select the models of its first pairs.
    private static let leadLineCount = 8

    /// Counts the bits of a long window's candidates with the models of the arithmetic coder.
    ///
    /// The lines before a band are rounded with its candidate, too, so that the bits do not depend on other bands.
    ///
    /// Measured in Search.md#bits-in-context.
    mutating func measure(_ quads: Span<LineQuad>, effort: SearchEffort, layout: borrowing BandLayout, into curves: inout CostCurves) {
        guard layout.sequence != .eightShort else { return }
        windowContext.adopt(context)
        windowContext.resize(lineCount: values.count)
        let costs = SpectralCosts.shared
        for band in 0..<layout.count {
            let lines = layout.lines(band)
            let lead = min(lines.lowerBound, Self.leadLineCount)
            let start = lines.lowerBound - lead
            for candidate in 0..<effort.candidateCount {
                let index = band * CostCurves.candidateCount + candidate
                guard curves.bits[index] < .infinity else { continue }
                let step = steps[Int(curves.firstScaleFactors[band]) + candidate * effort.candidateStride]
                var rounded = values.mutableSpan
                for line in stride(from: start, to: lines.upperBound, by: 4) {
                    rounded.store(quads[line >> 2].rounded(step, rounding: effort.searchRounding), at: line - start)
                }
                let cost = costs.cost(
                    of: values.span.extracting(0..<lines.upperBound - start), lead: lead / 2, first: lines.lowerBound / 2,
                    after: windowContext.values.span)
                curves.bits[index] = Float(cost) / Float(SpectralCosts.unitsPerBit)
            }
        }
    }

    /// Starts a frame.
    mutating func start() { values.fill(0) }

    /// Rounds the lines of a band.
    ///
    /// - Parameters:
    ///   - quads: The lines of the frame, by band.
    ///   - weight: The cost of one unit of squared error, in bits.
    ///   - isFilled: Whether lines that become 0 are replaced by noise.
    mutating func round(
        _ band: Int, _ quads: Span<LineQuad>, scaleFactor: Int, weight: Float, isFilled: Bool, layout: borrowing BandLayout
    ) {
        let (step, unitWeight) = (steps[scaleFactor], weight * Float(SpectralValueSearch.unitsPerBit))
        let energyWeight = isFilled ? 0 : unitWeight * Self.energyPrice
        var values = values.mutableSpan
        var costs = loweringCosts.mutableSpan
        var error = SIMD4<Float>(repeating: 0)
        Self.forEachQuad(of: band, layout: layout, lineCount: values.count) { source, target in
            let quad = RoundedQuad(quads[source >> 2], step: step, unitWeight: unitWeight, error: &error)
            values.store(quad.values(lowering: 0), at: target)
            costs.store(Self.costs(quad, magnitudes: quads[source >> 2].magnitudes, energyWeight: energyWeight), at: target)
        }
    }

    /// Returns the costs of lowering four values, with the cost of the energy that lines lose when they become 0.
    @inline(__always)
    private static func costs(_ quad: RoundedQuad, magnitudes: SIMD4<Float>, energyWeight: Float) -> SIMD4<Int16> {
        let energyCosts = (magnitudes * magnitudes * energyWeight).minimum(SIMD4(repeating: 480)).nearest.integers.saturated
        let isOne = quad.magnitudes.lowHalf .== SIMD4(repeating: 1)
        return quad.loweringCosts &+ SIMD4(repeating: 0).replacing(with: energyCosts, where: isOne)
    }

    /// Lowers values and stores them by band.
    mutating func finish(_ quantized: inout MutableSpan<Int16>, layout: borrowing BandLayout) {
        let isShort = layout.sequence == .eightShort
        let length = isShort ? values.count / 8 : values.count
        windowContext.adopt(context)
        windowContext.resize(lineCount: length)
        let windowCount = values.count / length
        var values = values.mutableSpan
        for window in 0..<windowCount {
            let lines = window * length..<(window + 1) * length
            var part = values._mutatingExtracting(lines)
            search.search(
                &part, loweringCosts: loweringCosts.span.extracting(lines), lineCount: Self.lineCount(layout),
                advances: window + 1 < windowCount, context: &windowContext)
        }
        for band in 0..<layout.count {
            Self.forEachQuad(of: band, layout: layout, lineCount: values.count) { source, target in
                quantized.store(values.span.quartet(at: target), at: source)
            }
        }
    }

    /// Returns the number of lines per window up to the bandwidth.
    private static func lineCount(_ layout: borrowing BandLayout) -> Int {
        guard layout.bandsPerGroup > 0 else { return 0 }
        let count = layout.lines(layout.bandsPerGroup - 1).upperBound
        return layout.sequence == .eightShort ? count / Int(layout.groupLengths[0]) : count
    }

    /// Calls a closure for each four lines of a band with their indices by band and by window.
    @inline(__always)
    private static func forEachQuad(of band: Int, layout: borrowing BandLayout, lineCount: Int, _ body: (Int, Int) -> Void) {
        let lines = layout.lines(band)
        guard layout.sequence == .eightShort else {
            for line in stride(from: lines.lowerBound, to: lines.upperBound, by: 4) { body(line, line) }
            return
        }
        let group = band / layout.bandsPerGroup
        var window = 0
        for other in 0..<group { window += Int(layout.groupLengths[other]) }
        let (length, count) = (lineCount / 8, Int(layout.groupLengths[group]))
        let width = lines.count / count
        // The bands of all windows of a group have the same offset.
        let offset = (lines.lowerBound - window * length) / count
        for index in 0..<count {
            for line in stride(from: 0, to: width, by: 4) {
                body(lines.lowerBound + index * width + line, (window + index) * length + offset + line)
            }
        }
    }
}
#endif
