// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Makes the bands of two channels from those of one (ISO/IEC 14496-3:2009, 8.6.4).
struct ParametricStereoSynthesis: ~Copyable {
    private var analysis = HybridAnalysis()
    private var decorrelator = Decorrelator()
    private var reducer = TransientReducer()
    private var matrices = StereoMatrices()
    private var mixer = StereoMixer()
    /// Low bands of four columns, their decorrelated twins, and powers, then gains, of stereo bands.
    private var lowBands: [32 of ComplexVector] = .init(repeating: .zero)
    private var lowTwins: [32 of ComplexVector] = .init(repeating: .zero)
    private var gains: [36 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))
    private var bands = StereoBands.bands20
    private var frame = StereoEnvelopes()
    /// Frames in a row without parameters.
    private var missingCount = 0
    /// Envelopes of the frame's matrices.
    private var envelopeCount = 1

    /// Frames without parameters after which both channels become alike.
    private static let maximumMissingCount = 10

    /// Makes a synthesis with a silent past.
    init() {}

    /// Takes the columns of a frame, also while there is only one channel, so that the past is known when stereo begins.
    mutating func load(_ low: inout LowBandColumns, columnCount: Int) { analysis.load(&low, columnCount: columnCount) }

    /// Goes on to the next frame of the low band.
    mutating func advanceAnalysis(columnCount: Int) { analysis.advance(columnCount: columnCount) }

    /// Goes on to the parameters of a frame; damaged or missing ones are those of the frame before.
    mutating func begin(_ data: ParametricStereoData?, columnCount: Int) {
        missingCount = data == nil ? missingCount + 1 : 0
        if missingCount >= Self.maximumMissingCount {
            matrices.beginMono(columnCount: columnCount)
            envelopeCount = 1
            return
        }
        var next: StereoEnvelopes?
        if let data, data.envelopeCount > 0 { next = frame.next(data, columnCount: columnCount) }
        frame = next ?? frame.held(data, columnCount: columnCount)
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

    /// Makes four columns of both channels, one in each lane.
    ///
    /// - Parameters:
    ///   - subbands: The 64 QMF subbands of the one channel; becomes the left.
    ///   - right: Takes the right channel.
    ///   - columnCount: 1 to 4.
    mutating func synthesize(
        _ subbands: inout MutableSpan<ComplexVector>, right: inout MutableSpan<ComplexVector>, column: Int, columnCount: Int
    ) {
        var low = lowBands.mutableSpan
        analysis.split(column, bands, into: &low, StereoTables.shared)
        var twins = lowTwins.mutableSpan
        decorrelator.decorrelate(
            low: low.span, subbands: subbands.span, bands: bands, column: column, columnCount: columnCount, intoLow: &twins,
            into: &right)
        var gains = gains.mutableSpan
        Self.powers(low.span, subbands.span, bands, into: &gains)
        reducer.reduce(&gains, bandCount: bands.count, columnCount: columnCount)
        mixer.set(&matrices, gains: gains.span, bands: bands, column: column)
        mixer.mix(low: low.span, lowTwins: twins.span, subbands: &subbands, right: &right)
    }

    /// The power of each stereo band.
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
