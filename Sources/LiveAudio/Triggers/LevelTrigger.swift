// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
internal import SystemLibrary

/// Holds audio back until a sample exceeds a level, and then releases it with the audio before.
package struct LevelTrigger {
    /// Audio with the host time of its first frame, in nanoseconds.
    package struct Block {
        package var buffer: PCMBuffer
        package var hostTime: Int64

        package init(buffer: PCMBuffer, hostTime: Int64) {
            (self.buffer, self.hostTime) = (buffer, hostTime)
        }

        /// Returns the frames from `first`.
        func dropping(_ first: Int) -> Block {
            let age = Int64((Double(first) * 1e9 / Double(buffer.sampleRate)).rounded())
            return Block(buffer: buffer.frames(first..<buffer.frameCount), hostTime: hostTime + age)
        }
    }

    private let threshold: Float
    private let preRollFrames: Int
    private var held: [Block] = []
    private var heldFrames = 0

    /// Whether no sample has exceeded the level yet.
    package private(set) var isWaiting = true

    /// Creates a trigger.
    ///
    /// - Parameters:
    ///   - level: The level that a sample's magnitude must exceed, in dBFS.
    ///   - preRollFrames: The number of frames to release from before that sample.
    package init(level: Double, preRollFrames: Int) {
        threshold = Float(pow(10, level / 20))
        self.preRollFrames = preRollFrames
    }

    /// Returns the audio to record after a block, in order.
    package mutating func accept(_ block: Block) -> [Block] {
        guard isWaiting else { return [block] }
        held.append(block)
        heldFrames += block.buffer.frameCount
        guard let offset = firstLoudFrame(in: block.buffer) else {
            while let first = held.first, heldFrames - first.buffer.frameCount >= preRollFrames {
                heldFrames -= first.buffer.frameCount
                held.removeFirst()
            }
            return []
        }
        isWaiting = false
        defer { (held, heldFrames) = ([], 0) }
        var excess = max(0, heldFrames - block.buffer.frameCount + offset - preRollFrames)
        var released: [Block] = []
        for block in held {
            let count = min(excess, block.buffer.frameCount)
            excess -= count
            if count < block.buffer.frameCount { released.append(block.dropping(count)) }
        }
        return released
    }

    private func firstLoudFrame(in buffer: PCMBuffer) -> Int? {
        (0..<buffer.channelCount).compactMap { channel in
            let samples = buffer.samples.span.extracting(buffer.range(ofChannel: channel))
            return samples.indices.first { samples[$0].magnitude > threshold }
        }.min()
    }
}
