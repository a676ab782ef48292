// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
internal import AudioPrimitives
internal import AudioToolbox
internal import SystemFiles

/// A stream of MPEG audio as the system's converter decodes it, one frame at a time.
///
/// This package finds the frames, so that the place of each is known; the system gets nothing else, no tags and no file.
final class MPEGAudioDecoder {
    /// The sample rate in hertz.
    let sampleRate: Int
    /// The number of channels, 1 or 2.
    let channelCount: Int
    /// The samples of the most recent frame, interleaved.
    private(set) var samples: [Float]

    private let samplesPerFrame: Int
    private let converter: AudioConverterRef
    private let input: MPEGAudioPackets
    /// The frame that comes next.
    private var index = 0

    /// Opens a file that can be sought; nil if there is no frame in it.
    ///
    /// - Parameter start: Its first frame.
    /// - Throws: ``AudioFileError`` if the system has no decoder for it.
    init?(_ input: FileInput, _ start: MPEGAudioStart) throws {
        let header = start.header
        let advice = "ffmpeg -i \(input.path) -vn out.flac converts it to FLAC"
        guard header.frameByteCount > 0 else {
            throw AudioFileError(
                .unrecognizedFormat(reason: "it is MPEG audio of a free bit rate, which is read on Linux only; \(advice)"), path: input.path
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
                "the system has no decoder for MPEG audio of layer \(header.layer) ("
                + "\(FourCharCode(rawValue: UInt32(bitPattern: status)))); \(advice)"
            throw AudioFileError(.unrecognizedFormat(reason: reason), path: input.path)
        }
        converter = created
    }

    deinit { AudioConverterDispose(converter) }

    /// Finds the next frame, without decoding it; returns false at the end.
    ///
    /// - Throws: The system's error in reading the file.
    func findNext() throws(SystemFileError) -> Bool { try input.frames.range(of: index) != nil }

    /// Decodes and returns the next frame; nil at the end.
    ///
    /// - Throws: The system's error in reading the file.
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
        // A frame without the bits of those before it, as after damage: the next ones begin anew.
        if status != 0 { restart() }
        return Frame(bytes: bytes, samplesPerFrame: samplesPerFrame, count: Int(count))
    }

    /// Moves to a frame counted from the first; returns the one that comes next.
    func seek(toFrame frame: Int) throws(SystemFileError) -> Int {
        index = frame
        restart()
        return frame
    }

    /// Discards what the converter holds; the frame that comes next is the first that it gets.
    private func restart() {
        AudioConverterReset(converter)
        input.index = index
    }
}

/// The frames as the converter calls for them.
final class MPEGAudioPackets {
    /// All frames.
    var frames: MPEGAudioFrames
    /// The frame that the converter gets next.
    var index = 0
    /// The system's error in reading the file.
    private(set) var failure: SystemFileError?

    private let memory: UnsafeMutableRawBufferPointer
    private let description: UnsafeMutablePointer<AudioStreamPacketDescription>

    /// More than the bytes of the largest frame.
    private static let largestFrame = 4096

    /// Creates the input of a converter.
    init(_ frames: MPEGAudioFrames) {
        self.frames = frames
        memory = .allocate(byteCount: Self.largestFrame, alignment: 16)
        description = .allocate(capacity: 1)
        description.initialize(to: AudioStreamPacketDescription())
    }

    deinit {
        memory.deallocate()
        description.deallocate()
    }

    /// Gives the next frame to the converter, whose memory stays as it is until the next call; none at the end.
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
