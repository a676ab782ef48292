// SPDX-License-Identifier: Apache-2.0

extension ALACConfiguration {
    /// The number of bytes at the start of a packet that are needed for its length.
    package static let packetHeaderLength = 7

    /// Returns the number of sample frames of a packet, which is less than ``frameLength`` only in the last packet of a stream.
    ///
    /// - Parameter front: The first ``packetHeaderLength`` bytes of the packet, or more.
    /// - Returns: The number of frames, or `nil` if the packet does not start with a valid audio element.
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
