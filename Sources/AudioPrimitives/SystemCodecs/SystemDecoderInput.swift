// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
internal import AudioToolbox

/// The packet that the system's decoder takes in its callback.
///
/// Its memory is the system's until the next call, and the next packet waits in another block.
@safe
package final class SystemDecoderInput {
    /// The number of channels of the output.
    package let channelCount: Int

    private var waiting = Packet(capacity: 0)
    private var lent = Packet(capacity: 0)
    private var isWaiting = false

    /// A packet and its description.
    private struct Packet {
        var bytes: SystemInputBlock<UInt8>
        let description = SystemInputBlock<AudioStreamPacketDescription>(capacity: 1)
        var byteCount = 0

        /// Allocates a packet.
        init(capacity: Int) { bytes = SystemInputBlock(capacity: capacity) }
    }

    /// Creates an input without a packet.
    package init(channelCount: Int) { self.channelCount = channelCount }

    /// Makes a packet the next one, in place of one that the system has not taken.
    package func set(_ packet: [UInt8]) {
        if packet.count > waiting.bytes.capacity { waiting.bytes = SystemInputBlock(capacity: packet.count) }
        for index in packet.indices { unsafe waiting.bytes.memory[index] = packet[index] }
        waiting.byteCount = packet.count
        isWaiting = true
    }

    /// Gives the packet to the system, once.
    ///
    /// - Parameters:
    ///   - packetCount: The number of packets that the system asks for; the number of given packets replaces it.
    ///   - list: The buffers; the first one is set.
    ///   - descriptions: The place for the pointer to the packet's description.
    /// - Returns: 0, or `SystemEncoderInput.noInputNow`.
    @unsafe
    func take(
        _ packetCount: UnsafeMutablePointer<UInt32>, _ list: UnsafeMutablePointer<AudioBufferList>,
        _ descriptions: UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?
    ) -> OSStatus {
        guard isWaiting else {
            unsafe packetCount.pointee = 0
            return SystemEncoderInput.noInputNow
        }
        isWaiting = false
        swap(&waiting, &lent)
        unsafe packetCount.pointee = 1
        unsafe list.pointee.mBuffers = AudioBuffer(
            mNumberChannels: UInt32(channelCount), mDataByteSize: UInt32(lent.byteCount), mData: UnsafeMutableRawPointer(lent.bytes.memory))
        unsafe lent.description.memory.initialize(
            to: AudioStreamPacketDescription(mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: UInt32(lent.byteCount)))
        unsafe descriptions?.pointee = unsafe lent.description.memory
        return 0
    }
}
#endif
