// SPDX-License-Identifier: Apache-2.0

extension ALACConfiguration {
    /// The number of bytes at the beginning of a packet that tell its length.
    package static let packetHeaderLength = 7

    /// Returns the number of sample frames of a packet, of which only the last one of a stream is shorter than ``frameLength``.
    ///
    /// - Parameter front: The first ``packetHeaderLength`` bytes of the packet, or more.
    /// - Returns: The number of frames; nil if the packet does not begin with a valid element of audio.
    package func frameCount(ofPacket front: some Collection<UInt8>) -> Int? {
        var reader = BitReader(front)
        let kind = reader.read(3)
        reader.skip(4)
        guard [0, 1, 3].contains(kind), reader.read(12) == 0 else { return nil }
        let hasFrameCount = reader.readFlag()
        reader.skip(3)
        let count = hasFrameCount ? Int(clamping: reader.read(32)) : frameLength
        return reader.hasOverrun || !(1...frameLength).contains(count) ? nil : count
    }
}
