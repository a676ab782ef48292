// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives

extension FuzzTarget {
    /// Tests ``expectSameEvents(_:coversAllBytes:_:)`` and ``expectBoundedEvents(_:open:)`` with Ogg Opus.
    ///
    /// If the first byte is odd, page checksums are corrected first, because few inputs would otherwise pass them.
    static let ogg = FuzzTarget("ogg") { bytes in
        var bytes = bytes
        guard let choice = bytes.first else { return }
        bytes.removeFirst()
        if choice % 2 == 1 { makeChecksumsValid(&bytes) }
        expectSameEvents(OggOpusParser.self, coversAllBytes: false, bytes)
        expectBoundedEvents(bytes) { try OggOpusReader($0) }
        expectBoundedEvents(bytes) { try OggOpusReader($0, audioTrack: 2) }
        let list = OggTracks(bytes)
        precondition(list.tracks(reading: list.defaultNumber).count { $0.isRead } <= 1, "several tracks are read")
    }
}

/// Replaces the checksum of each complete page.
private func makeChecksumsValid(_ bytes: inout [UInt8]) {
    var start = 0
    while start + 27 <= bytes.count {
        guard bytes[start..<start + 4].elementsEqual("OggS".utf8) else {
            start += 1
            continue
        }
        let body = start + 27 + Int(bytes[start + 26])
        guard body <= bytes.count else { return }
        let end = bytes[start + 27..<body].reduce(body) { $0 + Int($1) }
        guard end <= bytes.count else { return }
        for index in 22..<26 { bytes[start + index] = 0 }
        let checksum = bytes[start..<end].reduce(UInt32(0)) { value, byte in
            (0..<8).reduce(value ^ UInt32(byte) << 24) { sum, _ in sum & 0x8000_0000 == 0 ? sum << 1 : sum << 1 ^ 0x04C1_1DB7 }
        }
        for index in 0..<4 { bytes[start + 22 + index] = UInt8(truncatingIfNeeded: checksum >> UInt32(8 * index)) }
        start = end
    }
}
