// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
internal import AudioPrimitives

/// Adds up the streams of a program, and writes the sum to an input.
///
/// A single stream is written unchanged and at once. Audio of several streams waits for the slowest of them. A stream joins at the next
/// unwritten frame. It leaves if it lags behind the others by more than a quarter of a second and two buffers, because it is paused or its
/// output has a slower clock, and joins again with its next audio.
///
/// One thread at a time may call it. Only ``add(_:)`` allocates.
package final class StreamMixer {
    /// The lag after which a stream leaves, in seconds, besides two buffers.
    ///
    /// PipeWire's longest period is 171 ms.
    private static let maximumLag = 0.25
    /// The maximum number of runs with their own arrival time.
    ///
    /// Further ones are joined.
    private static let maximumRunCount = 256

    private struct Part {
        let number: Int
        /// The position of the next frame; `nil` if the stream has not joined.
        var position: Int64?
    }

    /// Consecutive waiting frames that arrived together first.
    private struct Run {
        let start: Int64
        var end: Int64
        /// The host time of the first frame in nanoseconds; 0 if unknown.
        let hostTime: Int64
        let arrival: Int64
    }

    private let input: CaptureInput
    private let pcm: PCMFormat
    private let sampleRate: Int
    private let maximumLag: Int64
    /// The sums of the waiting frames, as a ring; zeros elsewhere.
    private var sums: [UInt8]
    private let capacity: Int
    private var runs: [Run] = []
    private var parts: [Part] = []
    /// The positions of the next frame to write, and of the end of the waiting frames.
    private var start: Int64 = 0
    private var end: Int64 = 0
    private var followsPause = false

    /// Creates a mixer without streams.
    package init(_ format: CaptureFormat, bufferDuration: Duration, _ input: CaptureInput) {
        self.input = input
        pcm = format.pcm
        sampleRate = format.sampleRate
        let lag = Int(Double(sampleRate) * (Self.maximumLag + 2 * bufferDuration.inSeconds))
        maximumLag = Int64(lag)
        capacity = 2 * lag
        sums = [UInt8](repeating: 0, count: capacity * format.pcm.bytesPerFrame)
        runs.reserveCapacity(Self.maximumRunCount)
    }

    /// Adds a stream, which joins with its first audio.
    package func add(_ number: Int) { parts.append(Part(number: number)) }

    /// Removes a stream, and writes the audio that waited for it.
    ///
    /// After the last one follows a pause of unknown length.
    package func remove(_ number: Int) {
        let hadAudio = parts.contains { $0.position != nil }
        parts.removeAll { $0.number == number }
        if hadAudio, !parts.contains(where: { $0.position != nil }) { pause() } else { writeReady() }
    }

    /// Marks a pause of unknown length, and writes the waiting audio.
    package func pause() {
        for index in parts.indices { parts[index].position = nil }
        writeReady()
        followsPause = true
    }

    /// Adds audio of a stream.
    ///
    /// Real-time safe.
    ///
    /// - Parameters:
    ///   - data: Whole frames; `nil` for a gap.
    ///   - hostTime: The first frame's host time in nanoseconds; 0 if unknown.
    ///   - arrival: The present host time, in nanoseconds.
    package func accept(_ number: Int, _ data: UnsafeRawPointer?, byteCount: Int, hostTime: Int64, arrival: Int64) {
        var found: Int?
        var isAlone = start == end
        for other in parts.indices {
            if parts[other].number == number { found = other } else if parts[other].position != nil { isAlone = false }
        }
        guard let index = found else { return }
        let frames = byteCount / pcm.bytesPerFrame
        if followsPause {
            input.writeBreak()
            followsPause = false
        }
        var position = parts[index].position ?? start
        if isAlone {
            write(data, byteCount: byteCount, hostTime: hostTime, arrival: arrival)
            start += Int64(frames)
            end = start
            parts[index].position = end
            return
        }
        var offset = 0
        while offset < frames {
            let count = min(frames - offset, capacity - Int(position - start), capacity - Int(position % Int64(capacity)))
            if let data { add(data + offset * pcm.bytesPerFrame, frames: count, at: position) }
            let new = position + Int64(count)
            if new > end {
                let first = end
                let age = HostClock.nanoseconds(ofFrames: offset + Int(first - position), sampleRate: sampleRate)
                append(Run(start: first, end: new, hostTime: hostTime == 0 ? 0 : hostTime + age, arrival: arrival))
                end = new
            }
            position = new
            parts[index].position = position
            offset += count
            writeReady()
        }
    }

    private func append(_ run: Run) {
        if runs.count < Self.maximumRunCount { runs.append(run) } else { runs[runs.count - 1].end = run.end }
    }

    // MARK: Writing

    private func write(_ data: UnsafeRawPointer?, byteCount: Int, hostTime: Int64, arrival: Int64) {
        if let data {
            input.write(UnsafeRawBufferPointer(start: data, count: byteCount).bytes, hostTime: hostTime, arrival: arrival)
        } else {
            input.writeGap(byteCount: byteCount, hostTime: hostTime)
        }
    }

    /// Writes the frames that all joined streams have passed.
    private func writeReady() {
        for index in parts.indices {
            if let position = parts[index].position, end - position > maximumLag { parts[index].position = nil }
        }
        var limit = end
        for index in parts.indices { limit = min(limit, parts[index].position ?? end) }
        while start < limit, let run = runs.first {
            let slot = Int(start % Int64(capacity))
            let count = min(Int(min(limit, run.end) - start), capacity - slot)
            let bytes = slot * pcm.bytesPerFrame..<(slot + count) * pcm.bytesPerFrame
            let age = HostClock.nanoseconds(ofFrames: Int(start - run.start), sampleRate: sampleRate)
            input.write(sums.span.bytes.extracting(bytes), hostTime: run.hostTime == 0 ? 0 : run.hostTime + age, arrival: run.arrival)
            sums.withUnsafeMutableBytes { sums in
                for index in bytes { sums[index] = 0 }
            }
            start += Int64(count)
            if start == run.end { runs.removeFirst() }
        }
    }

    // MARK: Adding

    /// Adds frames to consecutive waiting ones.
    ///
    /// Integers are clipped.
    private func add(_ data: UnsafeRawPointer, frames: Int, at position: Int64) {
        let slot = Int(position % Int64(capacity)) * pcm.bytesPerFrame
        let count = frames * pcm.channelCount
        sums.withUnsafeMutableBytes { sums in
            guard let base = sums.baseAddress else { return }
            let sums = base + slot
            switch pcm.sampleFormat {
            case .int16: Self.add(Int16.self, data, to: sums, count: count)
            case .int32: Self.add(Int32.self, data, to: sums, count: count)
            case .int24: Self.addInt24(data, to: sums, count: count)
            case .float32, .float64:
                for offset in stride(from: 0, to: 4 * count, by: 4) {
                    let sum = sums.load(fromByteOffset: offset, as: Float.self) + data.loadUnaligned(fromByteOffset: offset, as: Float.self)
                    sums.storeBytes(of: sum, toByteOffset: offset, as: Float.self)
                }
            }
        }
    }

    private static func add<Sample: FixedWidthInteger & BitwiseCopyable>(
        _ type: Sample.Type, _ data: UnsafeRawPointer, to sums: UnsafeMutableRawPointer, count: Int
    ) {
        let size = MemoryLayout<Sample>.size
        for offset in stride(from: 0, to: size * count, by: size) {
            let sample = data.loadUnaligned(fromByteOffset: offset, as: Sample.self)
            let (sum, overflow) = sums.load(fromByteOffset: offset, as: Sample.self).addingReportingOverflow(sample)
            sums.storeBytes(of: overflow ? (sample < 0 ? .min : .max) : sum, toByteOffset: offset, as: Sample.self)
        }
    }

    private static func addInt24(_ data: UnsafeRawPointer, to sums: UnsafeMutableRawPointer, count: Int) {
        func sample(_ pointer: UnsafeRawPointer, _ offset: Int) -> Int32 {
            let bytes = (0..<3).reduce(Int32(0)) {
                $0 | Int32(pointer.load(fromByteOffset: offset + $1, as: UInt8.self)) << (8 * Int32($1) + 8)
            }
            return bytes >> 8
        }
        for offset in stride(from: 0, to: 3 * count, by: 3) {
            let sum = min(max(sample(UnsafeRawPointer(sums), offset) + sample(data, offset), -0x80_0000), 0x7F_FFFF)
            for byte in 0..<3 {
                sums.storeBytes(of: UInt8(truncatingIfNeeded: sum >> (8 * Int32(byte))), toByteOffset: offset + byte, as: UInt8.self)
            }
        }
    }
}
#endif
