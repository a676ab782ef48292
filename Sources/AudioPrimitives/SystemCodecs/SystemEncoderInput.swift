// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
package import AudioToolbox

/// The PCM that the system's encoder takes in its callback.
///
/// Frames wait in one block of memory until the system calls for input. That block is then the system's until its next call, and new frames
/// wait in another one.
@safe
package final class SystemEncoderInput {
    /// The status that tells the system's encoder to wait: there is no input now, and more will come.
    package static let noInputNow: OSStatus = 0x6E6F_6E65

    /// Whether there will be no more input.
    package var isAtEnd = false
    /// The number of frames that the system has taken since the start.
    package private(set) var takenFrameCount = 0
    /// The number of frames that wait for the system's next call.
    package private(set) var waitingFrameCount = 0

    private let channelCount: Int
    private var waiting: SystemInputBlock<Float>
    private var lent: SystemInputBlock<Float>

    /// Creates an input without frames.
    package init(channelCount: Int) {
        self.channelCount = channelCount
        waiting = SystemInputBlock(capacity: 0)
        lent = SystemInputBlock(capacity: 0)
    }

    /// Adds frames to those that wait.
    package func append(_ buffer: PCMBuffer) {
        let start = reserve(buffer.frameCount)
        buffer.forEachInterleaved { unsafe waiting.memory[start + $0] = $1 }
        waitingFrameCount += buffer.frameCount
    }

    /// Adds frames of interleaved samples to those that wait.
    package func append(_ samples: ArraySlice<Float>) {
        let frameCount = samples.count / channelCount
        var index = reserve(frameCount)
        for sample in samples {
            unsafe waiting.memory[index] = sample
            index += 1
        }
        waitingFrameCount += frameCount
    }

    /// Makes room for frames after those that wait; returns the index of the first new sample.
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

    /// Discards all frames and begins a new stream.
    package func reset() {
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
