// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
package import TransformCoding

/// The SBR and parametric stereo decoder of one channel element (ISO/IEC 14496-3:2009, 4.6.18 and 8.6.4).
///
/// For each access unit, call ``read(from:end:isChecked:)`` if the element has a payload and, when the whole access unit has been parsed,
/// ``startFrame()``. Then call one of the `synthesize` methods for each channel. Without an intact payload the frame is concealed from the
/// previous one. Before the first header the core is only upsampled.
package final class SBRElementDecoder {
    /// The core's frame length in samples: 1024 or 960; in AAC-ELD 512 or 480.
    package let coreFrameLength: Int
    /// Whether the output has the core sample rate (32-band synthesis) instead of twice that.
    let isDownsampled: Bool
    /// Whether parametric stereo has started, so that a mono core has two output channels.
    package private(set) var hasParametricStereo = false

    /// The SBR decoder of the core's channels.
    private var element: SBRElement
    /// Whether a payload was read since the last frame.
    private var hasReading = false
    private var readingStereo = ParametricStereoData()
    /// Whether ``readingStereo`` is valid.
    private var hasReadingStereo = false
    /// Whether the last payload, or its parametric stereo data, could not be decoded.
    ///
    /// Payloads before the first header do not count.
    package private(set) var hasLoss = false
    private var stereoHeader: ParametricStereoHeader?
    private var frameStereo = ParametricStereoData()
    /// Whether ``frameStereo`` is valid.
    private var hasFrameStereo = false
    /// The number of consecutive concealed frames.
    private var lossCount = 0
    /// The parametric stereo synthesis, if the stream may use it.
    private var stereo: ParametricStereoSynthesis?
    /// The synthesis filter bank of the right channel, if the stream may use parametric stereo.
    private var right: SlotSynthesis?

    /// The number of consecutive concealed frames after which the high band is muted.
    private static let maximumLossCount = 8

    /// Creates a decoder for an element with one or two channels.
    ///
    /// - Parameters:
    ///   - permitsStereo: Whether the element may contain parametric stereo.
    ///   - lowDelayHeaders: For AAC-ELD the element's header from the configuration, or an empty array without SBR; `nil` for other types.
    ///   - lowDelayBank: The filter bank of AAC-ELD.
    // Not inlined: the copies at its two call sites cost 1.7 kB of the compressed WebAssembly module (501 368 instead of 499 623 bytes).
    @inline(never)
    package init(
        coreRate: Int, coreFrameLength: Int, channelCount: Int, isDownsampled: Bool, permitsStereo: Bool = true,
        lowDelayHeaders: [SBRHeader]? = nil, lowDelayBank: QMFBank = .lowDelay
    ) {
        self.coreFrameLength = coreFrameLength
        self.isDownsampled = isDownsampled
        let layout =
            lowDelayHeaders == nil
            ? SlotLayout(coreFrameLength: coreFrameLength) : SlotLayout(lowDelayFrameLength: coreFrameLength, bank: lowDelayBank)
        element = SBRElement(
            layout, rate: 2 * coreRate, channelCount: channelCount, outputCount: channelCount, isDownsampled: isDownsampled)
        if permitsStereo && channelCount == 1 && lowDelayHeaders == nil {
            stereo = ParametricStereoSynthesis(layout)
            right = SlotSynthesis(channelCount: 1, isDownsampled: isDownsampled)
        }
        if let header = lowDelayHeaders?.first { element.reader.start(header) }
    }

    /// Passes the current frame's payload to `body` and its parametric stereo data, if valid, to `stereoBody`.
    ///
    /// Calls neither for a concealed frame.
    func inspectPayload(_ body: (borrowing SBRReading) -> Void, stereo stereoBody: (borrowing ParametricStereoData) -> Void) {
        guard lossCount == 0, element.hasFrame else { return }
        body(element.frame)
        if hasFrameStereo { stereoBody(frameStereo) }
    }

    /// Passes the reader with the current frame's payload to `body`.
    ///
    /// Does not call it for a concealed frame, nor before the first header.
    package func withReader<Failure: Error>(_ body: (borrowing SBRReader) throws(Failure) -> Void) throws(Failure) {
        if lossCount == 0, element.hasFrame { try body(element.reader) }
    }

    /// The output frame length, in samples.
    package var frameLength: Int { isDownsampled ? coreFrameLength : 2 * coreFrameLength }

    /// Reads `sbr_extension_data()` after the extension type.
    ///
    /// It takes effect with the next frame.
    ///
    /// - Parameters:
    ///   - end: The end of the payload, as a bit position of the reader.
    ///   - isChecked: Whether `bs_sbr_crc_bits` come first (extension type 14).
    /// - Returns: Whether the payload is intact.
    package func read(from bits: inout BitReader, end: Int, isChecked: Bool) -> Bool {
        hasReading = element.read(from: &bits, end: end, isChecked: isChecked)
        hasReadingStereo = false
        hasLoss = element.reader.isLost
        if hasReading, let stereoBits = element.reading.stereoBits {
            bits.skip(stereoBits.lowerBound - bits.bitPosition)
            let isValid = readingStereo.read(from: &bits, after: stereoHeader)
            hasReadingStereo = isValid && bits.bitPosition <= stereoBits.upperBound
            if !hasReadingStereo, readingStereo.hasHeader || stereoHeader != nil { hasLoss = true }
        }
        return hasReading
    }

    /// Reads the data of an AAC-ELD element, which takes effect with the next frame.
    ///
    /// The reader ends after it.
    func readLowDelay(from bits: inout BitReader, isChecked: Bool) {
        hasReading = element.readLowDelay(from: &bits, isChecked: isChecked)
        hasReadingStereo = false
        hasLoss = element.reader.isLost
    }

    /// Adds the level fields of the payload read last, before ``startFrame()``.
    ///
    /// - Parameters:
    ///   - isSilent: 1 for each core channel without a signal.
    ///   - chain: The number of the first channel's chain.
    func addGainFields(isSilent: SIMD2<UInt8>, chain: Int, to fields: inout GainFields) {
        if hasReading { element.reader.addGainFields(element.reading, isSilent: isSilent, chain: chain, to: &fields) }
    }

    /// Discards the payload read last, because its access unit is damaged.
    func discard() { hasReading = false }

    /// Starts the frame of the payload read last, or a concealed frame.
    package func startFrame() {
        if hasReading, hasReadingStereo { stereoHeader = readingStereo.header }
        if hasReading, element.reading.hasLevels {
            element.startFrame()
            acceptStereo(hasReadingStereo)
            lossCount = 0
        } else {
            concealFrame()
        }
        hasReading = false
    }

    /// Conceals a lost frame, or one with unknown levels.
    ///
    /// Stops the high band before the first header and after many losses.
    private func concealFrame() {
        // After a reset, the stored levels belong to other bands.
        let isLost = hasReading && element.reading.isReset
        if hasReading { element.commitHeaders() }
        lossCount += 1
        guard element.hasFrame, !isLost, lossCount <= Self.maximumLossCount else {
            element.endFrames()
            hasFrameStereo = false
            return
        }
        element.concealFrame()
        acceptStereo(element.hasFrame && hasReading && hasReadingStereo)
    }

    /// Makes the parametric stereo data read last the current frame's if `isValid`.
    private func acceptStereo(_ isValid: Bool) {
        hasFrameStereo = isValid
        if isValid { swap(&frameStereo, &readingStereo) }
    }

    /// Starts a frame of an output channel's dynamic range control, with the gains of the core channel `source`.
    func control(_ channel: Int, by control: borrowing DynamicRangeControl, source: Int, isShort: Bool) {
        if element.gains.count == 0 { element.gains = FixedArray(count: 2) { _ in SubbandGains() } }
        control.apply(toChannel: source, isShort: isShort, frameLength: coreFrameLength, &element.gains[channel])
    }

    /// Synthesizes one output channel.
    ///
    /// - Parameters:
    ///   - channel: 0, or 1 in a pair.
    ///   - core: A frame of core samples, with a full scale of ±32768.
    ///   - output: Receives ``frameLength`` samples starting at `offset`, with the same scale.
    package func synthesize(_ channel: Int, core: Span<Float>, into output: inout MutableSpan<Float>, at offset: Int) {
        element.extend(channel, core: core)
        element.synthesize(channel, into: &output, at: offset)
    }

    /// Synthesizes both output channels of a mono core.
    ///
    /// They are identical until parametric stereo starts.
    ///
    /// - Parameters:
    ///   - core: A frame of core samples, with a full scale of ±32768.
    ///   - output: Receives ``frameLength`` samples starting at `left`, and the same number at `right`.
    package func synthesizeStereo(core: Span<Float>, into output: inout MutableSpan<Float>, left: Int, right: Int) {
        element.extend(0, core: core)
        stereo?.load(element.channels[0].low)
        if !hasParametricStereo, hasFrameStereo {
            hasParametricStereo = true
            self.right?.copyState(of: element.synthesis)
        }
        if hasParametricStereo {
            synthesizeParametricStereo(into: &output, left: left, right: right)
            element.channels[0].advance()
        } else {
            element.synthesize(0, into: &output, at: left)
            for index in stride(from: 0, to: frameLength, by: 4) {
                output.store(output.vector(at: left + index), at: right + index)
            }
        }
        stereo?.advanceAnalysis()
    }

    /// Extends the spectrum of a mono core frame, and passes its time slots to MPEG Surround instead of a synthesis filter bank.
    func extend(_ core: Span<Float>, into surround: LowDelaySurroundDecoder) {
        element.extend(0, core: core)
        for qmfSlot in stride(from: 0, to: element.layout.qmfSlotCount, by: 4) {
            element.collect(0, qmfSlot)
            surround.surround.load(element.synthesis.qmfSlots.span, qmfSlot: qmfSlot)
        }
        element.channels[0].advance()
    }

    /// Synthesizes both channels from the mono subbands.
    private func synthesizeParametricStereo(into output: inout MutableSpan<Float>, left: Int, right: Int) {
        guard var bank = self.right.take(), var stereo = self.stereo.take() else { return }
        if hasFrameStereo { stereo.begin(frameStereo) } else { stereo.startWithoutData() }
        Self.synthesizeQMFSlots(&element, &stereo, &bank, into: &output, left: left, right: right)
        stereo.advance()
        self.stereo = consume stereo
        self.right = consume bank
    }

    /// Synthesizes both channels without access to stored properties, each of which would be checked at run time.
    private static func synthesizeQMFSlots(
        _ element: inout SBRElement, _ stereo: inout ParametricStereoSynthesis, _ bank: inout SlotSynthesis,
        into output: inout MutableSpan<Float>, left: Int, right: Int
    ) {
        let frameQMFSlotCount = element.layout.qmfSlotCount
        let rowCount = max(element.channels[0].rowCount, ParametricStereoSynthesis.minimumRowCount)
        for qmfSlot in stride(from: 0, to: frameQMFSlotCount, by: 4) {
            let (count, offset) = (min(4, frameQMFSlotCount - qmfSlot), bank.qmfSlotLength * qmfSlot)
            element.collect(0, qmfSlot)
            do {
                var leftQMFSlots = element.synthesis.qmfSlots.mutableSpan
                var rightQMFSlots = bank.qmfSlots.mutableSpan
                stereo.synthesize(&leftQMFSlots, right: &rightQMFSlots, rowCount: rowCount, qmfSlot: qmfSlot, qmfSlotCount: count)
            }
            element.controlQMFSlots(0, qmfSlot)
            if element.gains.count > 0 {
                var slots = bank.qmfSlots.mutableSpan
                element.gains[1].apply(to: &slots, qmfSlot: qmfSlot, qmfSlotCount: frameQMFSlotCount)
            }
            element.synthesis.synthesize(0, qmfSlotCount: count, rowCount: rowCount, into: &output, at: left + offset)
            bank.synthesize(0, qmfSlotCount: count, rowCount: rowCount, into: &output, at: right + offset)
        }
    }
}
