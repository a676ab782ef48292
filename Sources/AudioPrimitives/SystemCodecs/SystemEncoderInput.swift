// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
package import AudioToolbox

/// The PCM that the system encoder fetches in its callback.
///
/// Frames wait in one memory block until the system requests input. The system then owns that block until its next call, and new frames
/// wait in another block.
@safe
package final class SystemEncoderInput {
    /// The status that tells the system encoder to wait: there is no input now, but more will come.
    package static let noInputNow: OSStatus = 0x6E6F_6E65

    /// Whether there is no more input.
    package var isAtEnd = false
    /// The number of frames that the system has fetched since the start.
    package private(set) var takenFrameCount = 0
    package private(set) var waitingFrameCount = 0

    private let channelCount: Int
    private var waiting: SystemInputBlock<Float>
    private var lent: SystemInputBlock<Float>

    package init(channelCount: Int) {
        self.channelCount = channelCount
        waiting = SystemInputBlock(capacity: 0)
        lent = SystemInputBlock(capacity: 0)
    }

    /// Adds frames to the waiting ones.
    package func append(_ buffer: PCMBuffer) {
        let start = reserve(buffer.frameCount)
        buffer.forEachInterleaved { unsafe waiting.memory[start + $0] = $1 }
        waitingFrameCount += buffer.frameCount
    }

    /// Adds interleaved samples to the waiting frames.
    package func append(_ samples: ArraySlice<Float>) {
        let frameCount = samples.count / channelCount
        var index = reserve(frameCount)
        for sample in samples {
            unsafe waiting.memory[index] = sample
            index += 1
        }
        waitingFrameCount += frameCount
    }

    /// Makes room for frames after the waiting ones and returns the index of the first new sample.
    private func reserve(_ frameCount: Int) -> Int {
        let start = waitingFrameCount * channelCount
        let needed = start + frameCount * channelCount
        if needed > waiting.capacity {
            let block = SystemInputBlock<Float>(capacity: needed)
            unsafe block.memory.update(from: waiting.memory, count: start)
            waiting = block
        }
        return start
    }

    /// Discards all frames and starts a new stream.
    package func reset() {
        isAtEnd = false
        takenFrameCount = 0
        waitingFrameCount = 0
    }

    /// Passes all waiting frames to the system.
    ///
    /// - Parameters:
    ///   - packetCount: The requested number of frames, which is replaced by the number of frames passed.
    ///   - list: The buffers, whose first is set.
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
