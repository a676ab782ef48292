// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
internal import AudioToolbox

/// The packet that the system decoder fetches in its callback.
///
/// The system owns its memory until the next call, so the next packet waits in another block.
@safe
package final class SystemDecoderInput {
    /// The output channel count.
    package let channelCount: Int

    private var waiting = Packet(capacity: 0)
    private var lent = Packet(capacity: 0)
    private var isWaiting = false

    private struct Packet {
        var bytes: SystemInputBlock<UInt8>
        let description = SystemInputBlock<AudioStreamPacketDescription>(capacity: 1)
        var byteCount = 0

        init(capacity: Int) { bytes = SystemInputBlock(capacity: capacity) }
    }

    package init(channelCount: Int) { self.channelCount = channelCount }

    /// Sets the next packet, and replaces one that the system has not fetched.
    package func set(_ packet: [UInt8]) {
        if packet.count > waiting.bytes.capacity { waiting.bytes = SystemInputBlock(capacity: packet.count) }
        for index in packet.indices { unsafe waiting.bytes.memory[index] = packet[index] }
        waiting.byteCount = packet.count
        isWaiting = true
    }

    /// Passes the packet to the system, once.
    ///
    /// - Parameters:
    ///   - packetCount: The requested number of packets, which is replaced by the number of packets passed.
    ///   - list: The buffers, whose first is set.
    ///   - descriptions: Receives the pointer to the packet description.
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
