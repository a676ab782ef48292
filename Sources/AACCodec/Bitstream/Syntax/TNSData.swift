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
    var coefficients = [20 of Int8](repeating: 0)
}

/// The filters of one window.
struct TNSWindow {
    /// Filters, 0 to 3 in long windows, 0 or 1 in short ones (`n_filt`).
    var filterCount: UInt8 = 0

    /// Bits of resolution of the coefficients: 3 or 4 (`coef_res` + 3).
    var resolution: UInt8 = 3

    /// The filters; the first one covers the highest bands.
    var filters = [3 of TNSFilter](repeating: TNSFilter())
}

/// The filters of temporal noise shaping (`tns_data`, ISO/IEC 14496-3:2009, 4.4.2.7 and 4.6.9).
struct TNSData {
    /// One entry a window; the first alone in long windows.
    var windows = [8 of TNSWindow](repeating: TNSWindow())

    /// Creates data without filters.
    init() {}

    /// Reads the structure; `maximumLongOrder` is that of the object type.
    init(reading reader: inout BitReader, isShort: Bool, maximumLongOrder: Int) throws(AACError) {
        let maximumOrder = isShort ? TNSLimits.shortOrder : maximumLongOrder
        for window in 0..<(isShort ? 8 : 1) {
            let filterCount = UInt8(reader.read(isShort ? 1 : 2))
            windows[window].filterCount = filterCount
            guard filterCount > 0 else { continue }
            let resolution = UInt8(reader.read(1)) + 3
            windows[window].resolution = resolution
            for filter in 0..<Int(filterCount) {
                windows[window].filters[filter] = try TNSFilter(
                    reading: &reader, isShort: isShort, resolution: Int(resolution), maximumOrder: maximumOrder)
            }
        }
    }

    /// Writes the structure.
    func write(to sink: inout some BitSink, isShort: Bool) {
        for window in 0..<(isShort ? 8 : 1) {
            let filterCount = windows[window].filterCount
            sink.write(UInt32(filterCount), count: isShort ? 1 : 2)
            guard filterCount > 0 else { continue }
            let resolution = Int(windows[window].resolution)
            sink.write(UInt32(resolution - 3), count: 1)
            for filter in 0..<Int(filterCount) {
                windows[window].filters[filter].write(to: &sink, isShort: isShort, resolution: resolution)
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
