// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The decorrelated twin that a decoder will make of the one channel, and what it has in common with it.
///
/// Against a tone the twin is a tone too, in some fixed phase: added to it, it raises one channel and lowers the other. The encoder
/// has to know by how much.
struct StereoTwin: ~Copyable {
    private var decorrelator = Decorrelator()
    private var reducer = TransientReducer()
    private var low: [32 of ComplexVector] = .init(repeating: .zero)
    private var lowTwins: [32 of ComplexVector] = .init(repeating: .zero)
    private var gains: [36 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))
    /// Energies and products of four columns, one in each lane, by stereo band.
    private(set) var mono: [20 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))
    private(set) var twin: [20 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))
    private(set) var cross: [20 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))

    /// Makes one with a silent past.
    init() {}

    /// Takes a low band of the next four columns.
    mutating func setLowBand(_ part: Int, _ value: ComplexVector) { low[part] = value }

    /// Measures four columns.
    ///
    /// - Parameters:
    ///   - subbands: The 64 QMF subbands of the one channel.
    ///   - twins: Working space.
    ///   - column: Their place in the frame.
    mutating func measure(_ subbands: Span<ComplexVector>, _ twins: inout MutableSpan<ComplexVector>, column: Int) {
        var target = lowTwins.mutableSpan
        decorrelator.decorrelate(
            low: low.span, subbands: subbands, bands: .bands20, column: column, columnCount: 4, intoLow: &target, into: &twins)
        for band in 0..<StereoStatistics.bandCount {
            mono[band] = SIMD4(repeating: 0)
            twin[band] = SIMD4(repeating: 0)
            cross[band] = SIMD4(repeating: 0)
        }
        for part in 0..<StereoBands.bands20.lowBandCount {
            add(low[part], lowTwins[part], to: StereoBands.bands20.stereoBand(ofLowBand: part))
        }
        for subband in StereoBands.bands20.splitSubbandCount..<64 {
            add(subbands[subband], twins[subband], to: StereoBands.bands20.stereoBand(ofSubband: subband))
        }
        holdBack()
    }

    @inline(__always)
    private mutating func add(_ value: ComplexVector, _ other: ComplexVector, to band: Int) {
        mono[band] += value.real * value.real + value.imaginary * value.imaginary
        twin[band] += other.real * other.real + other.imaginary * other.imaginary
        cross[band] += value.real * other.real + value.imaginary * other.imaginary
    }

    /// Takes the twin back behind attacks, as the decoder does.
    private mutating func holdBack() {
        for band in 0..<StereoStatistics.bandCount { gains[band] = mono[band] }
        var span = gains.mutableSpan
        reducer.reduce(&span, bandCount: StereoStatistics.bandCount, columnCount: 4)
        for band in 0..<StereoStatistics.bandCount {
            twin[band] *= gains[band] * gains[band]
            cross[band] *= gains[band]
        }
    }

    /// Ends a frame.
    mutating func advance() { decorrelator.advance(columnCount: SubbandColumns.columnCount) }
}
