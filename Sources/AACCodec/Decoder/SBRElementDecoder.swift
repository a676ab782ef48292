// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

/// The decoder of spectral band replication and parametric stereo of one channel element (ISO/IEC 14496-3:2009, 4.6.18 and
/// 8.6.4).
///
/// Per access unit: ``read(from:end:isChecked:)`` if the element has a payload; after the whole unit has been parsed,
/// ``beginFrame()``; then one of the `synthesize` methods for each channel. Without an intact payload the frame is concealed
/// from the one before; before the first header the core is only upsampled.
final class SBRElementDecoder {
    /// Samples of a core frame, 1024 or 960.
    let coreFrameLength: Int
    /// Whether the output has the sample rate of the core (the synthesis bank of 32 bands) instead of twice that.
    let isDownsampled: Bool
    /// Whether parametric stereo has begun, so that a mono core has two output channels.
    private(set) var hasParametricStereo = false

    private var reader: SBRReader
    /// The payload read last, if there is one since the last frame.
    private var reading = SBRReading()
    /// Whether there is a payload since the last frame.
    private var hasReading = false
    /// Its parametric stereo; nil without valid data.
    private var readingStereo: ParametricStereoData?
    /// The header of parametric stereo in force.
    private var stereoHeader: ParametricStereoHeader?
    /// The current frame, unless there is only upsampling.
    private var frame = SBRReading()
    /// Whether there is a frame, not only upsampling.
    private var hasFrame = false
    /// The parametric stereo of the current frame; nil without valid data.
    private var frameStereo: ParametricStereoData?
    /// Consecutive concealed frames.
    private var lossCount = 0
    private var settings: SBRChannel.Settings
    private var first = SBRChannel()
    private var second = SBRChannel()
    private var firstSynthesis = QMFSynthesis()
    private var secondSynthesis = QMFSynthesis()
    private var stereo = ParametricStereoSynthesis()

    /// Consecutive concealed frames after which the high band is switched off.
    private static let maximumLossCount = 8

    /// Creates a decoder for an element of one channel or two.
    init(coreRate: Int, coreFrameLength: Int, channelCount: Int, isDownsampled: Bool) {
        self.coreFrameLength = coreFrameLength
        self.isDownsampled = isDownsampled
        let columnCount = coreFrameLength / 32
        reader = SBRReader(coreRate: coreRate, slotCount: columnCount / 2, channelCount: channelCount)
        settings = SBRChannel.Settings(
            columnCount: columnCount, lowBandCount: 32, previousLowBandCount: 32, isReset: false)
    }

    /// The number of core channels.
    var channelCount: Int { reader.channelCount }

    /// The payload of the current frame; nil for a concealed frame.
    var payloadReading: SBRReading? { lossCount == 0 && hasFrame ? frame : nil }

    /// The parametric stereo of the current frame's payload; nil without valid data.
    var payloadStereo: ParametricStereoData? { lossCount == 0 ? frameStereo : nil }

    /// Samples of an output frame.
    var frameLength: Int { isDownsampled ? coreFrameLength : 2 * coreFrameLength }

    /// Reads `sbr_extension_data()` from after the extension type, to take effect at the next frame.
    ///
    /// - Parameters:
    ///   - end: The position after the payload's last bit, within the reader's bits.
    ///   - isChecked: Whether `bs_sbr_crc_bits` come first (extension type 14).
    /// - Returns: Whether the payload is intact.
    func read(from bits: inout BitReader, end: Int, isChecked: Bool) -> Bool {
        hasReading = reader.read(&reading, from: &bits, end: end, isChecked: isChecked)
        readingStereo = nil
        if hasReading, let stereoBits = reading.stereoBits {
            bits.skip(stereoBits.lowerBound - bits.bitPosition)
            let stereo = ParametricStereoData(reading: &bits, after: stereoHeader)
            if bits.bitPosition <= stereoBits.upperBound { readingStereo = stereo }
        }
        return hasReading
    }

    /// Discards the payload read last, because its access unit is damaged.
    func discard() { hasReading = false }

    /// Begins the frame of the payload read last, or a concealed one.
    func beginFrame() {
        if hasReading, let header = readingStereo?.header { stereoHeader = header }
        if hasReading, reading.hasLevels {
            reader.commit(reading)
            frame = reading
            frame.isReset = reading.isReset || !hasFrame
            hasFrame = true
            frameStereo = readingStereo
            lossCount = 0
        } else {
            concealFrame()
        }
        hasReading = false
        settings.previousLowBandCount = settings.lowBandCount
        settings.lowBandCount = hasFrame ? frame.tables.crossoverSubband : 32
        settings.isReset = hasFrame && frame.isReset
    }

    /// Replaces a frame that is lost, or whose levels are unknown; no frame before the first header and after many losses.
    private func concealFrame() {
        if hasReading {
            reader.commitHeaders(of: reading)
            // The kept levels belong to other bands.
            if reading.isReset { hasFrame = false }
        }
        lossCount += 1
        guard hasFrame, lossCount <= Self.maximumLossCount else {
            hasFrame = false
            frameStereo = nil
            return
        }
        hasFrame = reader.conceal(&frame)
        frameStereo = hasFrame && hasReading ? readingStereo : nil
    }

