// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
internal import AudioPrimitives
internal import AudioToolbox
internal import SystemFiles

/// An MPEG audio stream decoded by the system's converter frame by frame.
///
/// This package locates the frames, so that their positions are known. The system gets only frames, without tags or the file. Parts with
/// another format have their own converter.
final class MPEGAudioDecoder {
    let sampleRate: Int
    /// The channel count, 1 or 2.
    let channelCount: Int
    /// The interleaved samples of the latest frame.
    private(set) var samples: [Float] = []

    private let path: String
    private let input: MPEGAudioPackets
    /// The system's decoder of the current part.
    private var converter: AudioConverterRef?
    /// The index of the next frame.
    private var index = 0

    /// Opens a seekable file, or returns `nil` if it has no frames.
    ///
    /// - Throws: ``AudioFileError`` if the system has no decoder for it.
    init?(_ input: FileInput, _ start: MPEGAudioStart) throws {
        let header = start.header
        path = input.path
        guard header.frameByteCount > 0 else {
            let advice = AudioFileError.conversionAdvice(path)
            throw AudioFileError(
                .unrecognizedFormat(reason: "free-format MPEG audio is supported only on Linux; \(advice)"), path: path)
        }
        sampleRate = header.sampleRate
        channelCount = header.channelCount
        self.input = MPEGAudioPackets(MPEGAudioFrames(input, start), header)
        try openConverter()
    }

    deinit { if let converter { AudioConverterDispose(converter) } }

    /// Creates the converter of the current part, which decodes its channels at the first frame's sample rate.
    private func openConverter() throws(AudioFileError) {
        if let converter { AudioConverterDispose(converter) }
        converter = nil
        let part = input.part
        var source = AudioStreamBasicDescription()
        source.mSampleRate = Double(part.sampleRate)
        source.mFormatID = [kAudioFormatMPEGLayer1, kAudioFormatMPEGLayer2, kAudioFormatMPEGLayer3][part.layer - 1]
        source.mFramesPerPacket = UInt32(part.samplesPerFrame)
        source.mChannelsPerFrame = UInt32(part.channelCount)
        var target = SampleEncoding.float32.streamDescription(sampleRate: sampleRate, channelCount: part.channelCount)
            .audioStreamBasicDescription
        let status = AudioConverterNew(&source, &target, &converter)
        guard status == 0, converter != nil else {
            let reason =
                "the system has no decoder for MPEG audio layer \(part.layer) ("
                + "\(FourCharCode(rawValue: UInt32(bitPattern: status)))); \(AudioFileError.conversionAdvice(path))"
            throw AudioFileError(.unrecognizedFormat(reason: reason), path: path)
        }
    }

    /// Finds the next frame without decoding it.
    ///
    /// Returns false at the end.
    ///
    /// - Throws: The system error of a failed read.
    func findNext() throws(SystemFileError) -> Bool { try input.frames.frame(index) != nil }

    /// Decodes and returns the next frame, or returns `nil` at the end.
    ///
    /// - Throws: The system error of a failed read, or ``AudioFileError`` if the system has no decoder for the frame's part.
    func next() throws -> Frame? {
        guard let (bytes, header) = try input.frames.frame(index) else { return nil }
        if converter == nil || !header.hasFormat(of: input.part) {
            input.part = header
            input.index = index
            try openConverter()
        }
        // Frames of another sample rate have different numbers of samples, whose sum is exact.
        let length = header.samplesPerFrame
        let frameCount = (index + 1) * length * sampleRate / header.sampleRate - index * length * sampleRate / header.sampleRate
        let count = try decode(frameCount, channelCount: header.channelCount)
        index += 1
        return Frame(
            bytes: bytes, samplesPerFrame: frameCount, count: count, format: (header.sampleRate, header.channelCount))
    }

