// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import MPEG4Audio
internal import TransformCoding

/// Low delay MPEG Surround 2-1-2, which generates two channels from the mono core of AAC-ELD v2 (ISO/IEC 23003-2).
///
/// For each access unit, call ``read(from:)`` and, when all of it has been parsed, ``startFrame()``. Then call ``analyze(_:)`` with the
/// core samples, or ``load(_:qmfSlot:)`` with all time slots that SBR produced in the same filter bank. Finally, call ``synthesize()``.
/// Without intact data the last parameters remain in use.
struct LowDelaySurround: ~Copyable {
    private let configuration: LowDelaySurroundConfig
    /// The number of time slots per access unit.
    private let qmfSlotCount: Int
    /// The number of filter bank bands, 64 or 32.
    private let bandCount: Int
    /// The downmix gain.
    private let gain: Float
    /// The parameter band of each filter bank band.
    private let parameterBands: FixedArray<UInt8>

    private var reader: SurroundReader
    /// The most recently read data.
    private var reading = SurroundFrame()
    /// Whether data was read since the last frame.
    private var hasReading = false
    private var frame = SurroundFrame()
    private var matrices: SurroundMatrices
    private var decorrelator: SurroundDecorrelator
    private var downmix: SurroundSignal
    /// The decorrelated downmix.
    private var decorrelated: SurroundSignal
    private var output: SurroundPair

    /// The 64-band filter bank for a core without SBR.
    private var wholeAnalysis: QMFAnalysis64
    /// The 32-band filter bank for a core without SBR.
    private var halfAnalysis: QMFAnalysis
    /// The time slots of ``halfAnalysis``.
    private var halfQMFSlots: LowBandSlots
    /// The synthesis filter banks of both outputs.
    private var banks: SlotSynthesis
    /// Workspace for the analysis filter bank.
    private var work = FixedArray<ComplexVector>(repeating: .zero, count: 64)
    /// The samples of both outputs, with a full scale of ±32768.
    private var samples: FixedArray<Float>

    /// Creates a decoder for the start of a stream.
    init(_ configuration: LowDelaySurroundConfig) {
        self.configuration = configuration
        qmfSlotCount = configuration.slotCount
        bandCount = configuration.bankBandCount
        let tools = configuration.tools
        gain = tools.fixedGain == 7 ? 4 : Float(PortableMath.powerOfTwo(Double(tools.fixedGain) / 4))
        let map = Self.bandMap(bandCount: tools.bandCount)
        parameterBands = FixedArray(count: map.count) { map[$0] }
        reader = SurroundReader(tools, slotCount: qmfSlotCount, isLowDelay: true)
        matrices = SurroundMatrices(tools, hasResidual: false, qmfSlotCount: qmfSlotCount)
        decorrelator = SurroundDecorrelator(
            regions: SurroundRegion.lowDelayBands(configuration: tools.decorrelation), duckerMap: Self.bandMap(bandCount: 23),
            qmfSlotCount: qmfSlotCount)
        downmix = SurroundSignal(qmfSlotCount: qmfSlotCount)
        decorrelated = SurroundSignal(qmfSlotCount: qmfSlotCount)
        output = SurroundPair(qmfSlotCount: qmfSlotCount)
        banks = SlotSynthesis(channelCount: 2, bank: .lowDelaySurround, isDownsampled: configuration.bankBandCount == 32)
        let layout = SlotLayout(
            lowDelayFrameLength: qmfSlotCount * bandCount, bank: .lowDelaySurround, analysisBandCount: bandCount)
        wholeAnalysis = QMFAnalysis64(layout)
        halfAnalysis = QMFAnalysis(layout)
        halfQMFSlots = LowBandSlots(layout)
        samples = FixedArray(repeating: 0, count: 2 * qmfSlotCount * bandCount)
    }

    mutating func reset() { self = LowDelaySurround(configuration) }

    /// Output frames per access unit.
    var frameLength: Int { qmfSlotCount * bandCount }

    /// The filter bank delay, in sample frames.
    var delay: Int { 4 * bandCount }

