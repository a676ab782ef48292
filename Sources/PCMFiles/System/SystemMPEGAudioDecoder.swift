// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
internal import AudioPrimitives
internal import AudioToolbox
internal import SystemFiles

/// An MPEG audio stream decoded by the system's converter frame by frame.
///
/// This package locates the frames, so that their positions are known. The system gets only frames, without tags or the file.
final class MPEGAudioDecoder {
    let sampleRate: Int
    /// The channel count, 1 or 2.
    let channelCount: Int
    /// The interleaved samples of the latest frame.
    private(set) var samples: [Float]

    private let samplesPerFrame: Int
    private let converter: AudioConverterRef
    private let input: MPEGAudioPackets
    /// The index of the next frame.
    private var index = 0

    /// Opens a seekable file, or returns `nil` if it has no frames.
    ///
    /// - Throws: ``AudioFileError`` if the system has no decoder for it.
    init?(_ input: FileInput, _ start: MPEGAudioStart) throws {
        let header = start.header
        let advice = AudioFileError.conversionAdvice(input.path)
        guard header.frameByteCount > 0 else {
            throw AudioFileError(
                .unrecognizedFormat(reason: "free-format MPEG audio is supported only on Linux; \(advice)"), path: input.path
            )
        }
        sampleRate = header.sampleRate
        channelCount = header.isMono ? 1 : 2
        samplesPerFrame = header.samplesPerFrame
        samples = [Float](repeating: 0, count: samplesPerFrame * channelCount)
        self.input = MPEGAudioPackets(MPEGAudioFrames(input, start))
        var source = AudioStreamBasicDescription()
        source.mSampleRate = Double(sampleRate)
        source.mFormatID = [kAudioFormatMPEGLayer1, kAudioFormatMPEGLayer2, kAudioFormatMPEGLayer3][header.layer - 1]
        source.mFramesPerPacket = UInt32(samplesPerFrame)
        source.mChannelsPerFrame = UInt32(channelCount)
        var target = SampleEncoding.float32.streamDescription(sampleRate: sampleRate, channelCount: channelCount)
            .audioStreamBasicDescription
        var created: AudioConverterRef?
        let status = AudioConverterNew(&source, &target, &created)
        guard status == 0, let created else {
            let reason =
                "the system has no decoder for MPEG audio layer \(header.layer) ("
                + "\(FourCharCode(rawValue: UInt32(bitPattern: status)))); \(advice)"
            throw AudioFileError(.unrecognizedFormat(reason: reason), path: input.path)
        }
        converter = created
    }

    deinit { AudioConverterDispose(converter) }

    /// Finds the next frame without decoding it.
    ///
    /// Returns false at the end.
    ///
    /// - Throws: The system error of a failed read.
    func findNext() throws(SystemFileError) -> Bool { try input.frames.range(of: index) != nil }

    /// Decodes and returns the next frame, or returns `nil` at the end.
    ///
    /// - Throws: The system error of a failed read.
    func next() throws(SystemFileError) -> Frame? {
        guard let bytes = try input.frames.range(of: index) else { return nil }
        var count = UInt32(samplesPerFrame)
        let status = samples.withUnsafeMutableBytes { target in
            var list = AudioBufferList(
                mNumberBuffers: 1,
                mBuffers: AudioBuffer(
                    mNumberChannels: UInt32(channelCount), mDataByteSize: UInt32(target.count), mData: target.baseAddress))
            return AudioConverterFillComplexBuffer(
                converter, { MPEGAudioPackets.take($1, $2, $3, $4) }, Unmanaged.passUnretained(input).toOpaque(), &count, &list, nil)
        }
        index += 1
        if let failure = input.failure { throw failure }
        // Bits of previous frames are missing, as after damage. Restart with the next frame.
        if status != 0 { restart() }
        return Frame(bytes: bytes, samplesPerFrame: samplesPerFrame, count: Int(count))
    }

    /// Moves to a frame, counted from the first.
    ///
    /// Returns the index of the next frame.
    func seek(toFrame frame: Int) throws(SystemFileError) -> Int {
        index = frame
        restart()
        return frame
    }

    /// Resets the converter, which continues with the next frame.
    private func restart() {
        AudioConverterReset(converter)
        input.index = index
    }
}

/// Provides frames to the converter.
final class MPEGAudioPackets {
    var frames: MPEGAudioFrames
    /// The index of the frame to provide next.
    var index = 0
    /// The system error of a failed read.
    private(set) var failure: SystemFileError?

    private let memory: UnsafeMutableRawBufferPointer
    private let description: UnsafeMutablePointer<AudioStreamPacketDescription>

    /// An upper bound on the frame size, in bytes.
    private static let maximumFrameByteCount = 4096

    init(_ frames: MPEGAudioFrames) {
        self.frames = frames
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
            guard let range = try packets.frames.range(of: packets.index) else { return 0 }
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
