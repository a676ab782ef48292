// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import TransformCoding

/// The decoder of spectral band replication and parametric stereo of one channel element (ISO/IEC 14496-3:2009, 4.6.18 and
/// 8.6.4).
///
/// Per access unit: ``read(from:end:isChecked:)`` if the element has a payload; after the whole unit has been parsed,
/// ``beginFrame()``; then one of the `synthesize` methods for each channel. Without an intact payload the frame is concealed
/// from the one before; before the first header the core is only upsampled.
final class SBRElementDecoder {
    /// Samples of a core frame: 1024 or 960, in AAC-ELD 512 or 480.
    let coreFrameLength: Int
    /// Whether the output has the sample rate of the core (the synthesis bank of 32 bands) instead of twice that.
    let isDownsampled: Bool
    /// Whether parametric stereo has begun, so that a mono core has two output channels.
    private(set) var hasParametricStereo = false

    private var reader: SBRReader
    /// The payload read last, if there is one since the last frame.
    private var reading: SBRReading
    /// Whether there is a payload since the last frame.
    private var hasReading = false
    /// Its parametric stereo.
    private var readingStereo = ParametricStereoData()
    /// Whether its parametric stereo is valid.
    private var hasReadingStereo = false
    /// Whether the last payload, or its parametric stereo, cannot be decoded.
    ///
    /// Payloads before the first header do not count.
    private(set) var hasLoss = false
    /// The header of parametric stereo in force.
    private var stereoHeader: ParametricStereoHeader?
    /// The current frame, unless there is only upsampling.
    private var frame: SBRReading
    /// Whether there is a frame, not only upsampling.
    private var hasFrame = false
    /// The parametric stereo of the current frame.
    private var frameStereo = ParametricStereoData()
    /// Whether there is valid parametric stereo for the current frame.
    private var hasFrameStereo = false
    /// Consecutive concealed frames.
    private var lossCount = 0
    private let layout: SlotLayout
    private var settings = SBRChannel.Settings(lowBandCount: 32, previousLowBandCount: 32, isReset: false)
    private var first: SBRChannel
    private var second: SBRChannel
    private var firstSynthesis: QMFSynthesis
    private var secondSynthesis: QMFSynthesis
    private var stereo: ParametricStereoSynthesis
    private var columns = ColumnBuffers()

    /// Consecutive concealed frames after which the high band is switched off.
    private static let maximumLossCount = 8

    /// Creates a decoder for an element of one channel or two.
    ///
    /// - Parameters:
    ///   - lowDelayHeaders: Of an element of AAC-ELD the header in the configuration, or none for one without SBR; nil for other types.
    ///   - lowDelayBank: The filter bank of AAC-ELD.
    // Where it is called twice, its inlined copies take 1.7 kB of the WebAssembly module after compression (501 368 to 499 623 bytes).
    @inline(never)
    init(
        coreRate: Int, coreFrameLength: Int, channelCount: Int, isDownsampled: Bool, lowDelayHeaders: [SBRHeader]? = nil,
        lowDelayBank: QMFBank = .lowDelay
    ) {
        let isLowDelay = lowDelayHeaders != nil
        self.coreFrameLength = coreFrameLength
        self.isDownsampled = isDownsampled
        layout =
            isLowDelay
            ? SlotLayout(lowDelayFrameLength: coreFrameLength, bank: lowDelayBank) : SlotLayout(coreFrameLength: coreFrameLength)
        firstSynthesis = QMFSynthesis(layout.bank)
        secondSynthesis = QMFSynthesis(layout.bank)
        reader = SBRReader(coreRate: coreRate, slotCount: layout.slotCount, channelCount: channelCount)
        reading = SBRReading(channelCount: channelCount, slotCount: layout.slotCount)
        frame = SBRReading(channelCount: channelCount, slotCount: layout.slotCount)
        first = SBRChannel(layout)
        second = SBRChannel(layout)
        // AAC-ELD has none; it is laid out for as many slots of two columns.
        stereo = ParametricStereoSynthesis(isLowDelay ? SlotLayout(coreFrameLength: 2 * coreFrameLength) : layout)
        if let header = lowDelayHeaders?.first { reader.start(header) }
    }

    /// The number of core channels.
    var channelCount: Int { reader.channelCount }

