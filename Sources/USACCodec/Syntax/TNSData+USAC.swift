// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import TransformCoding

extension TNSData {
    /// Reads `tns_data` of USAC, whose long filters state their order in 4 bits (ISO/IEC 23003-3, 5.3).
    init(readingUSAC reader: inout BitReader, isShort: Bool) {
        self.init()
        for window in 0..<(isShort ? 8 : 1) {
            let filterCount = UInt8(reader.read(isShort ? 1 : 2))
            filterCounts[window] = filterCount
            guard filterCount > 0 else { continue }
            let resolution = UInt8(reader.read(1)) + 3
            resolutions[window] = resolution
            for filter in 0..<Int(filterCount) {
                self[window, filter] = TNSFilter(readingUSAC: &reader, isShort: isShort, resolution: Int(resolution))
            }
        }
    }
}

extension TNSData {
    /// Writes `tns_data` of USAC.
    func writeUSAC(to sink: inout some BitSink, isShort: Bool) {
        for window in 0..<(isShort ? 8 : 1) {
            sink.write(UInt32(filterCounts[window]), count: isShort ? 1 : 2)
            guard filterCounts[window] > 0 else { continue }
            sink.write(resolutions[window] == 4)
            for filter in 0..<Int(filterCounts[window]) {
                self[window, filter].writeUSAC(to: &sink, isShort: isShort, resolution: Int(resolutions[window]))
            }
        }
    }
}

extension TNSFilter {
    /// Writes one filter of USAC.
    fileprivate func writeUSAC(to sink: inout some BitSink, isShort: Bool, resolution: Int) {
        sink.write(UInt32(length), count: isShort ? 4 : 6)
        sink.write(UInt32(order), count: isShort ? 3 : 4)
        guard order > 0 else { return }
        sink.write(isDownward)
        sink.write(isCompressed)
        let bits = isCompressed ? resolution - 1 : resolution
        for index in 0..<Int(order) { sink.write(UInt32(truncatingIfNeeded: coefficients[index]) & (1 << UInt32(bits) - 1), count: bits) }
    }

    /// Reads one filter of USAC.
    fileprivate init(readingUSAC reader: inout BitReader, isShort: Bool, resolution: Int) {
        self.init()
        length = UInt8(reader.read(isShort ? 4 : 6))
        order = UInt8(reader.read(isShort ? 3 : 4))
        guard order > 0 else { return }
        isDownward = reader.readFlag()
        isCompressed = reader.readFlag()
        let bits = isCompressed ? resolution - 1 : resolution
        for index in 0..<Int(order) {
            let coded = Int8(truncatingIfNeeded: reader.read(bits))
            coefficients[index] = (coded << Int8(8 - bits)) >> Int8(8 - bits)
        }
    }
}
