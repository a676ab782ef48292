// SPDX-License-Identifier: Apache-2.0

/// A codec whose frames occur without a header that identifies it, such as AC-3 in a PCM WAV file.
package enum CodedFrames: String {
    /// AC-3 (ETSI TS 102 366).
    case ac3 = "AC-3"
    /// Enhanced AC-3 (ETSI TS 102 366, annex E).
    case eac3 = "E-AC-3"

    /// The required number of consecutive frames.
    private static let runCount = 4

    /// Finds several consecutive frames, or returns `nil` if not found.
    ///
    /// - Parameter bytes: The first bytes of a file or of its samples, in either byte order.
    package init?(in bytes: [UInt8]) {
        let isSwapped = stride(from: 0, to: bytes.count - 1, by: 2).lazy.map { (bytes[$0], bytes[$0 + 1]) }.contains { $0 == (0x77, 0x0B) }
        let swapped = isSwapped ? bytes.indices.dropLast(bytes.count & 1).map { bytes[$0 ^ 1] } : []
        for window in [bytes, swapped] {
            for offset in window.indices.dropLast(6) where window[offset] == 0x0B && window[offset + 1] == 0x77 {
                guard let first = Self.frame(window, at: offset) else { continue }
                var (next, count) = (offset, 0)
                while count < Self.runCount, let frame = Self.frame(window, at: next), frame.codec == first.codec {
                    (next, count) = (next + frame.byteCount, count + 1)
                }
                guard count == Self.runCount || count > 1 && next == window.count else { continue }
                self = first.codec
                return
            }
        }
        return nil
    }

    /// Returns the codec and length of a frame from its header (ETSI TS 102 366, 4.4.1 and E.1.3.1), or `nil` if it is not one.
    private static func frame(_ bytes: [UInt8], at offset: Int) -> (codec: CodedFrames, byteCount: Int)? {
        guard offset + 6 <= bytes.count, bytes[offset] == 0x0B, bytes[offset + 1] == 0x77 else { return nil }
        let (version, rate) = (bytes[offset + 5] >> 3, Int(bytes[offset + 4] >> 6))
        if version == 16 {
            let wordCount = (Int(bytes[offset + 2] & 7) << 8 | Int(bytes[offset + 3])) + 1
            return (.eac3, 2 * wordCount)
        }
        let sizeCode = Int(bytes[offset + 4] & 0x3F)
        guard version <= 10, rate < 3, sizeCode < 2 * bitRates.count else { return nil }
        let bitRate = bitRates[sizeCode / 2]
        // 1536 sample frames at 48, 44.1 and 32 kHz. At 44.1 kHz, odd size codes have one more word.
        return (.ac3, rate == 0 ? 4 * bitRate : rate == 2 ? 6 * bitRate : 2 * (bitRate * 320 / 147 + sizeCode % 2))
    }

    /// The bit rates of AC-3, in kbit/s.
    private static let bitRates = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640]
}
