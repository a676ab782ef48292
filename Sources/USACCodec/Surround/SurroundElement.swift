// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import MPEG4Audio
internal import TransformCoding

/// MPEG Surround 2-1-2 of a channel pair, and its position relative to enhanced SBR and the filter banks (ISO/IEC 23003-3, 7.11).
///
/// With `stereoConfigIndex` 1 and 2 it processes the downmix after enhanced SBR. With 3 it runs before enhanced SBR, with a delay of six
/// time slots.
struct SurroundElement: ~Copyable {
    /// `stereoConfigIndex`, 1 to 3.
    let stereoConfigIndex: Int
    /// The index of the element among those with channels.
    let element: Int
    var synthesis: SurroundSynthesis
    /// Whether the core channels are left and right.
    private let isPseudoLeftRight: Bool
    /// The filter banks of the downmix, used with `stereoConfigIndex` 3, and of the residual.
    private var banks: FixedArray<CoreAnalysis>
    /// The samples of downmix and residual.
    private var samples: FixedArray<Float>
    /// The time slots of an output before enhanced SBR, with `stereoConfigIndex` 3.
    private(set) var outputQMFSlots: LowBandSlots
    /// The synthesis filter banks of both outputs.
    private var outputs = SlotSynthesis(channelCount: 2)
    private let coreBandCount: Int
    /// The number of samples per core frame.
    private let coreFrameLength: Int

    /// Creates a decoder for the first frame.
    init(_ configuration: MPEGSurround212Config, stereoConfigIndex: Int, element: Int, layout: SlotLayout) {
        self.stereoConfigIndex = stereoConfigIndex
        self.element = element
        isPseudoLeftRight = configuration.isPseudoLeftRight
        synthesis = SurroundSynthesis(configuration, hasResidual: stereoConfigIndex > 1, qmfSlotCount: layout.qmfSlotCount)
        banks = FixedArray(count: stereoConfigIndex > 1 ? 2 : 0) { _ in CoreAnalysis(layout) }
        coreFrameLength = layout.coreFrameLength
        coreBandCount = layout.analysisBandCount
        samples = FixedArray(repeating: 0, count: 2 * layout.coreFrameLength)
        outputQMFSlots = LowBandSlots(layout)
    }

    /// Extends the spectrum of the downmix.
    ///
    /// Call ``load(_:)`` first.
    func extendDownmix(by sbr: inout EnhancedSBRElement) {
        sbr.extend(0, core: samples.span.extracting(0..<coreFrameLength))
    }

    /// Loads the samples of the core channels in order, and analyzes those that enhanced SBR does not.
    mutating func load(_ core: Span<Float>) {
        guard stereoConfigIndex > 1 else {
            samples.copy(core.extracting(0..<coreFrameLength), to: 0)
            return
        }
        samples.copy(core.extracting(0..<2 * coreFrameLength), to: 0)
        if isPseudoLeftRight {
            let scale: Float = 0.707_106_78
            for index in 0..<coreFrameLength {
                let (first, second) = (samples[index], samples[coreFrameLength + index])
                samples[index] = (first + second) * scale
                samples[coreFrameLength + index] = (first - second) * scale
            }
        }
        banks[1].analyze(samples.span.extracting(coreFrameLength..<2 * coreFrameLength))
        if stereoConfigIndex == 3 { banks[0].analyze(samples.span.extracting(0..<coreFrameLength)) }
    }

    // MARK: After enhanced SBR

    /// Decodes a frame whose downmix was processed by enhanced SBR.
    mutating func decode(after sbr: borrowing SBRElement) {
        let gain = synthesis.inputGain
        let count = synthesis.qmfSlotCount
        var qmfSlots = outputs.qmfSlots.mutableSpan
        for qmfSlot in stride(from: 0, to: count, by: 4) {
            sbr.channels[0].collect(qmfSlot, into: &qmfSlots)
            for subband in 3..<64 {
                synthesis.downmix.store(qmfSlots[subband] * SIMD4(repeating: gain), band: subband &+ 7, qmfSlot: qmfSlot)
            }
        }
        for qmfSlot in 0..<count + HybridAnalysis.reach {
            for subband in 0..<3 {
                synthesis.split.set(sbr.channels[0].low.value(subband, qmfSlot + 2) * gain, subband: subband, qmfSlot: qmfSlot)
            }
        }
        if stereoConfigIndex == 2 { loadResidual(offset: 2, delay: 0, gain: gain) }
        splitLowest()
        synthesis.mix()
    }

    /// Loads the residual from its filter bank.
    ///
    /// - Parameters:
    ///   - offset: The index of the frame's first time slot in the filter bank's output.
    ///   - delay: The delay of unsplit subbands, in time slots.
    private mutating func loadResidual(offset: Int, delay: Int, gain: Float) {
        let count = synthesis.qmfSlotCount
        let bandCount = min(synthesis.residualHybridCount - 7, coreBandCount)
        if bandCount > 3 {
            for qmfSlot in 0..<count {
                for subband in 3..<bandCount {
                    synthesis.residual[subband + 7, qmfSlot] = banks[1].value(subband, offset + qmfSlot - delay) * gain
                }
            }
        }
        for qmfSlot in 0..<count + HybridAnalysis.reach - delay {
            for subband in 0..<3 {
                synthesis.residualSplit.set(
                    banks[1].value(subband, offset + qmfSlot) * gain, subband: subband, qmfSlot: qmfSlot + delay)
            }
        }
        banks[1].advance()
    }

