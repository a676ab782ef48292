// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
internal import AudioMetadata
internal import AudioPrimitives
internal import AudioToolbox
internal import SystemFiles

/// Decodes a file through Audio Toolbox: FLAC, AU, compressed WAV, AIFF and CAF, and what else the system reads.
///
/// The length of FLAC and the bits of its samples are those of its own header, which this package reads; other formats have those of the system.
final class SystemFileSource: PCMFileSource {
    /// The format and length of the file.
    private(set) var properties: PCMFileProperties
    /// A wrong length in the header, once the end is reached.
    private(set) var warnings: [PCMFileWarning] = []
    /// The uncompressed encoding with the resolution of the file, in which the system delivers it.
    let encoding: SampleEncoding
    /// Whether samples don't depend on earlier ones.
    let seeksExactly: Bool

    private let path: String
    private let file: SystemAudioFile
    private var position = 0
    /// The error that ended the previous read, which delivered frames.
    private var failure: (any Error)?
    private var bytes: [UInt8] = []

    /// Opens a file; nil if the system does not recognise its format.
    ///
    /// - Parameters:
    ///   - input: The file, which can be sought, at the first byte of the format.
    ///   - flac: The header of FLAC, if it is that.
    ///   - skippedByteCount: The bytes before it in the file.
    init?(_ input: FileInput, flac: FLACHeader? = nil, skippedByteCount: Int = 0) throws {
        path = input.path
        let tags = AudioTags(reading: input)
        try input.seek(to: input.position)
        let format: AudioStreamBasicDescription
        let systemCount: Int?
        do {
            guard let file = try SystemAudioFile(reading: LibraryStream(input)) else { return nil }
            self.file = file
            format = try file.format()
            encoding = flac.map { FLACHeader.encoding(bitsPerSample: $0.bitsPerSample) } ?? Self.encoding(format)
            try file.setClientFormat(Self.clientFormat(format, encoding))
            systemCount = try file.frameCount()
        } catch let error as CodecError {
            throw AudioFileError(.unrecognizedFormat(reason: "\(error)"), path: input.path)
        }
        let (rate, channelCount) = (Int(exactly: format.mSampleRate.rounded()) ?? 0, Int(format.mChannelsPerFrame))
        guard rate > 0, channelCount > 0 else {
            throw AudioFileError(.malformedHeader(field: "the sample rate", value: rate), path: input.path)
        }
        let isLossless = [kAudioFormatLinearPCM, kAudioFormatFLAC, kAudioFormatAppleLossless, kAudioFormatULaw, kAudioFormatALaw]
            .contains(format.mFormatID)
        seeksExactly = isLossless
        properties = PCMFileProperties(
            containerName: Self.containerName(try file.type()),
            streamDescription: encoding.streamDescription(sampleRate: rate, channelCount: channelCount), sampleRate: rate,
            channelCount: channelCount, channelLayout: flac?.layout, frameCount: flac.map(\.frameCount) ?? systemCount)
        properties.isLossy = !isLossless
        properties.tags = tags
        if skippedByteCount > 0 { warnings = [.skipped(path: path, byteCount: skippedByteCount)] }
    }

    /// Replaces the contents of `buffer` by the next sample frames.
    func read(into buffer: inout PCMBuffer) throws {
        try read(buffer.frameCapacity, into: &bytes)
        bytes.withSpan { encoding.decode($0.bytes, into: &buffer) }
    }

    /// Replaces bytes by the next sample frames.
    func read(_ frameCount: Int, into bytes: inout [UInt8]) throws {
        let (channelCount, bytesPerFrame) = (properties.channelCount, encoding.byteCount * properties.channelCount)
        let byteCount = frameCount * bytesPerFrame
        if bytes.count > byteCount { bytes.removeLast(bytes.count - byteCount) }
        if bytes.count < byteCount { bytes.append(contentsOf: repeatElement(0, count: byteCount - bytes.count)) }
        var count = 0
        // The system may deliver fewer frames than there are.
        while count < frameCount, failure == nil {
            do {
                let more = try bytes.withUnsafeMutableBytes {
                    try file.read(
                        into: UnsafeMutableRawBufferPointer(rebasing: $0[(count * bytesPerFrame)...]), channelCount: channelCount,
                        bytesPerFrame: bytesPerFrame)
                }
                if more == 0 { break }
                count += more
            } catch let error as CodecError {
                failure = AudioFileError(.damaged(frame: position + count, reason: "\(error)"), path: path)
            } catch {
                failure = error
            }
        }
        bytes.removeLast((frameCount - count) * bytesPerFrame)
        position += count
        if count == 0, let failure { throw failure }
        if count < frameCount, failure == nil { noteEnd() }
    }

    /// Compares the length with that of the header.
    private func noteEnd() {
        guard let declared = properties.frameCount, position < declared else { return }
        if case .endsEarly = warnings.last { return }
        warnings.append(.endsEarly(path: path, declaredFrames: declared, foundFrames: position))
    }

    /// Moves to a sample frame counted from the first.
    func seek(toFrame frame: Int) throws {
        do {
            try file.seek(toFrame: frame)
        } catch let error as CodecError {
            throw AudioFileError(.damaged(frame: frame, reason: "\(error)"), path: path)
        }
        position = frame
        failure = nil
    }
}

// The meaning of the system's numbers.
extension SystemFileSource {
    /// The usual name of a container.
    private static func containerName(_ type: AudioFileTypeID) -> String {
        switch type {
        case kAudioFileFLACType: "FLAC"
        case kAudioFileWAVEType: "WAV"
        case kAudioFileAIFFType, kAudioFileAIFCType: "AIFF"
        case kAudioFileCAFType: "CAF"
        case kAudioFileNextType: "AU"
        default: "another format of the system"
        }
    }

    /// The uncompressed encoding with the resolution of a format; lossy ones decode to floating point.
    private static func encoding(_ format: AudioStreamBasicDescription) -> SampleEncoding {
        switch format.mFormatID {
        case kAudioFormatLinearPCM:
            let isFloat = format.mFormatFlags & kAudioFormatFlagIsFloat != 0
            let byteCount = format.mBytesPerFrame / max(1, format.mChannelsPerFrame)
            return isFloat ? (byteCount == 8 ? .float64 : .float32) : integers(bitCount: 8 * byteCount)
        case kAudioFormatFLAC, kAudioFormatAppleLossless:
            return integers(bitCount: [1: 16, 2: 24, 3: 24][format.mFormatFlags] ?? 32)
        case kAudioFormatULaw, kAudioFormatALaw: return .int16
        default: return .float32
        }
    }

    /// The encoding of integers with at least so many bits.
    private static func integers(bitCount: UInt32) -> SampleEncoding {
        bitCount <= 8 ? .signed8 : bitCount <= 16 ? .int16 : bitCount <= 24 ? .int24 : .int32
    }

    /// The format of samples of an encoding as the system delivers them.
    private static func clientFormat(_ format: AudioStreamBasicDescription, _ encoding: SampleEncoding) -> AudioStreamBasicDescription {
        var stream = encoding.streamDescription(sampleRate: 0, channelCount: Int(format.mChannelsPerFrame))
        stream.sampleRate = format.mSampleRate
        return stream.audioStreamBasicDescription
    }
}
#endif
