// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// Finds the frames of decoded buffers that are valid.
struct DecodedTrimmer {
    private let gapless: GaplessInfo?
    private var position = 0

    /// Creates a trimmer; without information all frames are valid.
    init(_ gapless: GaplessInfo?) { self.gapless = gapless }

    /// Returns the valid frames of the next buffer.
    ///
    /// - Parameters:
    ///   - frameCount: The number of frames of the buffer.
    ///   - factor: The frames of the buffer for each one that the container counts: 2 for SBR that it does not signal, else 1.
    mutating func valid(of frameCount: Int, factor: Int) -> Range<Int> {
        guard let gapless else { return 0..<frameCount }
        let start = gapless.primingFrames * factor - position
        let end = start + gapless.validFrames * factor
        position += frameCount
        let lower = min(max(start, 0), frameCount)
        return lower..<min(max(end, lower), frameCount)
    }
}

/// Packets that wait.
struct PacketQueue {
    private var packets: [AccessUnit] = []
    private var start = 0

    /// The number of packets.
    var count: Int { packets.count - start }

    /// Adds a packet.
    mutating func append(_ packet: AccessUnit) { packets.append(packet) }

    /// Removes and returns the first packet.
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
