// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioConversion
internal import AudioMetadata
internal import AudioPrimitives
internal import SystemFiles

/// A file of coded audio as a playable source.
///
/// A stream that changes its sample rate or channels is converted to those it begins with.
final class CodedAudioFile: PlayableSource {
    /// The file's path.
    var path: String { input.path }
    /// The file, which is opened a second time to seek.
    let input: FileInput
    private var decoder: FileDecoder
    /// The decoded frames that follow ``position``, from the index `consumed` on.
    private var buffer: PCMBuffer
    private var consumed = 0
    private var isAtEnd = false

    /// The sample rate in hertz.
    let sampleRate: Int
    /// The number of channels.
    let channelCount: Int
    /// The number of sample frames, or nil if the container does not hold it.
    let frameCount: Int?
    /// The index of the sample frame that is read next.
    private(set) var position = 0

    /// The codec and its configuration at the beginning.
    let configuration: CodecConfiguration
    /// The usual names of container and codec.
    let containerName: String
    /// The speakers of the channels, if known.
    let channelLayout: ChannelLayout?

    /// Title, cover and so on.
    var tags: AudioTags { decoder.description.tags }
    /// The audio tracks in the order of the file; empty for containers with one.
    var audioTracks: [AudioTrack] { decoder.description.audioTracks }
    /// Whether positions in the container are false, so that its packets were counted.
    var hasFalsePositions: Bool { decoder.description.hasFalsePositions }
    /// Counts of what was decoded and concealed, since the latest seek.
    var statistics: DecodingStatistics { decoder.statistics }

    /// Reads an open file from its current position on.
    init(_ input: FileInput) throws(AudioFileError) {
        self.input = input
        var configuration = FileDecoderConfiguration()
        configuration.keepsFormat = true
        let reader = try AccessUnitReader(input)
        decoder = try FileDecoder(reader, configuration: configuration)
        buffer = PCMBuffer(sampleRate: 48_000, channelCount: 1, frameCapacity: 0)
        isAtEnd = try !decoder.read(into: &buffer)
        sampleRate = buffer.sampleRate
        channelCount = buffer.channelCount
        guard let opened = decoder.decoder else { throw AudioFileError(.noAccessUnits, path: input.path) }
        self.configuration = opened.codecConfiguration
        channelLayout = opened.channelLayout
        containerName = "\((reader.format ?? .adts).name) (\(opened.codecConfiguration.formatID.codecName))"
        frameCount = decoder.description.gaplessInfo.map { $0.validFrames * opened.framesPerCountedFrame }
    }

    /// Opens a file if it is one of coded audio; returns nil, and leaves the input at its start, if it can only be one of PCM.
    static func opening(_ input: FileInput) throws(AudioFileError) -> CodedAudioFile? {
        guard let format = try input.containerFormat(), format.isReadable else { return nil }
        if format == .caf, try holdsPCM(caf: input) { return nil }
        do throws(AudioFileError) {
            let file = try CodedAudioFile(input)
            // Of several tracks another one may come first, which is no coded audio.
            guard file.audioTracks.count > 1, input.fileSize != nil, try holdsSamples(input) else { return file }
            do throws(SystemFileError) { try input.seek(to: 0) } catch { throw AudioFileError(reading: input.path, error) }
            return nil
        } catch {
            // MPEG audio in a transport stream.
            if case .unsupportedInput = error.code { return nil }
            guard case .unsupportedCodec = error.code else { throw error }
            guard try holdsSamples(input) else { throw error }
            return nil
        }
    }

    /// Returns whether the track to read of an MP4 file is one of PCM, MPEG audio or FLAC.
    private static func holdsSamples(_ input: FileInput) throws(AudioFileError) -> Bool {
        try AudioFileError.attempt(input.path) { try TrackPCMSource.stream(of: input) != nil }
    }

    /// Returns whether a CAF file at its start holds PCM or ADPCM, by its first chunk, without consuming it.
    private static func holdsPCM(caf input: FileInput) throws(AudioFileError) -> Bool {
        // The file's header has 8 bytes, that of the chunk 12; the codec follows the sample rate.
        let (type, codec) = (8..<12, 28..<32)
        let head: ArraySlice<UInt8>
        do throws(SystemFileError) { head = try input.peek(codec.upperBound) } catch { throw AudioFileError(reading: input.path, error) }
        let bytes = Array(head)
        // A file that ends before its format is damaged, whatever it holds.
        guard bytes.count == codec.upperBound else { return false }
        guard bytes[type].elementsEqual("desc".utf8) else { return true }
        return ["lpcm", "alaw", "ulaw", "ima4"].contains { bytes[codec].elementsEqual($0.utf8) }
    }

    /// Replaces the contents of `target` by the next sample frames: none at the end.
    ///
    /// - Throws: ``AudioFileError`` if the file can't be read or decoded.
    func read(into target: inout PCMBuffer) throws(AudioFileError) {
        var count = 0
        while count < target.frameCapacity, !isAtEnd {
            if consumed == buffer.frameCount {
                consumed = 0
                isAtEnd = try !decoder.read(into: &buffer)
                continue
            }
            let step = min(target.frameCapacity - count, buffer.frameCount - consumed)
            for channel in 0..<channelCount {
                let from = buffer.range(ofChannel: channel).lowerBound + consumed
                let to = channel * target.frameCapacity + count
                for frame in 0..<step { target.samples[to + frame] = buffer.samples[from + frame] }
            }
            consumed += step
            count += step
        }
        position += count
        target.frameCount = count
    }

    /// Moves to a sample frame, by decoding up to it.
    ///
    /// - Returns: False for a pipe and standard input.
    /// - Throws: ``AudioFileError`` if the file can't be read or decoded.
    func seek(toFrame frame: Int) throws(AudioFileError) -> Bool {
        guard input.canReopen else { return false }
        let goal = max(0, min(frame, frameCount ?? Int.max))
        var configuration = FileDecoderConfiguration()
        configuration.keepsFormat = true
        configuration.range = Duration(frameCount: goal, sampleRate: sampleRate)..<Duration.seconds(Int64.max)
        decoder = try FileDecoder(try AccessUnitReader(try input.openedAgain()), configuration: configuration)
        consumed = buffer.frameCount
        isAtEnd = false
        position = goal
        return true
    }
}
