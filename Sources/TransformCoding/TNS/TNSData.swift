// SPDX-License-Identifier: Apache-2.0

/// One filter of temporal noise shaping.
package struct TNSFilter {
    /// Bands it covers, counted down from the filter before (`length`), 0 to 63.
    package var length: UInt8 = 0

    /// Coefficients, 0 to 20.
    package var order: UInt8 = 0

    /// Whether the filter runs from the highest line to the lowest (`direction`).
    package var isDownward = false

    /// Whether coefficients are sent with one bit less (`coef_compress`).
    package var isCompressed = false

    /// Quantised reflection coefficients, -8 to 7 at four bits of resolution, -4 to 3 at three; one bit less if compressed.
    package var coefficients = SIMD32<Int8>()

    /// Makes a filter without coefficients.
    package init() {}
}

/// The filters of temporal noise shaping (`tns_data`, ISO/IEC 14496-3:2009, 4.4.2.7 and 4.6.9).
package struct TNSData {
    /// The number of filters of each window: 0 to 3 in the long one, which is the first, 0 or 1 in short ones (`n_filt`).
    package var filterCounts = SIMD8<UInt8>()

    /// The bits of resolution of the coefficients of each window: 3 or 4 (`coef_res` + 3).
    package var resolutions = SIMD8<UInt8>(repeating: 3)

    /// The length of each filter.
    ///
    /// Filters are numbered through the frame, at most three of the long window or one of each short one.
    private var lengths = SIMD8<UInt8>()

    /// The order of each filter.
    private var orders = SIMD8<UInt8>()

    /// The filters that run from the highest line to the lowest, one bit each.
    private var downwardFilters: UInt8 = 0

    /// The filters whose coefficients are sent with one bit less, one bit each.
    private var compressedFilters: UInt8 = 0

    /// The coefficients of all filters: each filter of the long window has 20, those of a short one have 8.
    private var coefficients = SIMD64<Int8>()

    /// Creates data without filters.
    package init() {}

    /// A filter of a window; the first one covers the highest bands.
    ///
    /// - Parameters:
    ///   - window: 0 in a frame of one long window, else 0 to 7.
    ///   - number: 0 to 2 in the long window, else 0.
    package subscript(_ window: Int, _ number: Int) -> TNSFilter {
        get {
            let (filter, first) = (window &+ number, 8 &* window &+ 20 &* number)
            let bit: UInt8 = 1 << UInt8(filter)
            var result = TNSFilter()
            result.length = lengths[filter]
            result.order = orders[filter]
            result.isDownward = downwardFilters & bit != 0
            result.isCompressed = compressedFilters & bit != 0
            for place in 0..<Int(result.order) { result.coefficients[place] = coefficients[first &+ place] }
            return result
        }
        set {
            let (filter, first) = (window &+ number, 8 &* window &+ 20 &* number)
            let bit: UInt8 = 1 << UInt8(filter)
            lengths[filter] = newValue.length
            orders[filter] = newValue.order
            downwardFilters = newValue.isDownward ? downwardFilters | bit : downwardFilters & ~bit
            compressedFilters = newValue.isCompressed ? compressedFilters | bit : compressedFilters & ~bit
            for place in 0..<Int(newValue.order) { coefficients[first &+ place] = newValue.coefficients[place] }
        }
    }
}
