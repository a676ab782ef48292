// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

/// One filter of temporal noise shaping.
struct TNSFilter {
    /// Bands it covers, counted down from the filter before (`length`), 0 to 63.
    var length: UInt8 = 0

    /// Coefficients, 0 to 20.
    var order: UInt8 = 0

    /// Whether the filter runs from the highest line to the lowest (`direction`).
    var isDownward = false

    /// Whether coefficients are sent with one bit less (`coef_compress`).
    var isCompressed = false

    /// Quantised reflection coefficients, -8 to 7 at four bits of resolution, -4 to 3 at three; one bit less if compressed.
    var coefficients = SIMD32<Int8>()
}

/// The filters of temporal noise shaping (`tns_data`, ISO/IEC 14496-3:2009, 4.4.2.7 and 4.6.9).
struct TNSData {
    /// The number of filters of each window: 0 to 3 in the long one, which is the first, 0 or 1 in short ones (`n_filt`).
    var filterCounts = SIMD8<UInt8>()

    /// The bits of resolution of the coefficients of each window: 3 or 4 (`coef_res` + 3).
    var resolutions = SIMD8<UInt8>(repeating: 3)

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
    init() {}

    /// Reads the structure; `maximumLongOrder` is that of the object type.
    init(reading reader: inout BitReader, isShort: Bool, maximumLongOrder: Int) throws(AACError) {
        let maximumOrder = isShort ? TNSLimits.shortOrder : maximumLongOrder
        for window in 0..<(isShort ? 8 : 1) {
            let filterCount = UInt8(reader.read(isShort ? 1 : 2))
            filterCounts[window] = filterCount
            guard filterCount > 0 else { continue }
            let resolution = UInt8(reader.read(1)) + 3
            resolutions[window] = resolution
            for filter in 0..<Int(filterCount) {
                self[window, filter] = try TNSFilter(
                    reading: &reader, isShort: isShort, resolution: Int(resolution), maximumOrder: maximumOrder)
            }
        }
    }

    /// A filter of a window; the first one covers the highest bands.
    ///
    /// - Parameters:
    ///   - window: 0 in a frame of one long window, else 0 to 7.
    ///   - number: 0 to 2 in the long window, else 0.
    subscript(_ window: Int, _ number: Int) -> TNSFilter {
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

    /// Writes the structure.
    func write(to sink: inout some BitSink, isShort: Bool) {
        for window in 0..<(isShort ? 8 : 1) {
            let filterCount = filterCounts[window]
            sink.write(UInt32(filterCount), count: isShort ? 1 : 2)
            guard filterCount > 0 else { continue }
            let resolution = Int(resolutions[window])
            sink.write(UInt32(resolution - 3), count: 1)
            for filter in 0..<Int(filterCount) {
                self[window, filter].write(to: &sink, isShort: isShort, resolution: resolution)
            }
        }
    }
}

extension TNSFilter {
    /// Reads one filter.
    init(reading reader: inout BitReader, isShort: Bool, resolution: Int, maximumOrder: Int) throws(AACError) {
        length = UInt8(reader.read(isShort ? 4 : 6))
        order = UInt8(reader.read(isShort ? 3 : 5))
        guard order <= maximumOrder else { throw .filterOrderOutOfRange(Int(order), maximum: maximumOrder) }
        guard order > 0 else { return }
        isDownward = reader.readFlag()
        isCompressed = reader.readFlag()
        let bits = isCompressed ? resolution - 1 : resolution
        for index in 0..<Int(order) {
            let coded = Int8(truncatingIfNeeded: reader.read(bits))
            coefficients[index] = (coded << Int8(8 - bits)) >> Int8(8 - bits)
        }
    }

    /// Writes one filter.
    func write(to sink: inout some BitSink, isShort: Bool, resolution: Int) {
        sink.write(UInt32(length), count: isShort ? 4 : 6)
        sink.write(UInt32(order), count: isShort ? 3 : 5)
        guard order > 0 else { return }
        sink.write(isDownward)
        sink.write(isCompressed)
        let bits = isCompressed ? resolution - 1 : resolution
        for index in 0..<Int(order) {
            sink.write(UInt32(truncatingIfNeeded: Int(coefficients[index])) & (1 << UInt32(bits) - 1), count: bits)
        }
    }
}
