// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// Access unit sizes (`stsz`, or the compact `stz2`; ISO/IEC 14496-12, 8.7.3).
package struct SampleSizeBox: Box, Equatable {
    package static let type: FourCharCode = "stsz"
    static let compactType: FourCharCode = "stz2"

    /// The size of every access unit, in bytes, or `nil` if sizes are listed.
    var constantSize: Int?
    /// The number of access units, if sizes are not listed.
    var constantCount = 0
    /// The size of each access unit, in bytes.
    package var sizes: [UInt32] = []

    /// The number of access units.
    var count: Int { constantSize == nil ? sizes.count : constantCount }

    /// The total size in bytes, clamped to `Int`.
    var byteCount: Int {
        guard let constantSize else { return sizes.reduce(0) { Int(clamping: Int64($0) + Int64($1)) } }
        let product = constantSize.multipliedReportingOverflow(by: constantCount)
        return product.overflow ? Int.max : product.partialValue
    }

    init(constantSize: Int, count: Int) {
        self.constantSize = constantSize
        constantCount = count
    }

    package init(sizes: [UInt32] = []) { self.sizes = sizes }

    package init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        _ = try cursor.readFullBox()
        let size = try cursor.readInteger(4)
        if size == 0 {
            sizes = try cursor.readEntries(of: 4) { cursor throws(ContainerError) in UInt32(truncatingIfNeeded: try cursor.readBits(4)) }
        } else {
            (constantSize, constantCount) = (size, try cursor.readInteger(4))
        }
    }

    /// Parses the body of the compact form, with 4, 8 or 16 bits per size.
    package init(parsingCompact cursor: inout ByteCursor) throws(ContainerError) {
        _ = try cursor.readFullBox()
        try cursor.skip(3)
        let bits = try cursor.readInteger(1)
        let count = try cursor.readInteger(4)
        guard [4, 8, 16].contains(bits) else { throw .invalidBox(Self.compactType, offset: cursor.offset) }
        try cursor.require(Int(clamping: (Int64(count) * Int64(bits) + 7) / 8))
        sizes.reserveCapacity(count)
        while sizes.count < count {
            let value = try cursor.readInteger(bits == 16 ? 2 : 1)
            if bits == 4 {
                sizes.append(UInt32(value >> 4))
                if sizes.count < count { sizes.append(UInt32(value & 15)) }
            } else {
                sizes.append(UInt32(value))
            }
        }
    }

    package func write(to writer: inout BoxWriter) {
        // FFmpeg 5.1 does not read the listed size of a single access unit that lasts one sample frame.
        let single = constantSize == nil && sizes.count == 1 && sizes[0] > 0
        writer.writeFullBox()
        writer.write(single ? Int(sizes[0]) : constantSize ?? 0, 4)
        writer.write(count, 4)
        for size in sizes where !single {
            writer.write(Int(size), 4)
        }
    }
}
