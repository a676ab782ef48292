// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import MPEG4Audio
internal import TransformCoding

/// Low delay MPEG Surround 2-1-2, which makes two channels of the mono core of AAC-ELD v2 (ISO/IEC 23003-2).
///
/// Per access unit: ``read(from:)``; after the whole unit has been parsed ``beginFrame()``; then ``analyze(_:)`` of the core's samples, or
/// ``load(_:column:)`` of all columns that SBR has made in the same filter bank; then ``synthesize()``. Without intact data the last
/// parameters stay.
struct LowDelaySurround: ~Copyable {
    /// The configuration.
    private let configuration: LowDelaySurroundConfig
    /// The columns of a unit.
    private let columnCount: Int
    /// The bands of the filter bank, 64 or 32.
    private let bandCount: Int
    /// The gain of the downmix.
    private let gain: Float
    /// The parameter band of each band.
    private let parameterBands: FixedArray<UInt8>

    /// The reader of the data.
    private var reader: SurroundReader
    /// The data read last.
    private var reading = SurroundFrame()
    /// Whether there is data since the last frame.
    private var hasReading = false
    /// The data of the current frame.
    private var frame = SurroundFrame()
    /// The mixing matrices.
    private var matrices: SurroundMatrices
    /// The decorrelator.
    private var decorrelator: SurroundDecorrelator
    /// The downmix.
    private var downmix: SurroundSignal
    /// The decorrelated downmix.
    private var decorrelated: SurroundSignal
    /// The outputs.
    private var output: SurroundPair

    /// The filter bank of a core without SBR, of 64 bands.
    private var wholeAnalysis: QMFAnalysis64
    /// The same of 32 bands.
    private var halfAnalysis: QMFAnalysis
    /// The columns of the latter.
    private var halfColumns: LowBandColumns
    /// The synthesis filter banks of both outputs.
    private var banks: ColumnSynthesis
    /// Working space of the analysis filter bank.
    private var work = FixedArray<ComplexVector>(repeating: .zero, count: 64)
    /// The samples of both outputs at a full scale of ±32768.
    private var samples: FixedArray<Float>

    /// Makes a decoder before the first unit.
    init(_ configuration: LowDelaySurroundConfig) {
        self.configuration = configuration
        columnCount = configuration.slotCount
        bandCount = configuration.bankBandCount
        let tools = configuration.tools
        gain = tools.fixedGain == 7 ? 4 : Float(PortableMath.powerOfTwo(Double(tools.fixedGain) / 4))
        let map = Self.bandMap(bandCount: tools.bandCount)
        parameterBands = FixedArray(count: map.count) { map[$0] }
        reader = SurroundReader(tools, slotCount: columnCount, isLowDelay: true)
        matrices = SurroundMatrices(tools, hasResidual: false, columnCount: columnCount)
        decorrelator = SurroundDecorrelator(
            regions: SurroundRegion.lowDelayBands(configuration: tools.decorrelation), duckerMap: Self.bandMap(bandCount: 23),
            columnCount: columnCount)
        downmix = SurroundSignal(columnCount: columnCount)
        decorrelated = SurroundSignal(columnCount: columnCount)
        output = SurroundPair(columnCount: columnCount)
        banks = ColumnSynthesis(channelCount: 2, bank: .lowDelaySurround, isDownsampled: configuration.bankBandCount == 32)
        let layout = SlotLayout(
            lowDelayFrameLength: columnCount * bandCount, bank: .lowDelaySurround, analysisBandCount: bandCount)
        wholeAnalysis = QMFAnalysis64(layout)
        halfAnalysis = QMFAnalysis(layout)
        halfColumns = LowBandColumns(layout)
        samples = FixedArray(repeating: 0, count: 2 * columnCount * bandCount)
    }

    /// Discards all history.
    mutating func reset() { self = LowDelaySurround(configuration) }

    /// The sample frames of the output of a unit.
    var frameLength: Int { columnCount * bandCount }

    /// The delay of the filter banks in sample frames.
    var delay: Int { 4 * bandCount }

