// SPDX-License-Identifier: Apache-2.0

/// The syncwords of LOAS (`AudioSyncStream`, ISO/IEC 14496-3:2009, 1.7.2).
enum LOASSync {
    /// The result of a search for a frame.
    enum Search {
        /// No frame. `isCut`: the stream may end inside one.
        case none(isCut: Bool)
        case needsMore
        /// A frame with an `AudioMuxElement` of the given size.
        case found(elementByteCount: Int)
    }

    /// The size of syncword and length field.
    static let byteCount = 3
    /// The first eight bits of the syncword.
    static let firstByte: UInt8 = 0x56

    private static let syncword = 0x2B7

    /// Returns syncword and length field.
    static func header(elementByteCount: Int) -> [UInt8] {
        let word = syncword << 13 | elementByteCount
        return [UInt8(word >> 16), UInt8(word >> 8 & 0xFF), UInt8(word & 0xFF)]
    }

    /// Searches for a frame at the start of the window.
    ///
    /// `followers` more syncwords, or the end of the stream, must follow.
    static func search(_ window: StreamWindow, followers: Int) -> Search {
        var position = 0
        var first: Int?
        for _ in 0...followers {
            if position == window.count, first != nil {
                return window.isFinished ? .found(elementByteCount: first ?? 0) : .needsMore
            }
            guard position < window.count else { return window.isFinished ? .none(isCut: true) : .needsMore }
            guard window.has(position + byteCount) else {
                guard window[position] == firstByte else { return .none(isCut: false) }
                guard window.isFinished else { return .needsMore }
                // The stream ends inside a header. All earlier frames are complete.
                return first.map { .found(elementByteCount: $0) } ?? .none(isCut: true)
            }
            guard let length = elementByteCount(window[position..<position + byteCount]), length > 0 else { return .none(isCut: false) }
            // A truncated frame counts as the end of the stream, unless it is the first.
            if first != nil, window.isFinished, !window.has(position + byteCount + length) {
                return .found(elementByteCount: first ?? 0)
            }
            if first == nil { first = length }
            position += byteCount + length
        }
        return .found(elementByteCount: first ?? 0)
    }

    /// Whether consecutive frames start anywhere in the bytes.
    static func isInside(_ bytes: [UInt8]) -> Bool {
        bytes.indices.contains { bytes[$0] == firstByte && begins(bytes[$0...]) }
    }

    /// Whether the bytes start with up to three consecutive frames.
    static func begins(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        for index in 0..<3 {
            if rest.isEmpty && index > 0 { return true }
            guard let length = elementByteCount(rest), length > 0 else { return false }
            guard rest.count >= byteCount + length else { return index > 0 }
            rest = rest.dropFirst(byteCount + length)
        }
        return true
    }

    /// Returns the element size from the header at the start, or `nil` without a syncword.
    private static func elementByteCount(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= byteCount else { return nil }
        let word = bytes.prefix(byteCount).reduce(0) { $0 << 8 | Int($1) }
        return word >> 13 == syncword ? word & 0x1FFF : nil
    }
}
