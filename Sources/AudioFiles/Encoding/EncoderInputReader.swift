// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioConversion
internal import AudioLoudness
internal import AudioPrimitives
internal import PCMFiles

/// Reads a part of a file as encoder input: mixed, resampled and with adjusted loudness if requested.
struct EncoderInputReader {
    /// The number of sample frames read so far, from the start of the part, at the file's rate.
    private(set) var framesRead = 0
    /// The number of sample frames of the latest read, or 0 at the end.
    private(set) var latestFrames = 0
    /// The highest magnitude of the returned samples if the file has lossless floating-point samples, otherwise 0.
    private(set) var peak: Float = 0
    /// The size of the latest read in bytes, in the file's or its decoder's sample encoding.
    var latestByteCount: Int { latestFrames * reader.properties.streamDescription.bytesPerFrame }

    private let reader: PCMFileReader
    /// The part of the file, in sample frames.
    private let frames: Range<Int>
    /// Mixes the channels and converts the sample rate.
    private let converter: PCMBufferConverter
    private let isResampled: Bool
    private let layout: ChannelLayout?
    private let limiter: TruePeakLimiter?
    private let measuresPeak: Bool
    /// The treatment of infinite and NaN samples before resampling and limiting spread them, or `nil` to keep them.
    private let invalidSamples: AACEncoderConfiguration.InvalidSamplePolicy?
    private var buffer: PCMBuffer
    /// Whether the file has ended, and whether the limiter's delayed samples have been returned.
    private var (isAtEnd, isFlushed) = (false, false)
    /// The number of preroll frames to discard after seeking.
    private var framesToDiscard = 0

    /// The size of a PCM read, in bytes.
    private static let readSize = 32_768

    /// Creates a reader of a part of a file and moves to its start.
    ///
    /// - Parameters:
    ///   - frames: The part of the file, in sample frames.
    ///   - channelCount: The channel count to mix to, or `nil` to keep all channels.
    ///   - sampleRate: The output sample rate, in hertz, or `nil` for the file's.
    ///   - gain: The gain and true peak limit, or `nil` for none.
    ///   - framesPerRead: The number of frames per read, or `nil` for a few blocks.
    ///   - invalidSamples: The treatment of infinite and NaN samples, or `nil` to keep them.
    /// - Throws: ``/PCMFiles/AudioFileError`` if the file cannot be read.
    init(
        _ reader: PCMFileReader, frames: Range<Int>, mixedTo channelCount: Int?, sampleRate: Int? = nil,
        gain: TruePeakLimiter.Setting? = nil, framesPerRead: Int? = nil,
        invalidSamples: AACEncoderConfiguration.InvalidSamplePolicy? = nil
    ) throws(AudioFileError) {
        let properties = reader.properties
        let count = channelCount ?? properties.channelCount
        let converter = PCMBufferConverter(
            sampleRate: sampleRate ?? properties.sampleRate, channels: ChannelMatrix.Channels(count: count))
        // Without a requested channel count, channels keep the file's order.
        try self.init(
            reader, frames, converter, layout: count == properties.channelCount ? nil : properties.channelLayout, channelCount: count,
            gain: gain, framesPerRead: framesPerRead, invalidSamples: invalidSamples)
    }

    /// Creates a reader of the input that a plan converts and moves to its start.
    ///
    /// - Parameters:
    ///   - gain: The gain and true peak limit, or `nil` for none.
    ///   - first: The encoder input frame to start at when a join resumes.
    ///   - invalidSamples: The treatment of infinite and NaN samples, or `nil` to keep them.
    init(
        _ reader: PCMFileReader, _ plan: ConversionPlan, gain: TruePeakLimiter.Setting?, from first: Int = 0,
        invalidSamples: AACEncoderConfiguration.InvalidSamplePolicy? = nil
    ) throws(AudioFileError) {
        guard !plan.usesSegments else {
            try self.init(
                reader, frames: plan.frames, mixedTo: plan.mixedChannelCount, sampleRate: plan.target.sampleRate, gain: gain,
                invalidSamples: invalidSamples)
            return
        }
        let count = plan.target.channelCount
        let converter = PCMBufferConverter(
            sampleRate: plan.target.sampleRate, channels: ChannelMatrix.Channels(count: count, layout: plan.mixedLayout),
            options: plan.options)
        // Limiter and resampler have state, which depends on the whole input.
        let needsAll = gain != nil || plan.isResampled
        try self.init(
            reader, plan.frames, converter, layout: reader.properties.channelLayout, channelCount: count, gain: gain,
            first: needsAll ? 0 : first, invalidSamples: invalidSamples)
        framesToDiscard = needsAll ? first : 0
    }