    /// The bands at which parameter bands begin, for 23 of them; fewer ones begin at some of these.
    private static let borders = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 18, 20, 23, 26, 30, 35, 41, 48]

    /// Returns the parameter band of each band, and of more bands than the filter bank has, as many as ``SurroundSignal`` has.
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

    /// Reads the extension payload behind the elements of a unit, if it is one of spatial audio; it takes effect with the next frame.
    mutating func read(from reader: BitReader) {
        // Of its own, since damaged data may lead beyond the end of the unit.
        var bits = reader
        hasReading = false
        // The extension type, and a frame without a configuration that is all of the data.
        guard bits.bitsRemaining >= 8, bits.read(4) == Self.extensionType, bits.read(4) == 0b0011 else { return }
        do throws(InvalidSurroundData) {
            try self.reader.read(&reading, from: &bits, isIndependent: false)
            hasReading = true
        } catch {
            // As without data.
        }
    }

    /// `EXT_LDSAC_DATA`.
    private static let extensionType = 9

    /// Begins the frame of the data read last, or one with the parameters of the frame before.
    mutating func beginFrame() {
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
            for column in stride(from: 0, to: columnCount, by: 4) {
                analyze(column)
            }
            wholeAnalysis.advance()
            return
        }
        halfAnalysis.analyze(core, bandCount: 32, into: &halfColumns)
        for column in 0..<columnCount {
            let first = LowBandColumns.row(ofColumn: column + halfColumns.keptCount)
            for band in 0..<32 {
                let (row, lane) = (first + band / 4, band % 4)
                downmix[band, column] = SIMD2(halfColumns.real[row][lane], halfColumns.imaginary[row][lane]) * gain
            }
        }
    }

    /// Analyses four columns of 64 bands.
    private mutating func analyze(_ column: Int) {
        var bands = banks.columns.mutableSpan
        var work = work.mutableSpan
        wholeAnalysis.split(from: column, into: &bands, work: &work)
        wholeAnalysis.restorePhases(&bands)
        Self.load(bands.span, column..<min(column + 4, columnCount), gain: gain, into: &downmix)
    }

    /// Takes four columns from `column` on, one in each lane of 64 bands.
    mutating func load(_ bands: Span<ComplexVector>, column: Int) {
        Self.load(bands, column..<min(column + 4, columnCount), gain: gain, into: &downmix)
    }

    /// Stores columns in a downmix.
    private static func load(_ bands: Span<ComplexVector>, _ columns: Range<Int>, gain: Float, into downmix: inout SurroundSignal) {
        for column in columns {
            let lane = column - columns.lowerBound
            for band in 0..<64 { downmix[band, column] = SIMD2(bands[band].real[lane], bands[band].imaginary[lane]) * gain }
        }
    }

    /// Computes the samples of both outputs.
    mutating func synthesize() {
        matrices.compute(frame)
        decorrelator.decorrelate(downmix, transients: 0, into: &decorrelated)
        for column in 0..<columnCount { mix(column) }
        for channel in 0..<2 {
            for column in stride(from: 0, to: columnCount, by: 4) { synthesize(channel, column) }
        }
    }

    /// Mixes a column to the outputs.
    private mutating func mix(_ column: Int) {
        let all = matrices.matrices.span
        let map = parameterBands.span
        for band in 0..<bandCount {
            let matrix = all[Int(map[band]) &* columnCount &+ column]
            let (direct, diffuse) = (downmix[band, column], decorrelated[band, column])
            output[band, column] =
                SIMD4(direct.x, direct.y, direct.x, direct.y) * matrix.fromDownmix
                + SIMD4(diffuse.x, diffuse.y, diffuse.x, diffuse.y) * matrix.fromOther
        }
    }

    /// Puts up to four columns of an output in the lanes of ``columns``.
    private mutating func collect(_ channel: Int, _ columnRange: Range<Int>) {
        for band in 0..<bandCount {
            var bands = ComplexVector.zero
            for column in columnRange {
                let value = output.value(channel, band, column)
                let lane = column - columnRange.lowerBound
                (bands.real[lane], bands.imaginary[lane]) = (value.x, value.y)
            }
            banks.columns[band] = bands
        }
    }

    /// Synthesises up to four columns of an output.
    private mutating func synthesize(_ channel: Int, _ column: Int) {
        let count = min(4, columnCount - column)
        collect(channel, column..<column + count)
        let offset = channel * frameLength + bandCount * column
        var target = samples.mutableSpan
        banks.synthesize(channel, columnCount: count, into: &target, at: offset)
    }

    /// Writes the output through a mixer, ``ChannelMixer``.
    func mix(_ mixer: ChannelMixer, into output: inout MutableSpan<Float>, stride: Int) {
        let strides = ChannelMixer.Strides(input: frameLength, output: stride)
        mixer.mix(samples.span, channelCount: 2, into: &output, strides: strides, frameCount: frameLength)
    }
}

/// The decoder of low delay MPEG Surround of a stream, which SBR and the filter banks share.
final class LowDelaySurroundDecoder {
    /// The decoder.
    var surround: LowDelaySurround

    /// Makes a decoder before the first unit.
    init(_ configuration: LowDelaySurroundConfig) { surround = LowDelaySurround(configuration) }
}
