// SPDX-License-Identifier: Apache-2.0

internal import AudioConversion
internal import AudioDevices
internal import AudioPrimitives
internal import SampleRateConversion

/// One source of a recording: converts its audio to the recording's sample rate and clock, and queues it.
///
/// Until both clocks are known, the source's audio waits. Then its first frame is placed by host time, and the sample rate converter
/// follows the drift.
struct AlignedSource {
    enum Role {
        /// The recording's timeline is the source's timeline.
        case reference
        /// The source has its own clock and is resampled.
        case follower
        /// The source has no clock: its audio is available at any time, and is read as needed.
        case pulled
    }

    /// The time in which a remaining offset is corrected, in seconds, and the maximum change of speed.
    ///
    /// An offset of 1 ms changes the pitch by 0.1 % for a second, a third of the just noticeable difference.
    private static let (correctionTime, maximumCorrection) = (1.0, 0.005)
    /// The maximum drift and correction together, as a factor.
    private static let maximumAdjustment = 1.01
    /// The offset, in seconds, at which frames are skipped or inserted instead.
    private static let maximumOffset = 0.05
    /// The converter for followers: 16 bits to 87 % of the bandwidth.
    private static let design = RateFilterDesign.medium

    private(set) var role: Role
    private(set) var clock = SourceClock()
    private let sampleRate: Int
    /// Mixes the channels, and for a reference or pulled source also converts the sample rate.
    private var mixer: PCMBufferConverter
    private let channelCount: Int

    private var converter: SampleRateConverter?
    private var inputRate = 0
    /// The timeline position of the next output frame, in seconds.
    private var inputTime = 0.0
    /// The timeline position after the latest buffer, in seconds.
    private var endTime = 0.0
    /// Whether the latest buffer replaced missing audio.
    private var followsFilling = false
    /// The number of input frames to skip.
    private var skippedFrameCount = 0

    /// Audio that arrived before the clocks were known.
    private var unplaced: [CapturedAudio] = []
    private var queue: PCMQueue
    /// The recording's frame of the first queued frame.
    private(set) var queueStart = 0

    private(set) var hasEnded = false

    init(_ role: Role, sampleRate: Int, channelCount: Int) {
        self.role = role
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        mixer = PCMBufferConverter(sampleRate: sampleRate, channels: ChannelMatrix.Channels(count: channelCount))
        queue = PCMQueue(channelCount: channelCount)
    }

    /// The recording's frame after the last queued frame.
    var queueEnd: Int { queueStart + queue.count }

    /// Whether audio waits for the clocks.
    var isWaitingForClock: Bool { !unplaced.isEmpty }

    /// The duration of the audio that waits for the clocks, in seconds.
    var waitingDuration: Double { unplaced.reduce(0) { $0 + Double($1.frameCount) / Double($1.sampleRate) } }

    /// Whether no audio has arrived yet.
    var isEmpty: Bool { unplaced.isEmpty && queueEnd == 0 }

    // MARK: Input

    /// Accepts the next audio.
    ///
    /// - Throws: `CodecError` if the sample rate is not supported.
    mutating func accept(_ audio: CapturedAudio, _ reference: ReferenceClock) throws {
        let start = audio.time.seconds
        measure(audio, start..<start + Double(audio.frameCount) / Double(audio.sampleRate))
        guard role == .follower else { return queue.append(try mixer.convert(audio.pcmBuffer())) }
        guard unplaced.isEmpty, inputRate > 0 else {
            unplaced.append(audio)
            return try place(reference)
        }
        try convert(audio, reference)
    }

    private mutating func measure(_ audio: CapturedAudio, _ range: Range<Double>) {
        // Positions in silence are only estimates: they count until audio is measured.
        if audio.isFilling ? clock.isReady : followsFilling { clock.restart(at: range.lowerBound) }
        followsFilling = audio.isFilling
        if let reading = audio.clockReading ?? (clock.isReady ? nil : .capture(audio.hostTime)) { clock.accept(reading, for: range) }
    }

    /// Converts the audio that waits for the clocks, if they are known.
    mutating func place(_ reference: ReferenceClock) throws {
        guard !unplaced.isEmpty, clock.isReady, reference.isReady else { return }
        let buffers = unplaced
        unplaced = []
        for audio in buffers { try convert(audio, reference) }
        if hasEnded { flush() }
    }

