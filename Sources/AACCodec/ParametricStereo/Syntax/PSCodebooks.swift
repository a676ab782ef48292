// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// The Huffman codebooks of parametric stereo (ISO/IEC 14496-3:2009, Tables 8.B.17 to 8.B.21).
extension DeltaCodebook {
    /// Intensity differences with default quantization, coded as frequency differences.
    // swift-format-ignore
    package static let iidFrequencyCoarse = DeltaCodebook(
        offset: 14,
        codes: [
            131067, 131068, 131069, 131066, 65532, 32764, 8189, 1022, 510, 126, 60, 29, 13, 5, 0, 4, 12, 28, 61, 62,
            254, 2046, 8188, 16380, 16381, 32765, 131070, 262142, 262143,
        ],
        lengths: [
            17, 17, 17, 17, 16, 15, 13, 10, 9, 7, 6, 5, 4, 3, 1, 3, 4, 5, 6, 6, 8, 11, 13, 14, 14, 15, 17, 18, 18,
        ])

    /// Intensity differences with default quantization, coded as time differences.
    // swift-format-ignore
    package static let iidTimeCoarse = DeltaCodebook(
        offset: 14,
        codes: [
            524281, 524282, 524283, 1048568, 1048569, 1048570, 131069, 32766, 4094, 1022, 254, 62, 14, 2, 0, 6, 30,
            126, 510, 2046, 8190, 16382, 131068, 524280, 1048571, 1048572, 1048573, 1048574, 1048575,
        ],
        lengths: [
            19, 19, 19, 20, 20, 20, 17, 15, 12, 10, 8, 6, 4, 2, 1, 3, 5, 7, 9, 11, 13, 14, 17, 19, 20, 20, 20, 20, 20,
        ])

    /// Intensity differences with fine quantization, coded as frequency differences.
    // swift-format-ignore
    package static let iidFrequencyFine = DeltaCodebook(
        offset: 30,
        codes: [
            130740, 130741, 130422, 130423, 130420, 130421, 130698, 130699, 130696, 65152, 130742, 65154, 65208,
            32578, 32686, 16303, 8145, 8169, 4073, 2026, 2043, 1019, 507, 511, 124, 60, 28, 12, 0, 1, 1, 2, 1, 13, 29,
            61, 125, 252, 508, 1020, 1012, 2027, 4074, 8170, 8150, 16336, 32687, 32579, 65209, 65155, 130743, 65153,
            130697, 130702, 130703, 130700, 130701, 130738, 130739, 130736, 130737,
        ],
        lengths: [
            18, 18, 18, 18, 18, 18, 18, 18, 18, 17, 18, 17, 17, 16, 16, 15, 14, 14, 13, 12, 12, 11, 10, 10, 8, 7, 6,
            5, 4, 3, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 11, 12, 13, 14, 14, 15, 16, 16, 17, 17, 18, 17, 18, 18, 18, 18,
            18, 18, 18, 18, 18,
        ])

    /// Intensity differences with fine quantization, coded as time differences.
    // swift-format-ignore
    package static let iidTimeFine = DeltaCodebook(
        offset: 30,
        codes: [
            20180, 20181, 20174, 20175, 20172, 20182, 20184, 20294, 20320, 10008, 10009, 10084, 10085, 10093, 10161,
            5047, 5078, 2503, 2537, 2541, 1262, 1271, 632, 313, 154, 159, 32, 17, 10, 3, 1, 0, 11, 18, 33, 76, 155,
            314, 633, 624, 1263, 1250, 2538, 2520, 5079, 5072, 10162, 10146, 10010, 10011, 20326, 20327, 20321, 20295,
            20185, 20183, 20173, 20178, 20179, 20176, 20177,
        ],
        lengths: [
            16, 16, 16, 16, 16, 16, 16, 16, 16, 15, 15, 15, 15, 15, 15, 14, 14, 13, 13, 13, 12, 12, 11, 10, 9, 9, 7,
            6, 5, 3, 1, 2, 5, 6, 7, 8, 9, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15, 15, 15, 16, 16, 16, 16, 16, 16,
            16, 16, 16, 16, 16,
        ])

    /// Coherence, coded as frequency differences.
    // swift-format-ignore
    package static let iccFrequency = DeltaCodebook(
        offset: 7,
        codes: [
            16383, 16382, 4094, 1022, 126, 30, 6, 0, 2, 14, 62, 254, 510, 2046, 8190,
        ],
        lengths: [
            14, 14, 12, 10, 7, 5, 3, 1, 2, 4, 6, 8, 9, 11, 13,
        ])

    /// Coherence, coded as time differences.
    // swift-format-ignore
    package static let iccTime = DeltaCodebook(
        offset: 7,
        codes: [
            16382, 8190, 2046, 510, 126, 30, 6, 0, 2, 14, 62, 254, 1022, 4094, 16383,
        ],
        lengths: [
            14, 13, 11, 9, 7, 5, 3, 1, 2, 4, 6, 8, 10, 12, 14,
        ])

    /// Inter-channel phase differences, coded as frequency differences.
    // swift-format-ignore
    package static let ipdFrequency = DeltaCodebook(
        offset: 0,
        codes: [
            1, 0, 6, 4, 2, 3, 5, 7,
        ],
        lengths: [
            1, 3, 4, 4, 4, 4, 4, 4,
        ])

    /// Inter-channel phase differences, coded as time differences.
    // swift-format-ignore
    package static let ipdTime = DeltaCodebook(
        offset: 0,
        codes: [
            1, 2, 2, 3, 2, 0, 3, 3,
        ],
        lengths: [
            1, 3, 4, 5, 5, 4, 4, 3,
        ])

    /// Overall phase differences, coded as frequency differences.
    // swift-format-ignore
    package static let opdFrequency = DeltaCodebook(
        offset: 0,
        codes: [
            1, 1, 6, 4, 15, 14, 5, 0,
        ],
        lengths: [
            1, 3, 4, 4, 5, 5, 4, 3,
        ])

    /// Overall phase differences, coded as time differences.
    // swift-format-ignore
    package static let opdTime = DeltaCodebook(
        offset: 0,
        codes: [
            1, 2, 1, 7, 6, 0, 2, 3,
        ],
        lengths: [
            1, 3, 4, 5, 5, 4, 4, 3,
        ])
}
