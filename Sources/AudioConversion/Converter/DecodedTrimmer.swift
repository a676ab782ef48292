// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// Finds the valid frames of decoded buffers.
struct DecodedTrimmer {
    private let gapless: GaplessInfo?
    private var position = 0

    /// Creates a trimmer.
    ///
    /// With `nil`, all frames are valid.
    init(_ gapless: GaplessInfo?) { self.gapless = gapless }

    /// Returns the valid frames of the next buffer.
    ///
    /// - Parameter factor: Decoded frames per frame that the container counts: 2 for unsignaled SBR, otherwise 1.
    mutating func valid(of frameCount: Int, factor: Int) -> Range<Int> {
        guard let gapless else { return 0..<frameCount }
        let start = gapless.primingFrames * factor - position
        let end = start + gapless.validFrames * factor
        position += frameCount
        let lower = min(max(start, 0), frameCount)
        return lower..<min(max(end, lower), frameCount)
    }
}

/// A first-in, first-out queue of packets.
struct PacketQueue {
    private var packets: [AccessUnit] = []
    private var start = 0

    var count: Int { packets.count - start }

    mutating func append(_ packet: AccessUnit) { packets.append(packet) }

    mutating func popFirst() -> AccessUnit? {
        guard start < packets.count else { return nil }
        defer {
            start += 1
            if start == packets.count || start >= 64 {
                packets.removeFirst(start)
                start = 0
            }
        }
        return packets[start]
    }
}
