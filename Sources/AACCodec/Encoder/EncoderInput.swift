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
                encoding: format.encoding, offset: first, stride: format.isInterleaved ? format.bytesPerFrame : size, count: count)
            let place = channel * blockLength + frameCount
            var target = samples.mutableSpan
            run.read(bytes, fullScale: 32768, into: &target, at: place)
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