    /// Makes a follower whose audio waits the reference.
    mutating func becomeReference() throws {
        role = .reference
        let buffers = unplaced
        unplaced = []
        for audio in buffers { queue.append(try mixer.convert(audio.pcmBuffer())) }
        if hasEnded { queue.append(try mixer.finish()) }
    }

    /// Makes a reference without audio a follower.
    mutating func becomeFollower() { role = .follower }

    mutating func end(_ reference: ReferenceClock) throws {
        guard !hasEnded else { return }
        hasEnded = true
        clock.finish()
        try place(reference)
        if role == .follower { flush() } else { queue.append(try mixer.finish()) }
    }

    private mutating func convert(_ audio: CapturedAudio, _ reference: ReferenceClock) throws {
        let start = audio.time.seconds
        let isContinuous = audio.sampleRate == inputRate && abs(start - endTime) * Double(audio.sampleRate) < 1
        endTime = start + Double(audio.frameCount) / Double(audio.sampleRate)
        var offset = offset(reference)
        if !isContinuous || abs(offset) > Self.maximumOffset {
            restart(at: start, rate: audio.sampleRate, reference)
            offset = 0
        }
        let correction = min(max(offset / Self.correctionTime, -Self.maximumCorrection), Self.maximumCorrection)
        let factor = (1 + reference.drift) / (1 + clock.drift) * (1 + correction)
        converter?.adjust(by: factor)
        let buffer = try mix(audio)
        let skipped = min(skippedFrameCount, buffer.frameCount)
        skippedFrameCount -= skipped
        append(buffer.frames(skipped..<buffer.frameCount), factor: factor)
    }

    /// Returns the audio with the recording's channels at its own sample rate.
    private mutating func mix(_ audio: CapturedAudio) throws -> PCMBuffer {
        if mixer.sampleRate != audio.sampleRate {
            mixer = PCMBufferConverter(sampleRate: audio.sampleRate, channels: ChannelMatrix.Channels(count: channelCount))
        }
        return try mixer.convert(audio.pcmBuffer())
    }

    /// Returns the offset of the next output frame, in seconds; positive if the source is behind.
    private func offset(_ reference: ReferenceClock) -> Double {
        guard let wanted = reference.hostTime(ofFrame: queueEnd), let actual = clock.hostTime(at: inputTime) else { return 0 }
        return wanted - actual
    }

    /// Starts a new conversion with the frame at a timeline position, placed by host time.
    private mutating func restart(at time: Double, rate: Int, _ reference: ReferenceClock) {
        flush()
        inputRate = rate
        converter = SampleRateConverter(
            from: rate, to: sampleRate, channelCount: channelCount, design: Self.design, maximumAdjustment: Self.maximumAdjustment)
        inputTime = time
        let distance = -offset(reference)
        if distance > 0 {
            queue.appendSilence(frameCount: Int((distance * Double(sampleRate)).rounded()))
        } else {
            skippedFrameCount = Int((-distance * Double(rate)).rounded())
            inputTime += Double(skippedFrameCount) / Double(rate)
        }
    }

    private mutating func flush() {
        converter?.finish()
        append(PCMBuffer(sampleRate: max(1, inputRate), channelCount: channelCount, frameCapacity: 0), factor: 1)
        converter = nil
    }

    /// Converts samples, and queues all frames that are complete.
    private mutating func append(_ input: PCMBuffer, factor: Double) {
        guard let converter else { return }
        let capacity = Int(Double(input.frameCount) * Double(sampleRate) / Double(inputRate) * Self.maximumAdjustment) + 4096
        var output = PCMBuffer(sampleRate: sampleRate, channelCount: channelCount, frameCapacity: capacity)
        var samples = output.samples.mutableSpan
        let count = converter.process(
            input.samples.span, inputStride: input.frameCapacity, frameCount: input.frameCount, into: &samples, outputStride: capacity,
            frameCapacity: capacity)
        output.frameCount = count
        inputTime += Double(count) * factor / Double(sampleRate)
        queue.append(output)
    }

    // MARK: Output

    /// Removes the frames of a range that starts at ``queueStart``.
    ///
    /// Frames that the source does not have are silent.
    mutating func dequeue(_ range: Range<Int>) -> PCMBuffer {
        var buffer = PCMBuffer(sampleRate: sampleRate, channelCount: channelCount, frameCapacity: range.count)
        queue.dequeue(min(queue.count, range.count), into: &buffer)
        queueStart = range.upperBound
        return buffer
    }
}
