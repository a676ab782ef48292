// SPDX-License-Identifier: Apache-2.0

/// Detects the start of a burst in a program's output.
protocol OnsetWatcher {
    /// Consumes bytes, and returns whether a burst starts in them.
    mutating func accept(_ bytes: ArraySlice<UInt8>) -> Bool
}

/// Detects a loud 16-bit sample after a tenth of a second of silence.
struct SampleWatcher: OnsetWatcher {
    private var quiet = 0
    private var half: UInt8?

    mutating func accept(_ bytes: ArraySlice<UInt8>) -> Bool {
        var isOnset = false
        for byte in bytes {
            guard let low = half else {
                half = byte
                continue
            }
            half = nil
            let sample = Int16(bitPattern: UInt16(low) | UInt16(byte) << 8)
            if abs(Int(sample)) < 64 {
                quiet += 1
            } else {
                if quiet > 9600 { isOnset = true }
                quiet = 0
            }
        }
        return isOnset
    }
}

/// Detects a large ADTS frame after several small ones.
struct ADTSWatcher: OnsetWatcher {
    private static let largeFrame = 100

    private var buffer: [UInt8] = []
    private var quiet = 0

    mutating func accept(_ bytes: ArraySlice<UInt8>) -> Bool {
        buffer += bytes
        var isOnset = false
        var start = 0
        while buffer.count - start >= 7 {
            let length = Int(buffer[start + 3] & 3) << 11 | Int(buffer[start + 4]) << 3 | Int(buffer[start + 5]) >> 5
            guard length >= 7, buffer.count - start >= length else { break }
            if length < Self.largeFrame {
                quiet += 1
            } else {
                if quiet > 4 { isOnset = true }
                quiet = 0
            }
            start += length
        }
        buffer.removeFirst(start)
        return isOnset
    }
}
