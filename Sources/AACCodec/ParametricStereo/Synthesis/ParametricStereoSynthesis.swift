// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The synthesis of parametric stereo: the subbands of two channels from those of the mono signal (ISO/IEC 14496-3:2009, 8.6.4).
struct ParametricStereoSynthesis: ~Copyable {
    /// The hybrid analysis filter bank.
    private var analysis = HybridAnalysis()
    /// The decorrelator.
    private var decorrelator = Decorrelator()
    /// The transient reduction of the decorrelated signal.
    private var reducer = TransientReducer()
    /// The mixing matrices.
    private var matrices = StereoMatrices()
    /// The mixer.
    private var mixer = StereoMixer()
    /// The hybrid bands of four columns.
    private var lowBands: [32 of ComplexVector] = .init(repeating: .zero)
    /// The decorrelated hybrid bands.
    private var lowDecorrelated: [32 of ComplexVector] = .init(repeating: .zero)
    /// The powers of stereo bands, and the gains of transient reduction.
    private var gains: [36 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))
    /// The frequency bands of processing.
    private var bands = StereoBands.bands20
    /// The parameters of the current frame.
    private var frame = StereoEnvelopes()
    /// Consecutive frames without parameters.
    private var missingCount = 0
    /// The envelopes of the current frame.
    private var envelopeCount = 1

    /// Consecutive frames without parameters after which both channels become identical.
    private static let maximumMissingCount = 10

    /// Creates a synthesis with a silent past.
    @inline(never)
    init() {}

    /// Loads the columns of a frame; also while there is only one channel, so that the past is known when stereo begins.
    mutating func load(_ low: inout LowBandColumns, columnCount: Int) { analysis.load(&low, columnCount: columnCount) }

    /// Ends a frame of the low band.
    mutating func advanceAnalysis(columnCount: Int) { analysis.advance(columnCount: columnCount) }

    /// Begins a frame with its parameters; damaged or missing ones are replaced by those of the previous frame.
    mutating func begin(_ data: ParametricStereoData?, columnCount: Int) {
        missingCount = data == nil ? missingCount + 1 : 0
        if missingCount >= Self.maximumMissingCount {
            matrices.beginMono(columnCount: columnCount)
            envelopeCount = 1
            return
        }
        var next: StereoEnvelopes?
        if let data, data.envelopeCount > 0 { next = frame.next(data, columnCount: columnCount) }
        frame = next ?? frame.repeated(data, columnCount: columnCount)
        if let newBands = frame.bands, newBands != bands {
            bands = newBands
            matrices.change(to: newBands)
            decorrelator = Decorrelator()
            reducer = TransientReducer()
        }
        matrices.begin(frame, bands: bands, columnCount: columnCount, StereoTables.shared)
        envelopeCount = frame.count
    }

    /// Ends a frame.
    mutating func advance(columnCount: Int) {
        matrices.advance(envelopeCount: envelopeCount)
        decorrelator.advance(columnCount: columnCount)
    }

    /// Synthesizes four columns of both channels, one in each lane.
    ///
    /// - Parameters:
    ///   - subbands: The 64 QMF subbands of the mono signal; replaced by the left channel.
    ///   - right: Receives the right channel.
    ///   - column: The first column, counted from the start of the frame.
    ///   - columnCount: 1 to 4.
    mutating func synthesize(
        _ subbands: inout MutableSpan<ComplexVector>, right: inout MutableSpan<ComplexVector>, column: Int, columnCount: Int
    ) {
        var low = lowBands.mutableSpan
        analysis.split(column, bands, into: &low, StereoTables.shared)
        var lowDecorrelated = lowDecorrelated.mutableSpan
        decorrelator.decorrelate(
            low: low.span, subbands: subbands.span, bands: bands, columns: column..<column + columnCount, intoLow: &lowDecorrelated,
            into: &right)
        var gains = gains.mutableSpan
        Self.powers(low.span, subbands.span, bands, into: &gains)
        reducer.reduce(&gains, bandCount: bands.count, columnCount: columnCount)
        mixer.set(&matrices, gains: gains.span, bands: bands, column: column)
        mixer.mix(low: low.span, lowDecorrelated: lowDecorrelated.span, subbands: &subbands, right: &right)
    }

    /// Computes the power of each stereo band, `P(b, n)`.
    private static func powers(
        _ low: Span<ComplexVector>, _ subbands: Span<ComplexVector>, _ bands: StereoBands,
        into powers: inout MutableSpan<SIMD4<Float>>
    ) {
        for band in 0..<36 { powers[band] = SIMD4(repeating: 0) }
        for band in 0..<bands.lowBandCount {
            let value = low[band]
            powers[bands.stereoBand(ofLowBand: band)] += value.real * value.real + value.imaginary * value.imaginary
        }
        var current = bands.stereoBand(ofSubband: bands.splitSubbandCount)
        var sum = powers[current]
        for subband in bands.splitSubbandCount..<64 {
            let band = bands.stereoBand(ofSubband: subband)
            if band != current {
                powers[current] = sum
                current = band
                sum = powers[band]
            }
            let value = subbands[subband]
            sum += value.real * value.real + value.imaginary * value.imaginary
        }
        powers[current] = sum
    }
}