    /// Synthesizes the output of one channel.
    ///
    /// - Parameters:
    ///   - channel: 0, or 1 in a pair.
    ///   - core: A frame of the core's samples, ±32768 at full scale.
    ///   - output: Receives ``frameLength`` samples from `offset` on, at the same scale.
    func synthesize(_ channel: Int, core: Span<Float>, into output: inout MutableSpan<Float>, at offset: Int) {
        if channel == 0 {
            extend(&first, channel: 0, core: core)
            Self.synthesize(
                &first, with: &firstSynthesis, settings: settings, isDownsampled: isDownsampled, into: &output, at: offset)
            first.advance(columnCount: settings.columnCount)
        } else {
            extend(&second, channel: 1, core: core)
            Self.synthesize(
                &second, with: &secondSynthesis, settings: settings, isDownsampled: isDownsampled, into: &output, at: offset)
            second.advance(columnCount: settings.columnCount)
        }
    }

    /// Synthesizes both output channels of a mono core; they are identical until parametric stereo begins.
    ///
    /// - Parameters:
    ///   - core: A frame of the core's samples, ±32768 at full scale.
    ///   - output: Receives ``frameLength`` samples from `left` on and as many from `right` on.
    func synthesizeStereo(core: Span<Float>, into output: inout MutableSpan<Float>, left: Int, right: Int) {
        extend(&first, channel: 0, core: core)
        stereo.load(&first.low, columnCount: settings.columnCount)
        if !hasParametricStereo, frameStereo != nil {
            hasParametricStereo = true
            secondSynthesis.copyState(of: firstSynthesis)
        }
        if hasParametricStereo {
            synthesizeParametricStereo(into: &output, left: left, right: right)
        } else {
            Self.synthesize(
                &first, with: &firstSynthesis, settings: settings, isDownsampled: isDownsampled, into: &output, at: left)
            for index in stride(from: 0, to: frameLength, by: 4) {
                output.store(output.vector(at: left + index), at: right + index)
            }
        }
        stereo.advanceAnalysis(columnCount: settings.columnCount)
        first.advance(columnCount: settings.columnCount)
    }

    /// Synthesizes both channels from the subbands of the one, four columns at a time.
    private func synthesizeParametricStereo(into output: inout MutableSpan<Float>, left: Int, right: Int) {
        stereo.begin(frameStereo, columnCount: settings.columnCount)
        var leftBands = InlineArray<64, ComplexVector>(repeating: .zero)
        var rightBands = InlineArray<64, ComplexVector>(repeating: .zero)
        var workBands = InlineArray<64, ComplexVector>(repeating: .zero)
        var leftSpan = leftBands.mutableSpan
        var rightSpan = rightBands.mutableSpan
        var work = workBands.mutableSpan
        let samplesPerColumn = isDownsampled ? 32 : 64
        for column in stride(from: 0, to: settings.columnCount, by: 4) {
            let count = min(4, settings.columnCount - column)
            first.collect(column, into: &leftSpan)
            stereo.synthesize(&leftSpan, right: &rightSpan, column: column, columnCount: count)
            let offset = samplesPerColumn * column
            if isDownsampled {
                firstSynthesis.synthesize32(
                    &leftSpan, work: &work, columnCount: count, into: &output, at: left + offset, tables: QMFTables.shared)
                secondSynthesis.synthesize32(
                    &rightSpan, work: &work, columnCount: count, into: &output, at: right + offset, tables: QMFTables.shared)
            } else {
                firstSynthesis.synthesize64(
                    &leftSpan, work: &work, columnCount: count, into: &output, at: left + offset, tables: QMFTables.shared)
                secondSynthesis.synthesize64(
                    &rightSpan, work: &work, columnCount: count, into: &output, at: right + offset, tables: QMFTables.shared)
            }
        }
        stereo.advance(columnCount: settings.columnCount)
    }

    /// Analyses a frame of a channel's core, and generates and adjusts its high band.
    private func extend(_ channel: inout SBRChannel, channel index: Int, core: Span<Float>) {
        channel.analyze(core, settings, tables: QMFTables.shared)
        guard hasFrame else { return channel.extendNothing() }
        channel.extend(&frame, channel: index, settings: settings)
    }

    /// Synthesizes all columns of a channel's frame.
    private static func synthesize(
        _ channel: inout SBRChannel, with bank: inout QMFSynthesis, settings: SBRChannel.Settings, isDownsampled: Bool,
        into output: inout MutableSpan<Float>, at offset: Int
    ) {
        var bands = InlineArray<64, ComplexVector>(repeating: .zero)
        var workBands = InlineArray<64, ComplexVector>(repeating: .zero)
        var pairs = bands.mutableSpan
        var work = workBands.mutableSpan
        for column in stride(from: 0, to: settings.columnCount, by: 4) {
            let count = min(4, settings.columnCount - column)
            if isDownsampled {
                channel.collect(column, into: &pairs)
                bank.synthesize32(
                    &pairs, work: &work, columnCount: count, into: &output, at: offset + 32 * column, tables: QMFTables.shared)
            } else {
                channel.collectPairs(column, into: &pairs, tables: QMFTables.shared)
                bank.synthesizePaired64(
                    &pairs, work: &work, columnCount: count, into: &output, at: offset + 64 * column, tables: QMFTables.shared)
            }
        }
    }
}
