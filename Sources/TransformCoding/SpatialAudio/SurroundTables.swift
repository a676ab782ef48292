// SPDX-License-Identifier: Apache-2.0

/// The tables of MPEG Surround 2-1-2 (ISO/IEC 23003-3, 7.11, and ISO/IEC 23003-1).
@usableFromInline package enum SurroundTables {
    /// The number of hybrid bands: 10 for the lowest three QMF subbands, and one for each of the others.
    @inlinable package static var hybridBandCount: Int { 71 }

    /// The parameter band of each hybrid band, for 4, 5, 7, 10, 14, 20 and 28 parameter bands.
    // swift-format-ignore
    package static let bandMaps: ContiguousArray<UInt8> = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3,
        3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2,
        2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4,
        4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 5,
        5, 5, 5, 5, 5, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6,
        6, 6, 6, 6, 6, 6, 6, 6, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 7, 7, 7, 8, 8, 8, 8, 8, 8, 8, 8, 8, 9, 9, 9,
        9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 0, 0, 0,
        0, 1, 1, 2, 3, 4, 4, 5, 6, 6, 7, 7, 8, 8, 8, 9, 9, 9, 10, 10, 10, 10, 11, 11, 11, 11, 11, 12, 12, 12, 12, 12, 12, 12, 12,
        12, 12, 12, 12, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13,
        13, 13, 1, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 14, 15, 15, 15, 16, 16, 16, 16, 17, 17, 17, 17, 17, 18, 18,
        18, 18, 18, 18, 18, 18, 18, 18, 18, 18, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19,
        19, 19, 19, 19, 19, 19, 19, 19, 1, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 17, 18, 18, 19, 19, 20,
        20, 21, 21, 21, 22, 22, 22, 23, 23, 23, 23, 24, 24, 24, 24, 24, 25, 25, 25, 25, 25, 25, 26, 26, 26, 26, 26, 26, 26, 27, 27,
        27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27,
    ]

    /// The level differences of the fine quantizer in decibels, starting at index -15.
    // swift-format-ignore
    package static let levelDifferences: [Double] = [
        -150, -45, -40, -35, -30, -25, -22, -19, -16, -13, -10, -8, -6, -4, -2, 0, 2, 4, 6, 8, 10, 13, 16, 19, 22, 25, 30, 35, 40,
        45, 150,
    ]

    /// The coherences of the fine quantizer.
    // swift-format-ignore
    package static let coherences: [Double] = [1, 0.937, 0.84118, 0.60092, 0.36764, 0, -0.589, -0.99]

    /// The band-pass weights of subband-domain temporal processing (STP), for hybrid bands from 7.
    // swift-format-ignore
    package static let shapingBandPass: [Float] = [
        0.0, 0.0005, 0.0092, 0.0587, 0.258, 0.7392, 0.9791, 0.9993, 1.0, 1.0, 1.0, 1.0, 0.9999, 0.9984, 0.9908, 0.9639, 0.8952,
        0.7711, 0.6127, 0.4609, 0.3391, 0.2493, 0.1848, 0.1387, 0.1053,
    ]

    /// The level factors of subband-domain temporal processing (STP), for hybrid bands from 7.
    // swift-format-ignore
    package static let shapingFactors: [Float] = [
        0, 0, 0, 0, 0, 0, 1e-08, 8.1e-07, 3.61e-06, 8.41e-06, 1.6e-05, 2.704e-05, 3.969e-05, 5.625e-05, 7.396e-05, 9.801e-05,
        0.00012321, 0.00015625, 0.00019881, 0.00024964, 0.00032041, 0.00041209, 0.00053824, 0.00070756, 0.00094249,
    ]

    /// Returns the start of the map for a number of parameter bands in ``bandMaps``.
    package static func mapStart(bandCount: Int) -> Int {
        hybridBandCount * ([4, 5, 7, 10, 14, 20, 28].firstIndex(of: bandCount) ?? 6)
    }
}
