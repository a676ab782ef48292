// SPDX-License-Identifier: Apache-2.0

internal import PCMFiles

/// A noninterleaved queue of samples between two conversion steps.
final class SampleQueue<Sample: WorkingSample> {
    let channelCount: Int
    var count: Int { end - start }

    private var memory: ContiguousArray<Sample>
    /// The capacity in sample frames.
    ///
    /// Channel `c` starts at `c * capacity`.
    private var capacity: Int
    private var start = 0
    private var end = 0

    init(channelCount: Int, capacity: Int = 0) {
        self.channelCount = channelCount
        self.capacity = capacity
        memory = ContiguousArray(repeating: 0, count: channelCount * capacity)
    }

    /// Appends frames.
    ///
    /// - Parameter fill: Sets the new frames of each channel.
    @inline(__always)
    func append(_ frameCount: Int, _ fill: (_ channel: Int, _ plane: inout MutableSpan<Sample>) -> Void) {
        makeRoom(for: frameCount)
        forEachPlane(from: end, frameCount, fill)
        end += frameCount
    }

    /// Modifies the first frames.
    ///
    /// - Parameter frameCount: The number of frames, at most ``count``.
    @inline(__always)
    func update(_ frameCount: Int, _ change: (_ channel: Int, _ plane: inout MutableSpan<Sample>) -> Void) {
        precondition(frameCount <= count)
        forEachPlane(from: start, frameCount, change)
    }

    /// Calls `body` with frames of each channel.
    @inline(__always)
    private func forEachPlane(from first: Int, _ frameCount: Int, _ body: (Int, inout MutableSpan<Sample>) -> Void) {
        // A single access to `memory` for all channels, because each access is checked at run time.
        var all = memory.mutableSpan
        for channel in 0..<channelCount {
            var plane = all._mutatingExtracting(channel * capacity + first..<channel * capacity + first + frameCount)
            body(channel, &plane)
        }
    }

    /// Calls `body` with the frames of a channel.
    @inline(__always)
    func read(_ channel: Int, _ body: (Span<Sample>) -> Void) {
        let memory = memory
        body(memory.span.extracting(channel * capacity + start..<channel * capacity + end))
    }

    /// Calls `body` with all samples, starting at the first channel's first frame, and the distance between channels.
    @inline(__always)
    func readAll(_ body: (_ samples: Span<Sample>, _ planeLength: Int) -> Void) {
        let memory = memory
        body(memory.span.extracting(start...), capacity)
    }

    /// Calls `body` with the memory of all frames, for a library.
    func withPlanes(_ body: (RateStream.Planes) throws(AudioFileError) -> Int) throws(AudioFileError) -> Int {
        try withPlanes(from: start, count, body)
    }

    /// Appends frames from a library.
    ///
    /// - Parameters:
    ///   - frameCount: The maximum number of frames.
    ///   - fill: Sets frames and returns their number.
    func appendPlanes(
        atMost frameCount: Int, _ fill: (RateStream.Planes) throws(AudioFileError) -> Int
    ) throws(AudioFileError) -> Int {
        makeRoom(for: frameCount)
        let added = try withPlanes(from: end, frameCount, fill)
        precondition((0...frameCount).contains(added))
        end += added
        return added
    }

    /// Calls `body` with the memory of frames.
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

    func removeFirst(_ frameCount: Int) {
        precondition(frameCount >= 0 && frameCount <= count)
        start += frameCount
        if start == end { removeAll() }
    }

    /// Removes all but the first frames.
    func keepFirst(_ frameCount: Int) {
        if frameCount < count { end = start + max(frameCount, 0) }
    }

    func removeAll() {
        start = 0
        end = 0
    }

    func appendSilence(_ frameCount: Int) {
        if frameCount > 0 { append(frameCount) { $1.update(repeating: 0) } }
    }

    /// Makes room for more frames, by moving all frames to the start of new memory if necessary.
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
