// SPDX-License-Identifier: Apache-2.0

/// Samples that wait between two steps of a conversion, channel by channel.
@safe
final class SampleQueue<Sample: WorkingSample> {
    /// The number of channels.
    let channelCount: Int

    /// The sample frames that wait.
    var count: Int { end - start }

    private var memory: UnsafeMutablePointer<Sample>
    /// The sample frames that fit, so that channel `c` begins at `c * capacity`.
    private var capacity: Int
    private var start = 0
    private var end = 0

    /// Creates an empty queue.
    init(channelCount: Int, capacity: Int = 4096) {
        self.channelCount = channelCount
        self.capacity = capacity
        unsafe memory = .allocate(capacity: max(channelCount * capacity, 1))
    }

    deinit { unsafe memory.deallocate() }

    /// The distance between channels in samples.
    var planeLength: Int { capacity }

    /// Makes room for frames after the last one, and returns its address in the first channel.
    ///
    /// - Parameter frameCount: The number of frames to write; those that are really written are then added by ``advance(by:)``.
    @unsafe
    func room(for frameCount: Int) -> UnsafeMutablePointer<Sample> {
        if end + frameCount > capacity {
            unsafe move(toCapacity: count + frameCount > capacity ? 2 * (count + frameCount) : capacity)
        }
        return unsafe memory + end
    }

    /// Adds frames that have been written to ``room(for:)``.
    func advance(by frameCount: Int) {
        precondition(frameCount >= 0 && end + frameCount <= capacity)
        end += frameCount
    }

    /// The first sample of a channel that waits.
    @unsafe
    func channel(_ channel: Int) -> UnsafeMutablePointer<Sample> { unsafe memory + channel * capacity + start }

    /// Removes the first frames.
    func removeFirst(_ frameCount: Int) {
        precondition(frameCount >= 0 && frameCount <= count)
        start += frameCount
        if start == end {
            start = 0
            end = 0
        }
    }

    /// Removes all frames after the first ones.
    func keepFirst(_ frameCount: Int) {
        if frameCount < count { end = start + max(frameCount, 0) }
    }

    /// Removes all frames.
    func removeAll() {
        start = 0
        end = 0
    }

    /// Adds frames of zeros.
    func appendSilence(_ frameCount: Int) {
        guard frameCount > 0 else { return }
        let first = unsafe room(for: frameCount)
        for channel in 0..<channelCount { unsafe (first + channel * capacity).update(repeating: 0, count: frameCount) }
        advance(by: frameCount)
    }

    /// Moves the frames to the beginning of memory of a capacity.
    @unsafe
    private func move(toCapacity newCapacity: Int) {
        let kept = count
        if newCapacity == capacity {
            for channel in 0..<channelCount {
                unsafe (memory + channel * capacity).update(from: memory + channel * capacity + start, count: kept)
            }
        } else {
            let target: UnsafeMutablePointer<Sample> = .allocate(capacity: max(channelCount * newCapacity, 1))
            for channel in 0..<channelCount {
                unsafe (target + channel * newCapacity).initialize(from: memory + channel * capacity + start, count: kept)
            }
            unsafe memory.deallocate()
            unsafe memory = target
            capacity = newCapacity
        }
        start = 0
        end = kept
    }
}