    /// The start bands of 23 parameter bands.
    ///
    /// Coarser divisions use a subset.
    private static let borders = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 18, 20, 23, 26, 30, 35, 41, 48]

    /// Returns the parameter band of each band.
    ///
    /// The result has as many bands as ``SurroundSignal``, which may exceed the filter bank's.
    ///
    /// - Parameter bandCount: 23, 15, 12, 9, 7, 5 or 4.
    private static func bandMap(bandCount: Int) -> [UInt8] {
        let starts =
            switch bandCount {
            case 15: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 14, 18, 23, 35]
            case 12: [0, 1, 2, 3, 4, 6, 8, 11, 14, 18, 23, 35]
            case 9: [0, 1, 2, 3, 5, 7, 9, 14, 23]
            case 7: [0, 1, 2, 4, 8, 14, 23]
            case 5: [0, 1, 3, 9, 23]
            case 4: [0, 2, 6, 23]
            default: borders
            }
        return (0..<SurroundTables.hybridBandCount).map { band in UInt8((starts.lastIndex { $0 <= band }) ?? 0) }
    }

    // MARK: Data

    /// Reads the spatial audio extension payload after the elements of an access unit, if present.
    ///
    /// It takes effect with the next frame.
    mutating func read(from reader: BitReader) {
        // A copy, because damaged data may lead past the end of the access unit.
        var bits = reader
        hasReading = false
        // The extension type, then a frame that contains all of the data and no configuration.
        guard bits.bitsRemaining >= 8, bits.read(4) == Self.extensionType, bits.read(4) == 0b0011 else { return }
        do throws(InvalidSurroundData) {
            try self.reader.read(&reading, from: &bits, isIndependent: false)
            hasReading = true
        } catch {
            // Treated as missing data.
        }
    }

    /// `EXT_LDSAC_DATA`.
    private static let extensionType = 9

    /// Starts the frame of the data read last or, without data, repeats the previous frame's parameters.
    mutating func startFrame() {
        if hasReading {
            reader.commit()
            swap(&frame, &reading)
        } else {
            reader.conceal(&frame)
        }
        hasReading = false
    }

    // MARK: Signal

    /// Analyses the samples of a core without SBR.
    mutating func analyze(_ core: Span<Float>) {
        guard bandCount == 32 else {
            wholeAnalysis.load(core)
            for qmfSlot in stride(from: 0, to: qmfSlotCount, by: 4) {
                analyze(qmfSlot)
            }
            wholeAnalysis.advance()
            return
        }
        halfAnalysis.analyze(core, bandCount: 32, into: &halfQMFSlots)
        for qmfSlot in 0..<qmfSlotCount {
            let first = LowBandSlots.row(ofQMFSlot: qmfSlot + halfQMFSlots.retainedCount)
            for band in 0..<32 {
                let (row, lane) = (first + band / 4, band % 4)
                downmix[band, qmfSlot] = SIMD2(halfQMFSlots.real[row][lane], halfQMFSlots.imaginary[row][lane]) * gain
            }
        }
    }

    /// Analyses four time slots with 64 bands.
    private mutating func analyze(_ qmfSlot: Int) {
        var bands = banks.qmfSlots.mutableSpan
        var work = work.mutableSpan
        wholeAnalysis.split(from: qmfSlot, into: &bands, work: &work)
        wholeAnalysis.restorePhases(&bands)
        Self.load(bands.span, qmfSlot..<min(qmfSlot + 4, qmfSlotCount), gain: gain, into: &downmix)
    }

    /// Stores four time slots starting at `qmfSlot`, one per lane, with 64 bands.
    mutating func load(_ bands: Span<ComplexVector>, qmfSlot: Int) {
        Self.load(bands, qmfSlot..<min(qmfSlot + 4, qmfSlotCount), gain: gain, into: &downmix)
    }

    /// Stores time slots in a downmix.
    private static func load(_ bands: Span<ComplexVector>, _ qmfSlots: Range<Int>, gain: Float, into downmix: inout SurroundSignal) {
        for qmfSlot in qmfSlots {
            let lane = qmfSlot - qmfSlots.lowerBound
            for band in 0..<64 { downmix[band, qmfSlot] = SIMD2(bands[band].real[lane], bands[band].imaginary[lane]) * gain }
        }
    }

    /// Synthesizes the samples of both outputs.
    mutating func synthesize() {
        matrices.compute(frame)
        decorrelator.decorrelate(downmix, transients: 0, into: &decorrelated)
        for qmfSlot in 0..<qmfSlotCount { mix(qmfSlot) }
        for channel in 0..<2 {
            for qmfSlot in stride(from: 0, to: qmfSlotCount, by: 4) { synthesize(channel, qmfSlot) }
        }
    }

    /// Mixes one time slot to both outputs.
    private mutating func mix(_ qmfSlot: Int) {
        let all = matrices.matrices.span
        let map = parameterBands.span
        for band in 0..<bandCount {
            let matrix = all[Int(map[band]) &* qmfSlotCount &+ qmfSlot]
            let (direct, diffuse) = (downmix[band, qmfSlot], decorrelated[band, qmfSlot])
            output[band, qmfSlot] =
                SIMD4(direct.x, direct.y, direct.x, direct.y) * matrix.fromDownmix
                + SIMD4(diffuse.x, diffuse.y, diffuse.x, diffuse.y) * matrix.fromOther
        }
    }

    /// Gathers up to four time slots of an output in the lanes of ``SlotSynthesis/qmfSlots``.
    private mutating func collect(_ channel: Int, _ qmfSlotRange: Range<Int>) {
        for band in 0..<bandCount {
            var bands = ComplexVector.zero
            for qmfSlot in qmfSlotRange {
                let value = output.value(channel, band, qmfSlot)
                let lane = qmfSlot - qmfSlotRange.lowerBound
                (bands.real[lane], bands.imaginary[lane]) = (value.x, value.y)
            }
            banks.qmfSlots[band] = bands
        }
    }

    /// Synthesizes up to four time slots of an output.
    private mutating func synthesize(_ channel: Int, _ qmfSlot: Int) {
        let count = min(4, qmfSlotCount - qmfSlot)
        collect(channel, qmfSlot..<qmfSlot + count)
        let offset = channel * frameLength + bandCount * qmfSlot
        var target = samples.mutableSpan
        banks.synthesize(channel, qmfSlotCount: count, into: &target, at: offset)
    }

    func mix(_ mixer: ChannelMixer, into output: inout MutableSpan<Float>, stride: Int) {
        let strides = ChannelMixer.Strides(input: frameLength, output: stride)
        mixer.mix(samples.span, channelCount: 2, into: &output, strides: strides, frameCount: frameLength)
    }
}

/// A low delay MPEG Surround decoder, as a reference shared by SBR and the filter banks.
final class LowDelaySurroundDecoder {
    var surround: LowDelaySurround

    init(_ configuration: LowDelaySurroundConfig) { surround = LowDelaySurround(configuration) }
}
