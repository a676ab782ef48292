// SPDX-License-Identifier: Apache-2.0

extension [Float] {
    /// Reads 32-bit little-endian float samples, as FFmpeg writes them with `-f f32le`.
    package init(littleEndian bytes: [UInt8]) {
        self = bytes.withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map {
                Float(bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)))
            }
        }
    }
}