    /// Splits the lowest subbands of downmix and residual.
    private mutating func splitLowest() {
        for qmfSlot in stride(from: 0, to: synthesis.qmfSlotCount, by: 4) {
            var bands = outputs.qmfSlots.mutableSpan
            synthesis.split.split(qmfSlot, isFine: false, into: &bands)
            for band in 0..<10 { synthesis.downmix.store(bands[band], band: band, qmfSlot: qmfSlot) }
            guard stereoConfigIndex > 1 else { continue }
            synthesis.residualSplit.split(qmfSlot, isFine: false, into: &bands)
            for band in 0..<10 { synthesis.residual.store(bands[band], band: band, qmfSlot: qmfSlot) }
        }
    }

    /// Synthesizes the samples of an output.
    ///
    /// - Parameter output: Receives 64 samples per time slot, starting at `offset`.
    mutating func synthesize(_ channel: Int, into output: inout MutableSpan<Float>, at offset: Int) {
        for qmfSlot in stride(from: 0, to: synthesis.qmfSlotCount, by: 4) {
            merge(channel, qmfSlot, subbandCount: 64)
            outputs.synthesize(channel, qmfSlotCount: 4, into: &output, at: offset + 64 * qmfSlot)
        }
    }

    /// Adds up the hybrid bands of four time slots of an output to the subbands in ``qmfSlots``, one time slot per lane.
    private mutating func merge(_ channel: Int, _ qmfSlot: Int, subbandCount: Int) {
        let stride = SurroundPair.qmfSlotStride
        let values = synthesis.output.values.span.extracting(stride * qmfSlot..<stride * (qmfSlot + 4))
        var qmfSlots = outputs.qmfSlots.mutableSpan
        // The lowest subbands are sums of six, two and two bands.
        for subband in 0..<min(3, subbandCount) {
            let (first, count) = (subband == 0 ? 0 : 4 + 2 * subband, subband == 0 ? 6 : 2)
            var (a, b, c, d) = (values[first], values[stride &+ first], values[2 &* stride &+ first], values[3 &* stride &+ first])
            for band in first &+ 1..<first &+ count {
                a += values[band]
                b += values[stride &+ band]
                c += values[2 &* stride &+ band]
                d += values[3 &* stride &+ band]
            }
            let parts = SIMD4<Float>.transposed(a, b, c, d)
            qmfSlots[subband] = channel == 0 ? ComplexVector(parts.0, parts.1) : ComplexVector(parts.2, parts.3)
        }
        guard subbandCount > 3 else { return }
        let unsplit = values.extracting(7..<values.count)
        for subband in 3..<subbandCount {
            let parts = SIMD4<Float>.transposed(
                unsplit[subband], unsplit[stride &+ subband], unsplit[2 &* stride &+ subband], unsplit[3 &* stride &+ subband])
            qmfSlots[subband] = channel == 0 ? ComplexVector(parts.0, parts.1) : ComplexVector(parts.2, parts.3)
        }
    }

    // MARK: Before enhanced SBR

    /// Decodes a frame whose outputs enhanced SBR will process.
    mutating func decodeCore() {
        let gain = synthesis.inputGain
        let (count, kept) = (synthesis.qmfSlotCount, banks[0].retainedCount)
        for qmfSlot in 0..<count {
            for subband in 3..<coreBandCount {
                synthesis.downmix[subband + 7, qmfSlot] = banks[0].value(subband, kept + qmfSlot - HybridAnalysis.reach) * gain
            }
            for subband in 0..<3 {
                synthesis.split.set(
                    banks[0].value(subband, kept + qmfSlot) * gain, subband: subband, qmfSlot: qmfSlot + HybridAnalysis.reach)
            }
        }
        banks[0].advance()
        loadResidual(offset: kept, delay: HybridAnalysis.reach, gain: gain)
        splitLowest()
        synthesis.mix()
    }

    /// Stores the subbands of an output below `bandCount` in ``outputQMFSlots``.
    mutating func storeOutput(_ channel: Int, bandCount: Int) {
        for qmfSlot in stride(from: 0, to: synthesis.qmfSlotCount, by: 4) {
            merge(channel, qmfSlot, subbandCount: coreBandCount)
            var qmfSlots = outputs.qmfSlots.mutableSpan
            for band in bandCount..<max(bandCount, coreBandCount) { qmfSlots[band] = .zero }
            outputQMFSlots.store(bandCount: coreBandCount, qmfSlot: qmfSlot) { row in
                let (a, b, c, d) = (qmfSlots[4 * row], qmfSlots[4 * row + 1], qmfSlots[4 * row + 2], qmfSlots[4 * row + 3])
                return (
                    SIMD4<Float>.transposed(a.real, b.real, c.real, d.real),
                    SIMD4<Float>.transposed(a.imaginary, b.imaginary, c.imaginary, d.imaginary)
                )
            }
        }
    }
}
