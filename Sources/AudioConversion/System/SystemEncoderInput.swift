// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
internal import AudioPrimitives
internal import AudioToolbox

/// The PCM that the system's encoder takes in its callback.
///
/// Frames wait in one block of memory until the system calls for input. That block is then the system's until its next call, and new frames
/// wait in another one.
@safe
final class SystemEncoderInput {
    /// The status that tells the system's encoder to wait: there is no input now, and more will come.
    static let noInputNow: OSStatus = 0x6E6F_6E65

    /// Whether there will be no more input.
    var isAtEnd = false
    /// The number of frames that the system has taken since the start.
    private(set) var takenFrameCount = 0
    /// The number of frames that wait for the system's next call.
    private(set) var waitingFrameCount = 0

    private let channelCount: Int
    private var waiting: Block
    private var lent: Block

    /// Memory for samples.
    @safe
    private final class Block {
        /// The samples, interleaved.
        let memory: UnsafeMutablePointer<Float>
        /// The number of samples that fit.
        let capacity: Int

        /// Allocates a block.
        init(capacity: Int) {
            unsafe memory = .allocate(capacity: max(1, capacity))
            self.capacity = capacity
        }

        deinit { unsafe memory.deallocate() }
    }

    /// Creates an input without frames.
    init(channelCount: Int) {
        self.channelCount = channelCount
        waiting = Block(capacity: 0)
        lent = Block(capacity: 0)
    }

    /// Adds frames to those that wait.
    func append(_ buffer: PCMBuffer) {
        let start = waitingFrameCount * channelCount
        let needed = start + buffer.frameCount * channelCount
        if needed > waiting.capacity {
            let block = Block(capacity: needed)
            unsafe block.memory.update(from: waiting.memory, count: start)
            waiting = block
        }
        buffer.forEachInterleaved { unsafe waiting.memory[start + $0] = $1 }
        waitingFrameCount += buffer.frameCount
    }

    /// Discards all frames and begins a new stream.
    func reset() {
        isAtEnd = false
        takenFrameCount = 0
        waitingFrameCount = 0
    }

    /// Gives all frames that wait to the system.
    ///
    /// - Parameters:
    ///   - packetCount: The number of frames that the system asks for; the number of given frames replaces it.
    ///   - list: The buffers; the first one is set.
    /// - Returns: 0, or ``noInputNow``.
    @unsafe
    func take(_ packetCount: UnsafeMutablePointer<UInt32>, _ list: UnsafeMutablePointer<AudioBufferList>) -> OSStatus {
        let count = waitingFrameCount
        swap(&waiting, &lent)
        waitingFrameCount = 0
        takenFrameCount += count
        unsafe packetCount.pointee = UInt32(count)
        unsafe list.pointee.mBuffers = AudioBuffer(
            mNumberChannels: UInt32(channelCount), mDataByteSize: UInt32(count * channelCount * MemoryLayout<Float>.stride),
            mData: UnsafeMutableRawPointer(lent.memory))
        return count > 0 || isAtEnd ? 0 : Self.noInputNow
    }
}
#endif
