// SPDX-License-Identifier: Apache-2.0

internal import PCMFiles

/// Samples that wait between two steps of a conversion, channel by channel.
final class SampleQueue<Sample: WorkingSample> {
    /// The number of channels.
    let channelCount: Int
    /// The sample frames that wait.
    var count: Int { end - start }

    private var memory: ContiguousArray<Sample>
    /// The sample frames that fit, so that channel `c` begins at `c * capacity`.
    private var capacity: Int
    private var start = 0
    private var end = 0

    /// Creates an empty queue.
    init(channelCount: Int, capacity: Int = 0) {
        self.channelCount = channelCount
        self.capacity = capacity
        memory = ContiguousArray(repeating: 0, count: channelCount * capacity)
    }

    /// Adds frames.
    ///
    /// - Parameters:
    ///   - frameCount: The number of frames.
    ///   - fill: Sets the new frames of each channel.
    @inline(__always)
    func append(_ frameCount: Int, _ fill: (_ channel: Int, _ plane: inout MutableSpan<Sample>) -> Void) {
        makeRoom(for: frameCount)
        forEachPlane(from: end, frameCount, fill)
        end += frameCount
    }

    /// Changes the first frames.
    ///
    /// - Parameters:
    ///   - frameCount: The number of frames, at most ``count``.
    ///   - change: Changes those of each channel.
    @inline(__always)
    func update(_ frameCount: Int, _ change: (_ channel: Int, _ plane: inout MutableSpan<Sample>) -> Void) {
        precondition(frameCount <= count)
        forEachPlane(from: start, frameCount, change)
    }

    /// Calls a closure with frames of each channel.
    @inline(__always)
    private func forEachPlane(from first: Int, _ frameCount: Int, _ body: (Int, inout MutableSpan<Sample>) -> Void) {
        // One access to the memory for all channels: each is checked at run time.
        var all = memory.mutableSpan
        for channel in 0..<channelCount {
            var plane = all._mutatingExtracting(channel * capacity + first..<channel * capacity + first + frameCount)
            body(channel, &plane)
        }
    }

    /// Calls a closure with the frames of a channel.
    @inline(__always)
    func read(_ channel: Int, _ body: (Span<Sample>) -> Void) {
        let memory = memory
        body(memory.span.extracting(channel * capacity + start..<channel * capacity + end))
    }

    /// Calls a closure with all samples from the first frame of the first channel on, and the distance between channels.
    @inline(__always)
    func readAll(_ body: (_ samples: Span<Sample>, _ planeLength: Int) -> Void) {
        let memory = memory
        body(memory.span.extracting(start...), capacity)
    }

    /// Calls a closure with the memory of all frames, for a library.
    func withPlanes(_ body: (RateStream.Planes) throws(AudioFileError) -> Int) throws(AudioFileError) -> Int {
        try withPlanes(from: start, count, body)
    }

    /// Adds frames from a library.
    ///
    /// - Parameters:
    ///   - frameCount: The most frames.
    ///   - fill: Sets frames, and returns how many.
    /// - Returns: The number of frames added.
    func appendPlanes(
        atMost frameCount: Int, _ fill: (RateStream.Planes) throws(AudioFileError) -> Int
    ) throws(AudioFileError) -> Int {
        makeRoom(for: frameCount)
        let added = try withPlanes(from: end, frameCount, fill)
        precondition((0...frameCount).contains(added))
        end += added
        return added
    }

    /// Calls a closure with the memory of frames.
    private func withPlanes(
        from first: Int, _ frameCount: Int, _ body: (RateStream.Planes) throws(AudioFileError) -> Int
    ) throws(AudioFileError) -> Int {
        let distance = capacity * MemoryLayout<Sample>.stride
        return try unsafe memory.withUnsafeMutableBufferPointer { all throws(AudioFileError) in
            try body(
                unsafe RateStream.Planes(
                    base: UnsafeMutableRawPointer(UnsafeMutableBufferPointer(rebasing: all[first...]).baseAddress), stride: distance,
                    frameCount: frameCount))
        }
    }

    /// Removes the first frames.
    func removeFirst(_ frameCount: Int) {
        precondition(frameCount >= 0 && frameCount <= count)
        start += frameCount
        if start == end { removeAll() }
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
        if frameCount > 0 { append(frameCount) { $1.update(repeating: 0) } }
    }

    /// Makes room for frames after the last one: moves all to the beginning of other memory if they don't fit.
    func makeRoom(for frameCount: Int) {
        precondition(frameCount >= 0)
        guard end + frameCount > capacity else { return }
        let kept = count
        let needed = kept + frameCount
        let larger = SampleQueue(channelCount: channelCount, capacity: needed > capacity ? max(needed, 2 * capacity) : capacity)
        larger.append(kept) { channel, plane in read(channel) { source in plane.update(with: source) { $0 = $1 } } }
        (memory, capacity, start, end) = (larger.memory, larger.capacity, 0, kept)
    }
}
