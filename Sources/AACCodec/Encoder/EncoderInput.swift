// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

/// Samples of any format on their way into blocks of 1024 or 2048, at the scale of 16 bits.
struct EncoderInput: ~Copyable {
    /// Samples not yet taken, one block a channel of the stream.
    private var samples: [Float]

    /// Sample frames in each block.
    private(set) var frameCount = 0

    /// For each channel of the stream, the channel of the input.
    private let inputChannels: [Int]

    private let policy: AACEncoderConfiguration.InvalidSamplePolicy

    /// Sample frames a block.
    let blockLength: Int

    /// Makes an empty input.
    init(inputChannels: [Int], policy: AACEncoderConfiguration.InvalidSamplePolicy, blockLength: Int) {
        self.blockLength = blockLength
        self.inputChannels = inputChannels
        self.policy = policy
        samples = Array(repeating: 0, count: inputChannels.count * blockLength)
    }

    /// Sample frames until the block is full.
    var space: Int { blockLength - frameCount }

    /// Gives the full block of a channel of the stream to an element that has it as its channel `place`.
    borrowing func pass(_ channel: Int, to element: inout ElementEncoder, channel place: Int) {
        element.append(samples.span.extracting(channel * blockLength..<(channel + 1) * blockLength), channel: place)
    }

    /// Gives it to band replication, which passes the core's part on.
    borrowing func pass(
        _ channel: Int, to replication: SBRElementEncoder, core: inout ElementEncoder, channel place: Int
    ) {
        replication.append(samples.span.extracting(channel * blockLength..<(channel + 1) * blockLength), channel: place) {
            core.append($0, channel: place)
        }
    }

    /// Gives the blocks of two channels to parametric stereo, and what it makes of them to band replication and the core.
    borrowing func pass(
        to stereo: ParametricStereoEncoder, _ replication: SBRElementEncoder, core: inout ElementEncoder, place: StreamSegments.Place
    ) {
        let span = samples.span
        stereo.append(
            left: span.extracting(0..<blockLength), right: span.extracting(blockLength..<2 * blockLength),
            framesToSegment: place.remaining
        ) { core.append($0, channel: 0) }
        replication.append(&stereo.columns)
    }

    /// Starts the next block.
    mutating func startBlock() { frameCount = 0 }

    /// Appends silence.
    mutating func appendSilence(_ count: Int) {
        for channel in inputChannels.indices {
            for frame in frameCount..<frameCount + count { samples[channel * blockLength + frame] = 0 }
        }
        frameCount += count
    }

    /// Appends `count` sample frames from frame `start` of `bytes`, which hold `total` frames.
    ///
    /// - Parameter position: The number of `start` in the stream, for errors.
    mutating func append(
        _ bytes: RawSpan, format: PCMFormat, from start: Int, count: Int, total: Int, position: Int
    ) throws(AACError) {
        for channel in inputChannels.indices {
            let source = inputChannels[channel]
            let size = format.sampleFormat.byteCount
            let first = format.isInterleaved ? (start * format.channelCount + source) * size : (source * total + start) * size
            let run = SampleRun(
                first: first, stride: format.isInterleaved ? format.bytesPerFrame : size, count: count, isBigEndian: format.isBigEndian)
            let place = channel * blockLength + frameCount
            var target = samples.mutableSpan
            run.read(bytes, format: format.sampleFormat, into: &target, at: place)
            if format.sampleFormat.isFloat { try check(place..<place + count, source: source, position: position) }
        }
        frameCount += count
    }

    /// Applies the policy to what was just appended.
    private mutating func check(_ places: Range<Int>, source: Int, position: Int) throws(AACError) {
        guard !samples.span.extracting(places).isFinite else { return }
        for place in places where !samples[place].isFinite {
            guard policy == .silence else { throw .invalidSample(channel: source, frame: position + place - places.lowerBound) }
            samples[place] = 0
        }
    }
}

/// Samples of one channel among bytes.
private struct SampleRun {
    /// Offset of the first sample and distance from one to the next, in bytes.
    var first: Int
    var stride: Int
    var count: Int
    var isBigEndian: Bool