    /// Decodes sample frames and returns their number, which is lower after damage.
    private func decode(_ frameCount: Int, channelCount: Int) throws -> Int {
        let capacity = frameCount * max(channelCount, self.channelCount)
        if samples.count < capacity { samples = [Float](repeating: 0, count: capacity) }
        guard let converter else { return 0 }
        var count = UInt32(frameCount)
        let status = samples.withUnsafeMutableBytes { target in
            var list = AudioBufferList(
                mNumberBuffers: 1,
                mBuffers: AudioBuffer(
                    mNumberChannels: UInt32(channelCount), mDataByteSize: UInt32(frameCount * channelCount * MemoryLayout<Float>.size),
                    mData: target.baseAddress))
            return AudioConverterFillComplexBuffer(
                converter, { MPEGAudioPackets.take($1, $2, $3, $4) }, Unmanaged.passUnretained(input).toOpaque(), &count, &list, nil)
        }
        if let failure = input.failure { throw failure }
        // Bits of previous frames are missing, as after damage. Restart with the next frame.
        if status != 0 { restart(at: index + 1) }
        mix(Int(count), from: channelCount)
        return Int(count)
    }

    /// Converts decoded sample frames to the first frame's channels: mono is copied to both, and stereo is averaged.
    private func mix(_ count: Int, from decoded: Int) {
        if decoded < channelCount {
            for frame in (0..<count).reversed() { (samples[2 * frame], samples[2 * frame + 1]) = (samples[frame], samples[frame]) }
        } else if decoded > channelCount {
            for frame in 0..<count { samples[frame] = (samples[2 * frame] + samples[2 * frame + 1]) / 2 }
        }
    }

    /// Moves to a frame, counted from the first.
    ///
    /// Returns the index of the next frame.
    func seek(toFrame frame: Int) throws(SystemFileError) -> Int {
        index = frame
        restart(at: frame)
        return frame
    }

    /// Resets the converter, which continues with a frame.
    private func restart(at index: Int) {
        if let converter { AudioConverterReset(converter) }
        input.index = index
    }
}

/// Provides frames to the converter.
final class MPEGAudioPackets {
    var frames: MPEGAudioFrames
    /// The format of the frames to provide; others end the converter's input.
    var part: MPEGAudioHeader
    /// The index of the frame to provide next.
    var index = 0
    /// The system error of a failed read.
    private(set) var failure: SystemFileError?

    private let memory: UnsafeMutableRawBufferPointer
    private let description: UnsafeMutablePointer<AudioStreamPacketDescription>

    /// An upper bound on the frame size, in bytes.
    private static let maximumFrameByteCount = 4096

    init(_ frames: MPEGAudioFrames, _ part: MPEGAudioHeader) {
        (self.frames, self.part) = (frames, part)
        memory = .allocate(byteCount: Self.maximumFrameByteCount, alignment: 16)
        description = .allocate(capacity: 1)
        description.initialize(to: AudioStreamPacketDescription())
    }

    deinit {
        memory.deallocate()
        description.deallocate()
    }

    /// Provides the next frame to the converter, or none at the end.
    ///
    /// The memory stays valid until the next call.
    static func take(
        _ count: UnsafeMutablePointer<UInt32>, _ list: UnsafeMutablePointer<AudioBufferList>,
        _ descriptions: UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?, _ context: UnsafeMutableRawPointer?
    ) -> OSStatus {
        count.pointee = 0
        guard let context else { return kAudio_ParamError }
        let packets = Unmanaged<MPEGAudioPackets>.fromOpaque(context).takeUnretainedValue()
        do throws(SystemFileError) {
            guard let (range, header) = try packets.frames.frame(packets.index), header.hasFormat(of: packets.part) else { return 0 }
            let bytes = try packets.frames.bytes(range)
            packets.memory.copyBytes(from: bytes)
            packets.index += 1
            packets.description.pointee.mDataByteSize = UInt32(bytes.count)
            list.pointee.mBuffers.mData = packets.memory.baseAddress
            list.pointee.mBuffers.mDataByteSize = UInt32(bytes.count)
            descriptions?.pointee = packets.description
            count.pointee = 1
            return 0
        } catch {
            packets.failure = packets.failure ?? error
            return kAudioFileUnspecifiedError
        }
    }
}
#endif
