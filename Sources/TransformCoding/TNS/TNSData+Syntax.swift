// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

extension TNSData {
    /// Reads `tns_data`.
    ///
    /// - Parameters:
    ///   - orderBitCount: The size of a long filter's order: 5 bits, 4 in USAC (ISO/IEC 23003-3, 5.3).
    ///   - checkOrder: Throws if a filter order exceeds its maximum, which is at most 20 in the long window and 7 in short ones.
    package init<Failure: Error>(
        reading reader: inout BitReader, isShort: Bool, orderBitCount: Int, checkOrder: (_ order: Int) throws(Failure) -> Void
    ) throws(Failure) {
        self.init()
        for window in 0..<(isShort ? 8 : 1) {
            let filterCount = UInt8(reader.read(isShort ? 1 : 2))
            filterCounts[window] = filterCount
            guard filterCount > 0 else { continue }
            let resolution = UInt8(reader.read(1)) + 3
            resolutions[window] = resolution
            for number in 0..<Int(filterCount) {
                var filter = TNSFilter()
                filter.length = UInt8(reader.read(isShort ? 4 : 6))
                filter.order = UInt8(reader.read(isShort ? 3 : orderBitCount))
                try checkOrder(Int(filter.order))
                if filter.order > 0 { filter.readCoefficients(from: &reader, resolution: Int(resolution)) }
                self[window, number] = filter
            }
        }
    }

    /// Writes `tns_data`.
    package func write(to sink: inout some BitSink, isShort: Bool, orderBitCount: Int) {
        for window in 0..<(isShort ? 8 : 1) {
            let filterCount = filterCounts[window]
            sink.write(UInt32(filterCount), count: isShort ? 1 : 2)
            guard filterCount > 0 else { continue }
            let resolution = Int(resolutions[window])
            sink.write(UInt32(resolution - 3), count: 1)
            for filter in 0..<Int(filterCount) {
                self[window, filter].write(to: &sink, isShort: isShort, orderBitCount: orderBitCount, resolution: resolution)
            }
        }
    }
}

extension TNSFilter {
    /// Reads the fields after the order.
    fileprivate mutating func readCoefficients(from reader: inout BitReader, resolution: Int) {
        isDownward = reader.readFlag()
        isCompressed = reader.readFlag()
        let bits = isCompressed ? resolution - 1 : resolution
        for index in 0..<Int(order) {
            let coded = Int8(truncatingIfNeeded: reader.read(bits))
            coefficients[index] = (coded << Int8(8 - bits)) >> Int8(8 - bits)
        }
    }

    fileprivate func write(to sink: inout some BitSink, isShort: Bool, orderBitCount: Int, resolution: Int) {
        sink.write(UInt32(length), count: isShort ? 4 : 6)
        sink.write(UInt32(order), count: isShort ? 3 : orderBitCount)
        guard order > 0 else { return }
        sink.write(isDownward)
        sink.write(isCompressed)
        let bits = isCompressed ? resolution - 1 : resolution
        for index in 0..<Int(order) {
            sink.write(UInt32(truncatingIfNeeded: Int(coefficients[index])) & (1 << UInt32(bits) - 1), count: bits)
        }
    }
}