    /// Reads all samples, scaled to ±32768.
    func read(_ bytes: RawSpan, format: SampleFormat, into target: inout MutableSpan<Float>, at start: Int) {
        switch format {
        // The two that nearly everybody has, without going through single bytes.
        case .int16 where isNative: readInt16(bytes, into: &target, at: start)
        case .float32 where isNative && stride == 4: readFloats(bytes, into: &target, at: start)
        case .int16: each { target[start + $0] = Float(Int16(truncatingIfNeeded: load(bytes, at: $1, size: 2))) }
        case .int24: each { target[start + $0] = Float(Int32(truncatingIfNeeded: load(bytes, at: $1, size: 3) << 8)) * (1.0 / 65536) }
        case .int32: each { target[start + $0] = Float(Int32(truncatingIfNeeded: load(bytes, at: $1, size: 4))) * (1.0 / 65536) }
        case .float32:
            each { target[start + $0] = Float(bitPattern: UInt32(truncatingIfNeeded: load(bytes, at: $1, size: 4))) * 32768 }
        case .float64: each { target[start + $0] = Float(Double(bitPattern: load(bytes, at: $1, size: 8)) * 32768) }
        }
    }

    private var isNative: Bool { isBigEndian == (Int16(1).bigEndian == 1) }

    private func readInt16(_ bytes: RawSpan, into target: inout MutableSpan<Float>, at start: Int) {
        guard count > 0 else { return }
        precondition(first >= 0 && stride > 0 && first + (count - 1) * stride + 2 <= bytes.byteCount)
        precondition(start >= 0 && start + count <= target.count)
        var done = 0
        if stride == 4 && !isBigEndian {
            // Two channels: four frames at a time, each the low half of a word that ends within the bytes.
            let whole = Swift.min(count, (bytes.byteCount - first) / 4) & ~3
            while done < whole {
                let words = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: first &+ 4 &* done, as: SIMD4<Int32>.self)
                unsafe target.store(Self.floats((words &<< 16) &>> 16), unchecked: start &+ done)
                done &+= 4
            }
        }
        for index in done..<count {
            target[start + index] = Float(
                unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: first &+ index &* stride, as: Int16.self))
        }
    }

    /// Integers of 16 bits as floats: added to 1.5 · 2^23 they are its last digits.
    @inline(__always)
    private static func floats(_ integers: SIMD4<Int32>) -> SIMD4<Float> {
        let magic = SIMD4<UInt32>(repeating: 0x4B40_0000)
        return SIMD4(bitPatterns: SIMD4(truncatingIfNeeded: integers) &+ magic) - SIMD4(bitPatterns: magic)
    }

    private func readFloats(_ bytes: RawSpan, into target: inout MutableSpan<Float>, at start: Int) {
        precondition(first >= 0 && first + 4 * count <= bytes.byteCount && start >= 0 && start + count <= target.count)
        let whole = count & ~3
        for index in Swift.stride(from: 0, to: whole, by: 4) {
            let values = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: first &+ 4 &* index, as: SIMD4<Float>.self)
            unsafe target.store(values * 32768, unchecked: start &+ index)
        }
        for index in whole..<count {
            target[start + index] = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: first + 4 * index, as: Float.self) * 32768
        }
    }

    @inline(__always)
    private func each(_ body: (Int, Int) -> Void) {
        var offset = first
        for index in 0..<count {
            body(index, offset)
            offset &+= stride
        }
    }

    @inline(__always)
    private func load(_ bytes: RawSpan, at offset: Int, size: Int) -> UInt64 {
        var value: UInt64 = 0
        for place in 0..<size {
            let byte = unsafe UInt64(bytes.unsafeLoad(fromByteOffset: offset &+ (isBigEndian ? place : size &- 1 &- place), as: UInt8.self))
            value = value << 8 | byte
        }
        return value
    }
}

extension Span<Float> {
    /// Whether no value is infinite or NaN.
    fileprivate var isFinite: Bool {
        // Zero times a number is zero; times anything else it is NaN, which stays in the sum.
        var sums = SIMD4<Float>(repeating: 0)
        let whole = count & ~3
        for index in stride(from: 0, to: whole, by: 4) { unsafe sums += vector(unchecked: index) * 0 }
        var sum = sums.laneSum
        for index in whole..<count { sum += self[index] * 0 }
        return sum == 0
    }
}
