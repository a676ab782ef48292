// SPDX-License-Identifier: Apache-2.0

/// One filter of temporal noise shaping.
package struct TNSFilter {
    /// The number of bands that the filter covers, counted down from the previous filter (`length`), 0 to 63.
    package var length: UInt8 = 0

    /// The number of coefficients, 0 to 20.
    package var order: UInt8 = 0

    /// Whether the filter runs from the highest to the lowest line (`direction`).
    package var isDownward = false

    /// Whether coefficients are sent with one bit less (`coef_compress`).
    package var isCompressed = false

    /// Quantized reflection coefficients: -8 to 7 with four bits, -4 to 3 with three bits.
    ///
    /// Compressed coefficients have one bit less.
    package var coefficients = SIMD32<Int8>()

    package init() {}
}

/// The filters of temporal noise shaping (`tns_data`, ISO/IEC 14496-3:2009, 4.4.2.7 and 4.6.9).
package struct TNSData: Equatable {
    /// The number of filters per window (`n_filt`): 0 to 3 in a long window, which is window 0, and 0 or 1 in short windows.
    package var filterCounts = SIMD8<UInt8>()

    /// The coefficient resolution per window: 3 or 4 bits (`coef_res` + 3).
    package var resolutions = SIMD8<UInt8>(repeating: 3)

    /// The length of each filter.
    ///
    /// Filters are numbered through the frame: at most three in a long window, or one per short window.
    private var lengths = SIMD8<UInt8>()

    private var orders = SIMD8<UInt8>()

    /// The filters that run from the highest to the lowest line, one bit each.
    private var downwardFilters: UInt8 = 0

    /// The filters with compressed coefficients, one bit each.
    private var compressedFilters: UInt8 = 0

    /// The coefficients of all filters: 20 for each filter in a long window, 8 in a short one.
    private var coefficients = SIMD64<Int8>()

    package init() {}

    /// A filter of a window.
    ///
    /// Filter 0 covers the highest bands.
    ///
    /// - Parameters:
    ///   - window: 0 in a frame with a long window, otherwise 0 to 7.
    ///   - number: 0 to 2 in a long window, otherwise 0.
    package subscript(_ window: Int, _ number: Int) -> TNSFilter {
        get {
            let (filter, first) = (window &+ number, 8 &* window &+ 20 &* number)
            let bit: UInt8 = 1 << UInt8(filter)
            var result = TNSFilter()
            result.length = lengths[filter]
            result.order = orders[filter]
            result.isDownward = downwardFilters & bit != 0
            result.isCompressed = compressedFilters & bit != 0
            for index in 0..<Int(result.order) { result.coefficients[index] = coefficients[first &+ index] }
            return result
        }
        set {
            let (filter, first) = (window &+ number, 8 &* window &+ 20 &* number)
            let bit: UInt8 = 1 << UInt8(filter)
            lengths[filter] = newValue.length
            orders[filter] = newValue.order
            downwardFilters = newValue.isDownward ? downwardFilters | bit : downwardFilters & ~bit
            compressedFilters = newValue.isCompressed ? compressedFilters | bit : compressedFilters & ~bit
            for index in 0..<Int(newValue.order) { coefficients[first &+ index] = newValue.coefficients[index] }
        }
    }
}
