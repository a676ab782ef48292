// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The bits at the start of an `AudioMuxElement` with a description (`useSameStreamMux`, `StreamMuxConfig`), which most streams repeat in each
/// element: they are compared in less time than read.
///
/// Only a description that states the length of its configuration (`audioMuxVersion` 1) is kept: where another one ends can depend on bits
/// after it.
struct RepeatedDescription: Sendable {
    /// The bits, the last byte filled up with zeros.
    private var bytes: [UInt8] = []
    /// The number of bits; 0 if no description is kept.
    private var bitCount = 0

    /// Keeps no description.
    init() {}

    /// Keeps a description.
    ///
    /// - Parameters:
    ///   - config: The description.
    ///   - reader: A reader of the element, behind the description.
    init(_ config: StreamMuxConfig, endingAt reader: BitReader) {
        guard config.audioMuxVersion == 1 else { return }
        var start = reader
        start.skip(-reader.bitPosition)
        bitCount = reader.bitPosition
        bytes = start.readBytes(bitCount: bitCount)
    }

    /// Skips the description if the element repeats it; returns whether it does.
    ///
    /// - Parameter reader: A reader at the start of an element.
    func skip(in reader: inout BitReader) -> Bool {
        guard bitCount > 0, bitCount <= reader.bitsRemaining else { return false }
        for index in bytes.indices {
            let count = min(8, bitCount - 8 * index)
            guard reader.peekWindow(at: 8 * index) >> UInt64(64 - count) == UInt64(bytes[index]) >> UInt64(8 - count) else { return false }
        }
        reader.skip(bitCount)
        return true
    }
}
