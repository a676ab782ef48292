// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioMetadata
package import AudioPrimitives
package import PCMFiles
internal import SystemFiles

/// Decodes a file of coded audio for those who read PCM files.
final class CodedPCMSource: PCMFileSource {
    private(set) var properties: PCMFileProperties
    /// Whether decoding from any frame gives the same samples as decoding everything before it, as with lossless codecs.
    let seeksExactly: Bool
    /// The damage that the decoder has concealed or left out.
    var warnings: [PCMFileWarning] { file.statistics.warnings(path: file.path) }

    /// The encoding that holds all that the codec decodes to.
    let encoding: SampleEncoding
    private let file: CodedAudioFile
    private var buffer: PCMBuffer?

    /// Uses an open file from its first frame on.
    init(_ file: CodedAudioFile) {
        self.file = file
        encoding = file.configuration.sampleEncoding
        seeksExactly = encoding != .float32
        properties = PCMFileProperties(
            containerName: file.containerName,
            streamDescription: encoding.streamDescription(sampleRate: file.sampleRate, channelCount: file.channelCount),
            sampleRate: file.sampleRate, channelCount: file.channelCount, channelLayout: file.channelLayout, frameCount: file.frameCount)
        properties.isLossy = encoding == .float32
        properties.tags = file.tags
        properties.audioTracks = file.audioTracks
    }

    /// Replaces the contents of `buffer` by the next sample frames.
    func read(into buffer: inout PCMBuffer) throws {
        do throws(AudioFileError) { try file.read(into: &buffer) } catch { throw pcmError(error) }
    }

    /// Replaces bytes by the next sample frames; integers of lossless codecs up to 24 bits are exact.
    func read(_ frameCount: Int, into bytes: inout [UInt8]) throws {
        try readFloats(frameCount, by: &buffer, into: &bytes)
    }

    /// Moves to a sample frame counted from the first.
    func seek(toFrame frame: Int) throws {
        let hasMoved: Bool
        do throws(AudioFileError) { hasMoved = try file.seek(toFrame: frame) } catch { throw pcmError(error) }
        guard hasMoved else { throw SystemFileError.notSeekable }
    }

    /// Returns an error as those of PCM files are.
    private func pcmError(_ error: AudioFileError) -> PCMFileError {
        if case .cannotRead(let code) = error.code { return PCMFileError(.cannotRead(systemCode: code), path: error.path) }
        return PCMFileError(.damaged(frame: file.position, reason: String(describing: error)), path: error.path)
    }
}

extension PCMFileReader {
    /// Opens a file of PCM or of coded audio, which is decoded.
    ///
    /// - Parameters:
    ///   - path: The file's path; `-` is standard input.
    ///   - raw: The format of PCM without a header; nil to detect the format.
    package static func opening(_ path: String, raw: AudioFormat?) throws -> PCMFileReader {
        let input = try FileInput(opening: path)
        if raw == nil, let file = try CodedAudioFile.opening(input) { return try decoding(file).reader }
        return try reading(input, raw: raw)
    }

    /// Opens a file of coded audio at its first frame.
    ///
    /// - Returns: The reader, and its source if that is one of more than 24 bits.
    static func decoding(_ file: CodedAudioFile) throws -> (reader: PCMFileReader, lossless: LosslessPCMSource?) {
        let source = CodedPCMSource(file)
        let lossless = try LosslessPCMSource(file, properties: source.properties)
        let reader = PCMFileReader(lossless ?? source as any PCMFileSource, path: file.path, allowsSharedReading: file.input.canReopen)
        return (reader, lossless)
    }
}

extension DecodingStatistics {
    /// Returns the warning about damage of a file of coded audio; none if it is intact.
    func warnings(path: String) -> [PCMFileWarning] {
        let units = damagedUnitCount + missingUnitCount + concealedUnitCount + highBandLossCount
        return units + lostByteCount == 0 ? [] : [.damaged(path: path, unitCount: units, byteCount: lostByteCount)]
    }
}

extension CodecConfiguration {
    /// The encoding of samples that holds all that the codec decodes to.
    var sampleEncoding: SampleEncoding {
        guard case .alac(let config) = self else { return .float32 }
        return config.bitDepth <= 16 ? .int16 : config.bitDepth <= 24 ? .int24 : .int32
    }
}
