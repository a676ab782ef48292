// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
internal import AudioConversion
internal import AudioPrimitives
internal import CLinnetAudioTypes
internal import Foundation

/// Copies audio between buffers and a converter.
struct BufferTransfer {
    private var bytes: [UInt8] = []
    /// A packet that did not fit in the last buffer.
    private var pending: AccessUnit?

    /// Passes the valid frames of a buffer to the converter.
    mutating func append(_ buffer: AVAudioPCMBuffer, to engine: AudioConverter) throws {
        let list = buffer.filledList
        if list.count == 1 {
            let memory = UnsafeRawBufferPointer(start: list[0].mData, count: Int(list[0].mDataByteSize))
            return try engine.append(memory.bytes)
        }
        bytes.removeAll(keepingCapacity: true)
        for part in list { bytes.append(contentsOf: UnsafeRawBufferPointer(start: part.mData, count: Int(part.mDataByteSize))) }
        try engine.append(bytes.span.bytes)
    }

    /// Replaces the contents of a buffer with the next output frames, at most `count`.
    mutating func read(_ count: Int, from engine: AudioConverter, into buffer: AVAudioPCMBuffer) {
        let count = engine.read(count, into: &bytes)
        let list = buffer.wholeList
        let share = bytes.count / list.count
        bytes.withUnsafeBytes { all in
            guard let source = all.baseAddress else { return }
            for (index, part) in list.enumerated() { part.mData?.copyMemory(from: source + index * share, byteCount: share) }
        }
        buffer.frameLength = AVAudioFrameCount(count)
    }

    /// Moves packets to a buffer.
    ///
    /// - Returns: Whether more packets fit.
    /// - Throws: An error if not even one packet fits.
    mutating func appendPackets(from engine: AudioConverter, to buffer: AVAudioCompressedBuffer) throws -> Bool {
        while buffer.packetCount < buffer.packetCapacity, let packet = pending ?? engine.nextPacket() {
            pending = nil
            // Packet descriptions store the length only of packets whose length differs from the format's.
            let isUsual = packet.duration == engine.framesPerOutputPacket
            guard buffer.append(packet.payload, frameCount: isUsual ? 0 : packet.duration) else {
                pending = packet
                guard buffer.packetCount > 0 else {
                    throw NSError(
                        avfaudio: kAudioConverterErr_InvalidOutputSize,
                        "the output capacity is \(buffer.byteCapacity) bytes; a packet has \(packet.payload.count)")
                }
                return false
            }
        }
        return true
    }
}
#endif
