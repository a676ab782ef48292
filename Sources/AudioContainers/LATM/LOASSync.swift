// SPDX-License-Identifier: Apache-2.0

/// The syncwords of LOAS (`AudioSyncStream`, ISO/IEC 14496-3:2009, 1.7.2).
enum LOASSync {
    /// The result of a search for a frame.
    enum Search {
        /// There is none; `isCut` says that the stream may end within one.
        case none(isCut: Bool)
        /// More bytes are needed.
        case needsMore
        /// There is one with an `AudioMuxElement` of so many bytes.
        case found(elementByteCount: Int)
    }

    /// Bytes of syncword and length.
    static let byteCount = 3
    /// The first eight bits of the syncword.
    static let firstByte: UInt8 = 0x56

    private static let syncword = 0x2B7

    /// Syncword and length for an element of so many bytes.
    static func header(elementByteCount: Int) -> [UInt8] {
        let word = syncword << 13 | elementByteCount
        return [UInt8(word >> 16), UInt8(word >> 8 & 0xFF), UInt8(word & 0xFF)]
    }

    /// Looks for a frame at the front of the window, which so many more syncwords have to follow, or the end of the stream.
    static func search(_ window: StreamWindow, followers: Int) -> Search {
        var place = 0
        var first: Int?
        for _ in 0...followers {
            if place == window.count, first != nil {
                return window.isFinished ? .found(elementByteCount: first ?? 0) : .needsMore
            }
            guard place < window.count else { return window.isFinished ? .none(isCut: true) : .needsMore }
            guard window.has(place + byteCount) else {
                guard window[place] == firstByte else { return .none(isCut: false) }
                guard window.isFinished else { return .needsMore }
                // The stream ends in the header of a frame that is lost; the ones before it are whole.
                return first.map { .found(elementByteCount: $0) } ?? .none(isCut: true)
            }
            guard let length = elementByteCount(window[place..<place + byteCount]), length > 0 else { return .none(isCut: false) }
            // A frame that is cut off ends the row as the end of the stream does, unless it is the one looked for.
            if first != nil, window.isFinished, !window.has(place + byteCount + length) {
                return .found(elementByteCount: first ?? 0)
            }
            if first == nil { first = length }
            place += byteCount + length
        }
        return .found(elementByteCount: first ?? 0)
    }

    /// Whether frames in a row begin at the front, as far as it goes.
    static func begins(_ bytes: [UInt8]) -> Bool { begins(bytes[...]) }

    /// Whether frames in a row begin somewhere.
    static func isInside(_ bytes: [UInt8]) -> Bool {
        bytes.indices.contains { bytes[$0] == firstByte && begins(bytes[$0...]) }
    }

    /// Returns whether up to three consecutive frames start at the first byte.
    private static func begins(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        for index in 0..<3 {
            if rest.isEmpty && index > 0 { return true }
            guard let length = elementByteCount(rest), length > 0 else { return false }
            guard rest.count >= byteCount + length else { return index > 0 }
            rest = rest.dropFirst(byteCount + length)
        }
        return true
    }

    /// Returns the length of the element after a syncword at the start; nil if there is none.
    private static func elementByteCount(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= byteCount else { return nil }
        let word = bytes.prefix(byteCount).reduce(0) { $0 << 8 | Int($1) }
        return word >> 13 == syncword ? word & 0x1FFF : nil
    }
}