    /// Passes the payload of the current frame to `body`, and its parametric stereo to `stereoBody` where that is valid; neither for a
    /// concealed frame.
    func inspectPayload(_ body: (borrowing SBRReading) -> Void, stereo stereoBody: (borrowing ParametricStereoData) -> Void) {
        guard lossCount == 0, hasFrame else { return }
        body(frame)
        if hasFrameStereo { stereoBody(frameStereo) }
    }

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
        hasReadingStereo = false
        hasLoss = reader.isLost
        if hasReading, let stereoBits = reading.stereoBits {
            bits.skip(stereoBits.lowerBound - bits.bitPosition)
            let isValid = readingStereo.read(from: &bits, after: stereoHeader)
            hasReadingStereo = isValid && bits.bitPosition <= stereoBits.upperBound
            if !hasReadingStereo, readingStereo.hasHeader || stereoHeader != nil { hasLoss = true }
        }
        return hasReading
    }

    /// Reads the data of an element of AAC-ELD, to take effect at the next frame; the reader is left after it.
    func readLowDelay(from bits: inout BitReader, isChecked: Bool) {
        hasReading = reader.readLowDelay(&reading, from: &bits, isChecked: isChecked)
        hasReadingStereo = false
        hasLoss = reader.isLost
    }

    /// Discards the payload read last, because its access unit is damaged.
    func discard() { hasReading = false }

    /// Begins the frame of the payload read last, or a concealed one.
    func beginFrame() {
        if hasReading, hasReadingStereo { stereoHeader = readingStereo.header }
        if hasReading, reading.hasLevels {
            reader.commit(reading)
            swap(&frame, &reading)
            frame.isReset = frame.isReset || !hasFrame
            hasFrame = true
            takeStereo(hasReadingStereo)
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
            hasFrameStereo = false
            return
        }
        hasFrame = reader.conceal(&frame)
        takeStereo(hasFrame && hasReading && hasReadingStereo)
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
    func synthesize(_ channel: Int, core: Span<Float>, into output: inout MutableSpan<Float>, at offset: Int) {
        if channel == 0 {
            extend(&first, channel: 0, core: core)
            Self.synthesize(
                first, with: &firstSynthesis, &columns, layout, isDownsampled: isDownsampled, into: &output, at: offset)
            first.advance()
        } else {
            extend(&second, channel: 1, core: core)
            Self.synthesize(
                second, with: &secondSynthesis, &columns, layout, isDownsampled: isDownsampled, into: &output, at: offset)
            second.advance()
        }
    }

    /// Synthesizes both output channels of a mono core; they are identical until parametric stereo begins.
    ///
    /// - Parameters:
    ///   - core: A frame of the core's samples, ±32768 at full scale.
    ///   - output: Receives ``frameLength`` samples from `left` on and as many from `right` on.
    func synthesizeStereo(core: Span<Float>, into output: inout MutableSpan<Float>, left: Int, right: Int) {
        extend(&first, channel: 0, core: core)
        stereo.load(first.low)
        if !hasParametricStereo, hasFrameStereo {
            hasParametricStereo = true
            secondSynthesis.copyState(of: firstSynthesis)
        }
        if hasParametricStereo {
            synthesizeParametricStereo(into: &output, left: left, right: right)
        } else {
            Self.synthesize(
                first, with: &firstSynthesis, &columns, layout, isDownsampled: isDownsampled, into: &output, at: left)
            for index in stride(from: 0, to: frameLength, by: 4) {
                output.store(output.vector(at: left + index), at: right + index)
            }
        }
        stereo.advanceAnalysis()
        first.advance()
    }

    /// Extends the spectrum of a frame of a mono core, whose columns MPEG Surround takes in place of synthesis.
    func extend(_ core: Span<Float>, into surround: LowDelaySurroundDecoder) {
        extend(&first, channel: 0, core: core)
        for column in stride(from: 0, to: layout.columnCount, by: 4) { columns.load(first, column, into: surround) }
        first.advance()
    }

    /// Synthesizes both channels from the subbands of the one.
    private func synthesizeParametricStereo(into output: inout MutableSpan<Float>, left: Int, right: Int) {
        if hasFrameStereo { stereo.begin(frameStereo) } else { stereo.beginWithoutData() }
        for column in stride(from: 0, to: layout.columnCount, by: 4) {
            let columnRange = column..<min(column + 4, layout.columnCount)
            columns.split(first, with: &stereo, columnRange)
            let offset = (isDownsampled ? 32 : 64) * column
            columns.synthesizeLeft(
                with: &firstSynthesis, columnRange.count, isDownsampled: isDownsampled, into: &output, at: left + offset)
            columns.synthesizeRight(
                with: &secondSynthesis, columnRange.count, isDownsampled: isDownsampled, into: &output, at: right + offset)
        }
        stereo.advance()
    }

    /// Analyses a frame of a channel's core, and generates and adjusts its high band.
    private func extend(_ channel: inout SBRChannel, channel index: Int, core: Span<Float>) {
        channel.analyze(core, settings)
        guard hasFrame else { return channel.extendNothing() }
        channel.extend(frame, channel: index, settings: settings)
    }

    /// Synthesizes all columns of a channel's frame.
    private static func synthesize(
        _ channel: borrowing SBRChannel, with bank: inout QMFSynthesis, _ columns: inout ColumnBuffers, _ layout: SlotLayout,
        isDownsampled: Bool, into output: inout MutableSpan<Float>, at offset: Int
    ) {
        for column in stride(from: 0, to: layout.columnCount, by: 4) {
            let count = min(4, layout.columnCount - column)
            if isDownsampled {
                columns.synthesizeHalf(channel, column, with: &bank, count, into: &output, at: offset + 32 * column)
            } else {
                columns.synthesizeWhole(channel, column, with: &bank, count, into: &output, at: offset + 64 * column)
            }
        }
    }
}

