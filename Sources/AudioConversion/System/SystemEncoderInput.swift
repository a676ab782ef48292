// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if canImport(Darwin)
internal import AudioPrimitives
internal import AudioToolbox

/// The PCM that the system's encoder takes in its callback: frames in memory that stays until the next call.
@safe
final class SystemEncoderInput {
    /// The status that tells the system's encoder to wait: there is no input now, and more will come.
    static let noInputNow: OSStatus = 0x6E6F_6E65

    /// Whether there will be no more input.
    var isAtEnd = false

    private let channelCount: Int
    private var memory: UnsafeMutablePointer<Float>
    private var capacity = 0
    private var frameCount = 0

    /// Creates an input without frames.
    init(channelCount: Int) {
        self.channelCount = channelCount
        unsafe memory = .allocate(capacity: 1)
    }

    deinit { unsafe memory.deallocate() }

    /// Replaces the frames, all of which have been taken.
    func set(_ buffer: PCMBuffer) {
        frameCount = buffer.frameCount
        if frameCount > capacity {
            unsafe memory.deallocate()
            unsafe memory = .allocate(capacity: frameCount * channelCount)
            capacity = frameCount
        }
        buffer.forEachInterleaved { unsafe memory[$0] = $1 }
    }

    /// Gives all frames to the system, once.
    ///
    /// - Parameters:
    ///   - packetCount: The number of frames, which is replaced by that of the frames given.
    ///   - list: The buffers, of which the first one is set.
    /// - Returns: 0, or ``noInputNow``.
    @unsafe
    func take(_ packetCount: UnsafeMutablePointer<UInt32>, _ list: UnsafeMutablePointer<AudioBufferList>) -> OSStatus {
        unsafe packetCount.pointee = UInt32(frameCount)
        unsafe list.pointee.mBuffers = AudioBuffer(
            mNumberChannels: UInt32(channelCount), mDataByteSize: UInt32(frameCount * channelCount * MemoryLayout<Float>.stride),
            mData: UnsafeMutableRawPointer(memory))
        defer { frameCount = 0 }
        return frameCount > 0 || isAtEnd ? 0 : Self.noInputNow
    }
}
#endif
