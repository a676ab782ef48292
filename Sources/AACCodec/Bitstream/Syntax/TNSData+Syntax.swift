// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import TransformCoding

extension TNSData {
    /// Reads the structure; `maximumLongOrder` is that of the object type.
    init(reading reader: inout BitReader, isShort: Bool, maximumLongOrder: Int) throws(AACError) {
        self.init()
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
        self.init()
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