/// Working space for the synthesis of four columns, one in each lane of 64 subbands.
struct ColumnBuffers: ~Copyable {
    /// The subbands of the only or the left channel.
    private var left = FixedArray<ComplexVector>(repeating: .zero, count: 64)
    /// The subbands of the right channel of parametric stereo.
    private var right = FixedArray<ComplexVector>(repeating: .zero, count: 64)
    /// Working space of the filter bank.
    private var work = FixedArray<ComplexVector>(repeating: .zero, count: 64)

    /// Makes the space.
    init() {}

    /// Synthesizes columns of a channel at the SBR sample rate.
    mutating func synthesizeWhole(
        _ channel: borrowing SBRChannel, _ column: Int, with bank: inout QMFSynthesis, _ columnCount: Int,
        into output: inout MutableSpan<Float>, at offset: Int
    ) {
        var pairs = left.mutableSpan
        var work = work.mutableSpan
        channel.collectPairs(column, into: &pairs)
        bank.synthesizePaired64(
            &pairs, work: &work, columnCount: columnCount, into: &output, at: offset)
    }

    /// Synthesizes columns of a channel at the sample rate of the core.
    mutating func synthesizeHalf(
        _ channel: borrowing SBRChannel, _ column: Int, with bank: inout QMFSynthesis, _ columnCount: Int,
        into output: inout MutableSpan<Float>, at offset: Int
    ) {
        var bands = left.mutableSpan
        channel.collect(column, into: &bands)
        synthesizeLeft(with: &bank, columnCount, isDownsampled: true, into: &output, at: offset)
    }

    /// Passes columns of a channel to MPEG Surround.
    mutating func load(_ channel: borrowing SBRChannel, _ column: Int, into surround: LowDelaySurroundDecoder) {
        var bands = left.mutableSpan
        channel.collect(column, into: &bands)
        surround.surround.load(bands.span, column: column)
    }

    /// Splits columns of a channel into a left and a right one by parametric stereo.
    mutating func split(_ channel: borrowing SBRChannel, with stereo: inout ParametricStereoSynthesis, _ columns: Range<Int>) {
        var left = left.mutableSpan
        var right = right.mutableSpan
        channel.collect(columns.lowerBound, into: &left)
        stereo.synthesize(&left, right: &right, column: columns.lowerBound, columnCount: columns.count)
    }

    /// Synthesizes the columns of the left channel.
    mutating func synthesizeLeft(
        with bank: inout QMFSynthesis, _ columnCount: Int, isDownsampled: Bool, into output: inout MutableSpan<Float>, at offset: Int
    ) {
        var bands = left.mutableSpan
        var work = work.mutableSpan
        bank.synthesize(
            &bands, work: &work, columnCount: columnCount, isDownsampled: isDownsampled, into: &output, at: offset)
    }

    /// Synthesizes the columns of the right channel.
    mutating func synthesizeRight(
        with bank: inout QMFSynthesis, _ columnCount: Int, isDownsampled: Bool, into output: inout MutableSpan<Float>, at offset: Int
    ) {
        var bands = right.mutableSpan
        var work = work.mutableSpan
        bank.synthesize(
            &bands, work: &work, columnCount: columnCount, isDownsampled: isDownsampled, into: &output, at: offset)
    }
}

extension QMFSynthesis {
    /// Synthesizes up to four columns at the SBR sample rate, or at that of the core.
    fileprivate mutating func synthesize(
        _ bands: inout MutableSpan<ComplexVector>, work: inout MutableSpan<ComplexVector>, columnCount: Int, isDownsampled: Bool,
        into output: inout MutableSpan<Float>, at offset: Int
    ) {
        if isDownsampled {
            synthesize32(&bands, work: &work, columnCount: columnCount, into: &output, at: offset)
        } else {
            synthesize64(&bands, work: &work, columnCount: columnCount, into: &output, at: offset)
        }
    }
}