    private init(
        _ reader: PCMFileReader, _ frames: Range<Int>, _ converter: PCMBufferConverter, layout: ChannelLayout?, channelCount: Int,
        gain: TruePeakLimiter.Setting?, framesPerRead: Int? = nil, first: Int = 0,
        invalidSamples: AACEncoderConfiguration.InvalidSamplePolicy?
    ) throws(AudioFileError) {
        let properties = reader.properties
        self.reader = reader
        self.frames = frames
        self.converter = converter
        self.layout = layout
        isResampled = converter.sampleRate != properties.sampleRate
        limiter = gain.map { TruePeakLimiter($0, sampleRate: converter.sampleRate, channelCount: channelCount) }
        // A limiter keeps peaks below full scale.
        measuresPeak = reader.encoding.isFloat && !properties.isLossy || gain.map { $0.limit == nil } ?? false
        self.invalidSamples = reader.encoding.isFloat ? invalidSamples : nil
        let bytesPerFrame = max(1, properties.streamDescription.bytesPerFrame)
        buffer = PCMBuffer(
            sampleRate: properties.sampleRate, channelCount: properties.channelCount,
            frameCapacity: framesPerRead ?? max(1, Self.readSize / bytesPerFrame))
        framesRead = first
        if frames.lowerBound + first > 0 { try move(toFrame: frames.lowerBound + first) }
    }

    /// Whether several readers can read the input, which excludes pipes.
    var allowsSharedReading: Bool { reader.allowsSharedReading }

    /// Moves to the first sample frame to read.
    ///
    /// If seeking is not exact, earlier frames are read and discarded.
    private mutating func move(toFrame frame: Int) throws(AudioFileError) {
        if reader.allowsSharedReading || framesRead > 0 { return try reader.seek(toFrame: frame) }
        while reader.position < frame {
            let remaining = frame - reader.position
            guard remaining < buffer.frameCapacity else {
                try reader.read(into: &buffer)
                if buffer.frameCount == 0 { return }
                continue
            }
            var last = PCMBuffer(sampleRate: buffer.sampleRate, channelCount: buffer.channelCount, frameCapacity: remaining)
            try reader.read(into: &last)
            if last.frameCount == 0 { return }
        }
    }

    /// Moves to a sample frame, relative to the start of the part.
    ///
    /// Not allowed while resampling.
    mutating func seek(toFrame frame: Int) throws(AudioFileError) {
        precondition(!isResampled, "a resampler cannot seek")
        let start = max(0, frame - (limiter?.prerollLength ?? 0))
        try reader.seek(toFrame: frames.lowerBound + start)
        limiter?.reset(atFrame: start)
        framesToDiscard = limiter.map { frame - $0.position } ?? 0
        framesRead = start
        (isAtEnd, isFlushed) = (false, false)
    }

    /// Returns the next buffer, or `nil` at the end.
    ///
    /// It can be empty while the resampler or the limiter fills.
    mutating func next() throws -> PCMBuffer? {
        guard !isFlushed else { return nil }
        let input = try nextUnlimited()
        isFlushed = input == nil
        guard var output = limiter.map({ limiter in input.map { limiter.process($0) } ?? limiter.finish() }) ?? input else { return nil }
        let discarded = min(framesToDiscard, output.frameCount)
        output.removeFrames(leading: discarded, trailing: 0)
        framesToDiscard -= discarded
        if measuresPeak { peak = max(peak, Self.peak(of: output)) }
        return output
    }

    /// Returns the highest magnitude, or infinity if a sample is not a number.
    private static func peak(of buffer: PCMBuffer) -> Float {
        // Magnitudes have the order of their bits as integers, whose maximum vectorizes if they are signed.
        var largest: Int32 = 0
        for channel in 0..<buffer.channelCount {
            let samples = buffer.samples.span.extracting(buffer.range(ofChannel: channel))
            for index in samples.indices { largest = max(largest, Int32(bitPattern: samples[index].magnitude.bitPattern)) }
        }
        return Float(bitPattern: min(UInt32(bitPattern: largest), Float.infinity.bitPattern))
    }

    private static func isFinite(_ buffer: PCMBuffer) -> Bool {
        // The sum has its highest bit only if all bits of the exponent are set.
        var bits: UInt32 = 0
        for channel in 0..<buffer.channelCount {
            let samples = buffer.samples.span.extracting(buffer.range(ofChannel: channel))
            for index in samples.indices { bits |= samples[index].magnitude.bitPattern &+ 0x0080_0000 }
        }
        return bits >> 31 == 0
    }

    /// Applies a policy to the samples read, which start at the frame ``framesRead`` of the part.
    private mutating func apply(_ policy: AACEncoderConfiguration.InvalidSamplePolicy) throws(CodecError) {
        guard !Self.isFinite(buffer) else { return }
        for frame in 0..<buffer.frameCount {
            for channel in 0..<buffer.channelCount {
                let index = buffer.range(ofChannel: channel).lowerBound + frame
                guard !buffer.samples[index].isFinite else { continue }
                guard policy == .silence else {
                    throw .invalidSample(channel: channel, frame: frames.lowerBound + framesRead + frame)
                }
                buffer.samples[index] = 0
            }
        }
    }

    /// Returns the next buffer before limiting, or `nil` at the end.
    private mutating func nextUnlimited() throws -> PCMBuffer? {
        guard !isAtEnd else { return nil }
        let remaining = frames.count - framesRead
        if remaining > 0 {
            try reader.read(into: &buffer)
            if buffer.frameCount > remaining { buffer.frameCount = remaining }
        }
        latestFrames = remaining > 0 ? buffer.frameCount : 0
        if latestFrames > 0, let invalidSamples { try apply(invalidSamples) }
        framesRead += latestFrames
        if latestFrames == 0 {
            isAtEnd = true
            return isResampled ? try converter.finish() : nil
        }
        return try converter.convert(buffer, layout: layout)
    }
}
