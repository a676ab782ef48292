// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

#if canImport(CCompression)
internal import CCompression
#endif

/// A palette picture as a PNG file (PNG specification, third edition).
///
/// zlib, loaded on first use, compresses the pixels. Without zlib they are stored.
package struct PNGImage {
    let width: Int
    let height: Int
    let palette: [RGBColor]
    /// The palette index of each pixel, row by row from the top.
    let pixels: [UInt8]

    package init(width: Int, height: Int, palette: [RGBColor], pixels: [UInt8]) {
        precondition(width > 0 && height > 0 && pixels.count == width * height && (1...256).contains(palette.count))
        self.width = width
        self.height = height
        self.palette = palette
        self.pixels = pixels
    }

    var serialized: [UInt8] { serialized(compresses: true) }

    /// Returns the bytes of the file.
    ///
    /// - Parameter compresses: Whether to use zlib if available.
    package func serialized(compresses: Bool) -> [UInt8] {
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        // Eight bits, palette, no interlacing.
        file += Self.chunk("IHDR", Self.number(width) + Self.number(height) + [8, 3, 0, 0, 0])
        file += Self.chunk("PLTE", palette.flatMap { [$0.red, $0.green, $0.blue] })
        var rows: [UInt8] = []
        rows.reserveCapacity((width + 1) * height)
        for row in 0..<height {
            // No filter.
            rows.append(0)
            rows += pixels[row * width..<(row + 1) * width]
        }
        file += Self.chunk("IDAT", (compresses ? Self.compressed(rows) : nil) ?? Self.stored(rows))
        return file + Self.chunk("IEND", [])
    }

    /// The file as a data URL.
    var dataAddress: String { "data:image/png;base64," + Base64.string(serialized) }

    /// Returns a chunk: its length, type, data and checksum.
    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + data
        var remainder: UInt32 = 0xFFFF_FFFF
        for byte in body { remainder = checksumTable[Int(UInt8(truncatingIfNeeded: remainder) ^ byte)] ^ remainder >> 8 }
        return number(data.count) + body + number(Int(~remainder))
    }

    /// The CRC table of the PNG polynomial.
    private static let checksumTable: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }

    /// Returns a big-endian number.
    private static func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }

    /// Returns bytes compressed by zlib; nil without zlib.
    private static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        #if canImport(CCompression)
        guard let library = linnet_compression_functions() else { return nil }
        var size = library.pointee.compressBound(UInt(bytes.count))
        var result = [UInt8](repeating: 0, count: Int(size))
        guard library.pointee.compress2(&result, &size, bytes, UInt(bytes.count), 9) == 0 else { return nil }
        return Array(result[..<Int(size)])
        #else
        return nil
        #endif
    }

    /// Returns bytes as stored deflate blocks in a zlib stream (RFC 1950, RFC 1951 3.2.4).
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0x78, 0x01]
        var start = 0
        repeat {
            let end = min(bytes.count, start + 65_535)
            let count = end - start
            let fields = [count & 0xFF, count >> 8, ~count & 0xFF, ~count >> 8 & 0xFF].map { UInt8($0) }
            result += [end == bytes.count ? 1 : 0] + fields + bytes[start..<end]
            start = end
        } while start < bytes.count
        var (low, high) = (1, 0)
        for byte in bytes {
            low = (low + Int(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return result + number(high << 16 | low)
    }
}
