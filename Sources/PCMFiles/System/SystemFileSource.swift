// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
internal import AudioMetadata
internal import AudioPrimitives
internal import AudioToolbox
internal import SystemFiles

/// Decodes a file with Audio Toolbox: FLAC, AU, compressed WAV, AIFF and CAF, and other formats that the system supports.
///
/// The length and bit depth of FLAC come from its own header, which this package parses. For other formats the system provides them.
final class SystemFileSource: PCMFileSource {
    private(set) var properties: PCMFileProperties
    /// A warning about the declared length, once the end is reached.
    private(set) var warnings: [PCMFileWarning] = []
    /// The uncompressed encoding with the file's resolution, in which the system delivers samples.
    let encoding: SampleEncoding
    /// Whether samples do not depend on previous ones.
    let seeksExactly: Bool

    private let path: String
    private let file: SystemAudioFile
    private var position = 0
    /// The error that ended the previous read after some frames.
    private var failure: (any Error)?
    private var bytes: [UInt8] = []

    /// Opens a file, or returns `nil` if the system does not recognize its format.
    ///
    /// - Parameters:
    ///   - input: A seekable file, at the first byte of the format.
    ///   - flac: The FLAC header, if the file is FLAC.
    ///   - skippedByteCount: The number of bytes before it in the file.
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

    func read(into buffer: inout PCMBuffer) throws {
        try read(buffer.frameCapacity, into: &bytes)
        bytes.withSpan { encoding.decode($0.bytes, into: &buffer) }
    }

    func read(_ frameCount: Int, into bytes: inout [UInt8]) throws {
        let (channelCount, bytesPerFrame) = (properties.channelCount, encoding.byteCount * properties.channelCount)
        let byteCount = frameCount * bytesPerFrame
        if bytes.count > byteCount { bytes.removeLast(bytes.count - byteCount) }
        if bytes.count < byteCount { bytes.append(contentsOf: repeatElement(0, count: byteCount - bytes.count)) }
        var count = 0
        // The system may deliver fewer frames than available.
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
        if count < frameCount, failure == nil { recordEnd() }
    }

    /// Compares the actual length with the declared one.
    private func recordEnd() {
        guard let declared = properties.frameCount, position < declared else { return }
        if case .endsEarly = warnings.last { return }
        warnings.append(.endsEarly(path: path, declaredFrames: declared, foundFrames: position))
    }

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

// Conversion of the system's constants.
extension SystemFileSource {
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

    /// Returns the uncompressed encoding with a format's resolution.
    ///
    /// Lossy formats decode to floating point.
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

    /// Returns the integer encoding with at least `bitCount` bits.
    private static func integers(bitCount: UInt32) -> SampleEncoding {
        bitCount <= 8 ? .signed8 : bitCount <= 16 ? .int16 : bitCount <= 24 ? .int24 : .int32
    }

    private static func clientFormat(_ format: AudioStreamBasicDescription, _ encoding: SampleEncoding) -> AudioStreamBasicDescription {
        var stream = encoding.streamDescription(sampleRate: 0, channelCount: Int(format.mChannelsPerFrame))
        stream.sampleRate = format.mSampleRate
        return stream.audioStreamBasicDescription
    }
}
#endif
