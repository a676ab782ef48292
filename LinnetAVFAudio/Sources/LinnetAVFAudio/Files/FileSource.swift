// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
internal import AudioContainers
internal import AudioConversion
internal import AudioFiles
internal import AudioPrimitives
internal import CLinnetAudioTypes
internal import Foundation
internal import PCMFiles

/// A file that is read as PCM.
protocol FileSource: AnyObject {
    var description: FileDescription { get }
    /// The number of sample frames.
    var length: Int { get }
    /// The problems found so far, one line each.
    var warnings: [String] { get }

    /// Seeks to a sample frame.
    func seek(to frame: Int) throws

    /// Reads the next frames.
    ///
    /// - Parameters:
    ///   - count: The number of frames to read, at most the buffer's capacity.
    ///   - buffer: A buffer with a common format and the file's rate and channels. Its length becomes the number of frames read, less than
    ///     `count` only at the end.
    func read(_ count: Int, into buffer: AVAudioPCMBuffer) throws
}

func openFileSource(path: String) throws -> any FileSource {
    let description = try FileDescription(path: path)
    return description.isCoded ? try CodedFileSource(path: path, description) : try PCMFileSource(path: path, description)
}

/// A file of packets that linnet's decoders decode.
final class CodedFileSource: FileSource {
    let description: FileDescription
    let length: Int

    private let file: AudioFile
    private var part: PCMBuffer
    private static let partLength = 16_384

    init(path: String, _ description: FileDescription) throws {
        self.description = description
        file = try AudioFile(path: path)
        part = PCMBuffer(sampleRate: file.sampleRate, channelCount: file.channelCount, frameCapacity: Self.partLength)
        length = try file.frameCount ?? description.countFrames()
    }

    var warnings: [String] { file.warnings.map(\.description) }

    func seek(to frame: Int) throws {
        try file.seek(toFrame: frame)
    }

    func read(_ count: Int, into buffer: AVAudioPCMBuffer) throws {
        var done = 0
        while done < count {
            let wanted = min(count - done, Self.partLength)
            if part.frameCapacity != wanted {
                part = PCMBuffer(sampleRate: file.sampleRate, channelCount: file.channelCount, frameCapacity: wanted)
            }
            try file.read(into: &part)
            buffer.store(part, at: done)
            done += part.frameCount
            if part.frameCount < wanted { break }
        }
        buffer.frameLength = AVAudioFrameCount(done)
    }
}

/// A PCM file, or a file that libsndfile decodes.
///
/// Returns all bits of the buffer's sample format.
final class PCMFileSource: FileSource {
    let description: FileDescription
    let length: Int

    private let file: AudioFile
    private let format: AudioFormat
    private var converter: AudioConverter?
    private var transfer = BufferTransfer()
    private var bytes: [UInt8] = []

    init(path: String, _ description: FileDescription) throws {
        self.description = description
        file = try AudioFile(path: path)
        guard let frameCount = file.frameCount else {
            throw NSError(avfaudio: kAudioFileInvalidFileError, "\(path) does not store its length")
        }
        length = frameCount
        format = AudioFormat(
            file.encoding, sampleRate: file.sampleRate, channelCount: file.channelCount, channelLayout: file.channelLayout)
    }

    var warnings: [String] { file.warnings.map(\.description) }

    func seek(to frame: Int) throws { try file.seek(toFrame: frame) }

    func read(_ count: Int, into buffer: AVAudioPCMBuffer) throws {
        try file.read(count, into: &bytes)
        if converter == nil {
            let output = try buffer.format.converterOutput(ConversionSettings())
            converter = try AudioConverter(from: .pcm(format), to: output)
        }
        guard let converter else { return }
        let samples = bytes
        try converter.append(samples.span.bytes)
        transfer.read(count, from: converter, into: buffer)
    }
}
#endif
