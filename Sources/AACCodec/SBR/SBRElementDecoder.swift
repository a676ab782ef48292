// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

/// Spectral band replication, and parametric stereo, of one channel element (ISO/IEC 14496-3:2009, 4.6.18 and 8.6.4).
///
/// Per access unit: ``read(from:end:isChecked:)`` if the element has a payload, then, once the whole unit has turned out
/// sound, ``beginFrame()``, then one of the `synthesize` methods for each channel. Without a payload, or with a damaged one,
/// the frame is made up from the one before; before the first header the core is only brought to the output rate.
final class SBRElementDecoder {
    /// Samples of a core frame, 1024 or 960.
    let coreFrameLength: Int
    /// Whether the output has the core's rate (the bank of 32 bands), not twice that.
    let isDownsampled: Bool
    /// Whether parametric stereo has begun, so that there are two channels of a mono core.
    private(set) var hasParametricStereo = false

    private var reader: SBRReader
    private var reading: SBRReading?
    private var frame: SBRReading?
    private var previousLowBandCount = 32
    private var lossCount = 0
    private var settings: SBRChannel.Settings
    private var first = SBRChannel()
    private var second = SBRChannel()
    private var firstSynthesis = QMFSynthesis()
    private var secondSynthesis = QMFSynthesis()
    private var stereo = ParametricStereoSynthesis()

    /// Frames made up in a row after which the high band is given up.
    private static let maximumLossCount = 8

    /// Makes a decoder for an element of one channel or two.
    init(coreRate: Int, coreFrameLength: Int, channelCount: Int, isDownsampled: Bool) {
        self.coreFrameLength = coreFrameLength
        self.isDownsampled = isDownsampled
        let columnCount = coreFrameLength / 32
        reader = SBRReader(coreRate: coreRate, slotCount: columnCount / 2, channelCount: channelCount)
        settings = SBRChannel.Settings(
            columnCount: columnCount, lowBandCount: 32, previousLowBandCount: 32, isReset: false)
    }

    /// Channels of the core.
    var channelCount: Int { reader.channelCount }

    /// What the frame was made of; nil for one made up.
    var payloadReading: SBRReading? { lossCount == 0 ? frame : nil }

    /// Samples of an output frame.
    var frameLength: Int { isDownsampled ? coreFrameLength : 2 * coreFrameLength }

    /// Reads a payload from behind its extension type; false for a damaged one.
    ///
    /// The outcome takes effect at the next frame.
    ///
    /// - Parameters:
    ///   - end: The position behind the payload's last bit, within the reader's bits.
    ///   - isChecked: Whether a check sum is in front (extension type 14).
    func read(from bits: inout BitReader, end: Int, isChecked: Bool) -> Bool {
        reading = reader.read(from: &bits, end: end, isChecked: isChecked)
        return reading != nil
    }

    /// Forgets a payload that was read in a unit that has turned out damaged.
    func discard() { reading = nil }

    /// Goes on to the frame of the payload read last, or to one made up.
    func beginFrame() {
        if var next = reading, next.hasLevels {
            reader.take(next)
            next.isReset = next.isReset || frame == nil
            frame = next
            lossCount = 0
        } else {
            makeUpFrame()
        }
        reading = nil
        settings.previousLowBandCount = settings.lowBandCount
        settings.lowBandCount = frame.map { $0.tables.crossoverSubband } ?? 32
        settings.isReset = frame.map { $0.isReset } ?? false
    }

    /// Puts a frame in place of one that is lost, or whose levels can't be known; none at first, and none in the long run.
    private func makeUpFrame() {
        if let reading {
            reader.takeHeaders(reading)
            // The levels kept belong to other bands.
            if reading.isReset { frame = nil }
        }
        lossCount += 1
        guard frame != nil, lossCount <= Self.maximumLossCount else { return frame = nil }
        frame = reader.conceal()
        frame?.stereo = reading?.stereo
    }

    /// Makes the output of one channel.
    ///
    /// - Parameters:
    ///   - channel: 0, or 1 in a pair.
    ///   - core: A frame of the core's samples, ±32768 at full scale.
    ///   - output: Takes ``frameLength`` samples from `offset` on, at the same scale.
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

    /// Makes both channels of a mono core: alike until parametric stereo begins.
    func synthesizeStereo(core: Span<Float>, into output: inout MutableSpan<Float>, left: Int, right: Int) {
        extend(&first, channel: 0, core: core)
        first.loadLow(into: &stereo, columnCount: settings.columnCount)
        if !hasParametricStereo, frame?.stereo != nil {
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

    private func synthesizeParametricStereo(into output: inout MutableSpan<Float>, left: Int, right: Int) {
        stereo.begin(frame?.stereo, columnCount: settings.columnCount)
        var leftBands = InlineArray<64, ComplexVector>(repeating: .zero)
        var rightBands = InlineArray<64, ComplexVector>(repeating: .zero)
        var leftWork = leftBands.mutableSpan
        var rightWork = rightBands.mutableSpan
        let samplesPerColumn = isDownsampled ? 32 : 64
        for column in stride(from: 0, to: settings.columnCount, by: 4) {
            let count = min(4, settings.columnCount - column)
            first.collect(column, into: &leftWork)
            stereo.synthesize(&leftWork, right: &rightWork, column: column, columnCount: count)
            let offset = samplesPerColumn * column
            Self.synthesize(
                &leftWork, count, with: &firstSynthesis, isDownsampled: isDownsampled, into: &output, at: left + offset)
            Self.synthesize(
                &rightWork, count, with: &secondSynthesis, isDownsampled: isDownsampled, into: &output, at: right + offset)
        }
        stereo.advance(columnCount: settings.columnCount)
    }

    private func extend(_ channel: inout SBRChannel, channel index: Int, core: Span<Float>) {
        channel.analyze(core, settings, tables: QMFTables.shared)
        guard let frame else { return channel.extendNothing() }
        channel.extend(frame.channels[index], header: frame.header, tables: frame.tables, settings: settings)
    }

    private static func synthesize(
        _ channel: inout SBRChannel, with bank: inout QMFSynthesis, settings: SBRChannel.Settings, isDownsampled: Bool,
        into output: inout MutableSpan<Float>, at offset: Int
    ) {
        var bands = InlineArray<64, ComplexVector>(repeating: .zero)
        var work = bands.mutableSpan
        for column in stride(from: 0, to: settings.columnCount, by: 4) {
            let count = min(4, settings.columnCount - column)
            channel.collect(column, into: &work)
            synthesize(
                &work, count, with: &bank, isDownsampled: isDownsampled, into: &output,
                at: offset + (isDownsampled ? 32 : 64) * column)
        }
    }

    private static func synthesize(
        _ bands: inout MutableSpan<ComplexVector>, _ columnCount: Int, with bank: inout QMFSynthesis, isDownsampled: Bool,
        into output: inout MutableSpan<Float>, at offset: Int
    ) {
        if isDownsampled {
            bank.synthesize32(&bands, columnCount: columnCount, into: &output, at: offset, tables: QMFTables.shared)
        } else {
            bank.synthesize64(&bands, columnCount: columnCount, into: &output, at: offset, tables: QMFTables.shared)
        }
    }
}
