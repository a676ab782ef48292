// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The bits of a `StreamMuxConfig`, with `useSameStreamMux`, at the start of an `AudioMuxElement`.
///
/// Most streams repeat it in each element, and comparing it is faster than parsing it. Only a `StreamMuxConfig` with an explicit length
/// (`audioMuxVersion` 1) is stored. Where others end can depend on later bits.
struct RepeatedDescription: Sendable {
    /// The bits, zero-padded to whole bytes.
    private var bytes: [UInt8] = []
    /// The number of bits, or 0 if nothing is stored.
    private var bitCount = 0

    init() {}

    /// Stores the bits of `config`, if its length is explicit.
    ///
    /// - Parameter reader: A reader positioned after the `StreamMuxConfig`.
    init(_ config: StreamMuxConfig, endingAt reader: BitReader) {
        guard config.audioMuxVersion == 1 else { return }
        var start = reader
        start.skip(-reader.bitPosition)
        bitCount = reader.bitPosition
        bytes = start.readBytes(bitCount: bitCount)
    }

    /// Skips the `StreamMuxConfig` if the element repeats it, and returns whether it does.
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
