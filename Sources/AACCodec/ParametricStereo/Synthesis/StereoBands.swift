// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// The parametric stereo bands: 20 or 34 stereo bands (ISO/IEC 14496-3:2009, 8.6.4.3 and Tables 8.48, 8.49).
///
/// The lowest QMF subbands are split. "Low bands" are their hybrid bands, in the order of the standard's index `k`. Above them, each QMF
/// subband is one hybrid band.
package enum StereoBands {
    case bands20
    case bands34

    package var count: Int { self == .bands20 ? 20 : 34 }
    package var splitSubbandCount: Int { self == .bands20 ? 3 : 5 }
    /// The number of stereo bands that consist of hybrid bands of split subbands.
    var splitBandCount: Int { self == .bands20 ? 8 : 16 }
    /// The number of hybrid bands of the split subbands.
    package var lowBandCount: Int { self == .bands20 ? 10 : 32 }
    var phaseCount: Int { self == .bands20 ? 11 : 17 }
    /// The low bands with a negative centre frequency, in which mixing matrices are conjugated.
    package var conjugatedLowBands: Range<Int> { self == .bands20 ? 0..<2 : 9..<12 }

    package func stereoBand(ofLowBand band: Int) -> Int {
        Int(self == .bands20 ? Self.lowBands20[band] : Self.lowBands34[band])
    }

    /// Returns the stereo band of a QMF subband that is not split.
    package func stereoBand(ofSubband subband: Int) -> Int {
        Int(self == .bands20 ? Self.subbands20[subband] : Self.subbands34[subband])
    }

    /// Returns the QMF subbands of a stereo band, with an index of at least ``splitBandCount``.
    @inline(__always)
    func subbands(ofBand band: Int) -> Range<Int> {
        let index = band &- splitBandCount
        let subbands =
            self == .bands20
            ? Int(Self.boundaries20[index])..<Int(Self.boundaries20[index &+ 1])
            : Int(Self.boundaries34[index])..<Int(Self.boundaries34[index &+ 1])
        // Makes bounds checks of 64 subbands unnecessary.
        precondition(subbands.upperBound <= 64)
        return subbands
    }

    /// The boundaries of stereo bands 8 and up, of 20, in QMF subbands.
    private static let boundaries20: [UInt8] = [3, 4, 5, 6, 7, 8, 9, 11, 14, 18, 23, 35, 64]
    /// The boundaries of stereo bands 16 and up, of 34, in QMF subbands.
    private static let boundaries34: [UInt8] = [5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 21, 24, 27, 30, 33, 37, 41, 64]

    /// The stereo band of each low band, of 20.
    // swift-format-ignore
    private static let lowBands20: [UInt8] = [1, 0, 0, 1, 2, 3, 4, 5, 6, 7]
    /// The stereo band of each low band, of 34.
    // swift-format-ignore
    private static let lowBands34: [UInt8] = [
        0, 1, 2, 3, 4, 5, 6, 6, 7, 2, 1, 0, 10, 10, 4, 5, 6, 7, 8, 9, 10, 11, 12, 9, 14, 11, 12, 13, 14, 15, 16, 13,
    ]
    /// The stereo band of each QMF subband, of 20.
    // swift-format-ignore
    private static let subbands20: [UInt8] = [
        0, 0, 0, 8, 9, 10, 11, 12, 13, 14, 14, 15, 15, 15, 16, 16, 16, 16, 17, 17, 17, 17, 17, 18, 18, 18, 18, 18, 18, 18, 18,
        18, 18, 18, 18, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19,
        19, 19, 19,
    ]
    /// The stereo band of each QMF subband, of 34.
    // swift-format-ignore
    private static let subbands34: [UInt8] = [
        0, 0, 0, 0, 0, 16, 17, 18, 19, 20, 21, 22, 22, 23, 23, 24, 24, 25, 25, 26, 26, 27, 27, 27, 28, 28, 28, 29, 29, 29, 30,
        30, 30, 31, 31, 31, 31, 32, 32, 32, 32, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33,
        33, 33, 33,
    ]

    /// The mapping from 20 to 34 bands: each of 34 bands is the mean of one or two of 20 bands.
    // swift-format-ignore
    static let from20To34: [SIMD2<UInt8>] = [
        [0, 0], [0, 1], [1, 1], [2, 2], [2, 3], [3, 3], [4, 4], [4, 4], [5, 5], [5, 5], [6, 6], [7, 7], [8, 8], [8, 8], [9, 9],
        [9, 9], [10, 10], [11, 11], [12, 12], [13, 13], [14, 14], [14, 14], [15, 15], [15, 15], [16, 16], [16, 16], [17, 17],
        [17, 17], [18, 18], [18, 18], [18, 18], [18, 18], [19, 19], [19, 19],
    ]

    /// The mapping from 34 to 20 bands: for each of 20 bands the first of 34 bands, and the weights of that band and the next three.
    // swift-format-ignore
    static let from34To20: [(first: UInt8, weights: SIMD4<Float>)] = [
        (0, [2, 1, 0, 0]), (1, [1, 2, 0, 0]), (3, [2, 1, 0, 0]), (4, [1, 2, 0, 0]), (6, [1, 1, 0, 0]), (8, [1, 1, 0, 0]),
        (10, [1, 0, 0, 0]), (11, [1, 0, 0, 0]), (12, [1, 1, 0, 0]), (14, [1, 1, 0, 0]), (16, [1, 0, 0, 0]), (17, [1, 0, 0, 0]),
        (18, [1, 0, 0, 0]), (19, [1, 0, 0, 0]), (20, [1, 1, 0, 0]), (22, [1, 1, 0, 0]), (24, [1, 1, 0, 0]), (26, [1, 1, 0, 0]),
        (28, [1, 1, 1, 1]), (32, [1, 1, 0, 0]),
    ]
}
