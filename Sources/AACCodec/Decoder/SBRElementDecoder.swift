// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
package import TransformCoding

/// The decoder of spectral band replication and parametric stereo of one channel element (ISO/IEC 14496-3:2009, 4.6.18 and
/// 8.6.4).
///
/// Per access unit: ``read(from:end:isChecked:)`` if the element has a payload; after the whole unit has been parsed,
/// ``beginFrame()``; then one of the `synthesize` methods for each channel. Without an intact payload the frame is concealed
/// from the one before; before the first header the core is only upsampled.
package final class SBRElementDecoder {
    /// Samples of a core frame: 1024 or 960, in AAC-ELD 512 or 480.
    package let coreFrameLength: Int
    /// Whether the output has the sample rate of the core (the synthesis bank of 32 bands) instead of twice that.
    let isDownsampled: Bool
    /// Whether parametric stereo has begun, so that a mono core has two output channels.
    package private(set) var hasParametricStereo = false

    /// SBR up to the output of the core's channels.
    private var element: SBRElement
    /// Whether there is a payload since the last frame.
    private var hasReading = false
    /// Its parametric stereo.
    private var readingStereo = ParametricStereoData()
    /// Whether its parametric stereo is valid.
    private var hasReadingStereo = false
    /// Whether the last payload, or its parametric stereo, cannot be decoded.
    ///
    /// Payloads before the first header do not count.
    package private(set) var hasLoss = false
    /// The header of parametric stereo in force.
    private var stereoHeader: ParametricStereoHeader?
    /// The parametric stereo of the current frame.
    private var frameStereo = ParametricStereoData()
    /// Whether there is valid parametric stereo for the current frame.
    private var hasFrameStereo = false
    /// Consecutive concealed frames.
    private var lossCount = 0
    /// Parametric stereo, where the stream may have it.
    private var stereo: ParametricStereoSynthesis?
    /// The filter bank of the right channel, likewise.
    private var right: ColumnSynthesis?

    /// Consecutive concealed frames after which the high band is switched off.
    private static let maximumLossCount = 8

    /// Creates a decoder for an element of one channel or two.
    ///
    /// - Parameters:
    ///   - permitsStereo: Whether the element may have parametric stereo.
    ///   - lowDelayHeaders: Of an element of AAC-ELD the header in the configuration, or none for one without SBR; nil for other types.
    ///   - lowDelayBank: The filter bank of AAC-ELD.
    // Where it is called twice, its inlined copies take 1.7 kB of the WebAssembly module after compression (501 368 to 499 623 bytes).
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
            right = ColumnSynthesis(channelCount: 1, isDownsampled: isDownsampled)
        }
        if let header = lowDelayHeaders?.first { element.reader.start(header) }
    }

    /// The number of core channels.
    var channelCount: Int { element.reader.channelCount }

    /// Passes the payload of the current frame to `body`, and its parametric stereo to `stereoBody` where that is valid; neither for a
    /// concealed frame.
    func inspectPayload(_ body: (borrowing SBRReading) -> Void, stereo stereoBody: (borrowing ParametricStereoData) -> Void) {
        guard lossCount == 0, element.hasFrame else { return }
        body(element.frame)
        if hasFrameStereo { stereoBody(frameStereo) }
    }

    /// Samples of an output frame.
    package var frameLength: Int { isDownsampled ? coreFrameLength : 2 * coreFrameLength }

    /// Reads `sbr_extension_data()` from after the extension type, to take effect at the next frame.
    ///
    /// - Parameters:
    ///   - end: The position after the payload's last bit, within the reader's bits.
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

    /// Reads the data of an element of AAC-ELD, to take effect at the next frame; the reader is left after it.
    func readLowDelay(from bits: inout BitReader, isChecked: Bool) {
        hasReading = element.readLowDelay(from: &bits, isChecked: isChecked)
        hasReadingStereo = false
        hasLoss = element.reader.isLost
    }

    /// Discards the payload read last, because its access unit is damaged.
    func discard() { hasReading = false }

    /// Begins the frame of the payload read last, or a concealed one.
    package func beginFrame() {
        if hasReading, hasReadingStereo { stereoHeader = readingStereo.header }
        if hasReading, element.reading.hasLevels {
            element.beginFrame()
            takeStereo(hasReadingStereo)
            lossCount = 0
        } else {
            concealFrame()
        }
        hasReading = false
    }

    /// Replaces a frame that is lost, or whose levels are unknown; no frame before the first header and after many losses.
    private func concealFrame() {
        // The kept levels belong to other bands after a reset.
        let isLost = hasReading && element.reading.isReset
        if hasReading { element.commitHeaders() }
        lossCount += 1
        guard element.hasFrame, !isLost, lossCount <= Self.maximumLossCount else {
            element.endFrames()
            hasFrameStereo = false
            return
        }
        element.concealFrame()
        takeStereo(element.hasFrame && hasReading && hasReadingStereo)
    }

    /// Makes the parametric stereo read last that of the current frame, if `isValid`.
    private func takeStereo(_ isValid: Bool) {
        hasFrameStereo = isValid
        if isValid { swap(&frameStereo, &readingStereo) }
    }

    /// Synthesizes the output of one channel.
    ///
    /// - Parameters:
    ///   - channel: 0, or 1 in a pair.
    ///   - core: A frame of the core's samples, ±32768 at full scale.
    ///   - output: Receives ``frameLength`` samples from `offset` on, at the same scale.
    package func synthesize(_ channel: Int, core: Span<Float>, into output: inout MutableSpan<Float>, at offset: Int) {
        element.extend(channel, core: core)
        element.synthesize(channel, into: &output, at: offset)
    }

    /// Synthesizes both output channels of a mono core; they are identical until parametric stereo begins.
    ///
    /// - Parameters:
    ///   - core: A frame of the core's samples, ±32768 at full scale.
    ///   - output: Receives ``frameLength`` samples from `left` on and as many from `right` on.
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

    /// Extends the spectrum of a frame of a mono core, whose columns MPEG Surround takes in place of synthesis.
    func extend(_ core: Span<Float>, into surround: LowDelaySurroundDecoder) {
        element.extend(0, core: core)
        for column in stride(from: 0, to: element.layout.columnCount, by: 4) {
            element.collect(0, column)
            surround.surround.load(element.synthesis.columns.span, column: column)
        }
        element.channels[0].advance()
    }

    /// Synthesizes both channels from the subbands of the one.
    private func synthesizeParametricStereo(into output: inout MutableSpan<Float>, left: Int, right: Int) {
        guard var bank = self.right.take() else { return }
        if hasFrameStereo { stereo?.begin(frameStereo) } else { stereo?.beginWithoutData() }
        for column in stride(from: 0, to: element.layout.columnCount, by: 4) {
            let (count, offset) = (min(4, element.layout.columnCount - column), bank.columnLength * column)
            element.collect(0, column)
            var leftColumns = element.synthesis.columns.mutableSpan
            var rightColumns = bank.columns.mutableSpan
            stereo?.synthesize(&leftColumns, right: &rightColumns, column: column, columnCount: count)
            element.synthesis.synthesize(0, columnCount: count, into: &output, at: left + offset)
            bank.synthesize(0, columnCount: count, into: &output, at: right + offset)
        }
        stereo?.advance()
        self.right = consume bank
    }
}
