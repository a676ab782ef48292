// SPDX-License-Identifier: Apache-2.0

/// Bands with the same filter in an MPEG Surround decorrelator (ISO/IEC 23003-1, 6.6.2).
package struct SurroundRegion {
    let bands: Range<Int>
    /// The delay, in time slots.
    let delay: Int
    /// The denominator of the all-pass filter, whose first coefficient is 1.
    let denominator: [Float]

    /// Returns the regions of the 71 hybrid bands in xHE-AAC.
    ///
    /// - Parameter configuration: `bsDecorrConfig`, 0 to 2.
    package static func hybridBands(configuration: Int) -> [SurroundRegion] {
        regions(ends: [[8, 21, 30, 71], [8, 56, 71, 71], [0, 21, 71, 71]][configuration], delays: [11, 10, 5, 2], hybridFilters)
    }

    /// Returns the regions of the 64 bands of the low delay filter bank in AAC-ELD v2.
    ///
    /// - Parameter configuration: `bsDecorrConfig`, 0 to 2.
    package static func lowDelayBands(configuration: Int) -> [SurroundRegion] {
        regions(ends: [[14, 23, 64], [49, 64, 64], [14, 64, 64]][configuration], delays: [7, 2, 1], lowDelayFilters)
    }

    /// Returns regions from their ends, omitting empty ones.
    private static func regions(ends: [Int], delays: [Int], _ filters: [[Float]]) -> [SurroundRegion] {
        var first = 0
        var result: [SurroundRegion] = []
        for index in ends.indices where ends[index] > first {
            result.append(SurroundRegion(bands: first..<ends[index], delay: delays[index], denominator: filters[index]))
            first = ends[index]
        }
        return result
    }

    /// The filter denominators for hybrid bands.
    // swift-format-ignore
    private static let hybridFilters: [[Float]] = [
        [1.0, -0.314818293, -0.256828368, -0.173641011, -0.115077175, 0.000599384, 0.033342738, 0.122672349, -0.356361657,
            0.128058434, 0.0898],
        [1.0, -0.287137479, -0.088940077, 0.123204008, -0.126110703, 0.064217642, 0.045767747, -0.016263781, -0.122100003],
        [1.0, 0.129403055, -0.032632776, 0.035700001],
        [1.0, 0.0347424, -0.013],
    ]

    /// The filter denominators for the low delay filter bank.
    // swift-format-ignore
    private static let lowDelayFilters: [[Float]] = [
        [1.0, -0.70253306, 0.228442654, 0.337896164, -0.065814836, 0.056741583, -0.493582951, 0.555958866, -0.175048302,
            -0.408438898, 0.384060026, -0.194285738, 0.280750348, -0.157229071, 0.002489459, 0.3356],
        [1.0, 0.01531706, -0.287103101, -0.025348829, 0.516363761, 0.23411933, -0.4624],
        [1.0, -0.38984912, 0.020795821, 0.2468],
    ]
}
