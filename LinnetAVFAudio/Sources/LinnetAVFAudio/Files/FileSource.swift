// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
internal import AudioContainers
internal import AudioConversion
internal import AudioFiles
internal import AudioPrimitives
internal import CLinnetAudioTypes
internal import Foundation

/// A file that is read as PCM.
protocol FileSource: AnyObject {
    /// The coding of the file.
    var description: FileDescription { get }
    /// The number of sample frames.
    var length: Int { get }

    /// Moves to a sample frame.
    func seek(to frame: Int) throws

    /// Reads the next frames.
    ///
    /// - Parameters:
    ///   - count: The number of frames to read, at most the buffer's capacity.
    ///   - buffer: A buffer of a common format with the file's rate and channels; its length becomes the number of frames read, which is
    ///     smaller than `count` only at the end.
    func read(_ count: Int, into buffer: AVAudioPCMBuffer) throws
}

/// Opens a file.
func openFileSource(path: String) throws -> any FileSource {
    let description = try FileDescription(path: path)
    return description.isCoded ? try CodedFileSource(path: path, description) : try PCMFileSource(path: path, description)
}

/// A file of packets that a decoder of linnet decodes.
final class CodedFileSource: FileSource {
    let description: FileDescription
    let length: Int

    private let file: AudioFile
    private var part: PCMBuffer
    private static let partLength = 16_384

    /// Opens a file.
    init(path: String, _ description: FileDescription) throws {
        self.description = description
        file = try AudioFile(path: path)
        part = PCMBuffer(sampleRate: file.sampleRate, channelCount: file.channelCount, frameCapacity: Self.partLength)
        length = try file.frameCount ?? description.countFrames()
    }

    /// Moves to a sample frame.
    func seek(to frame: Int) throws {
        try file.seek(toFrame: frame)
    }

    /// Reads the next frames.
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

/// A file of PCM, or of a coding that libsndfile decodes; no bit is lost that the buffer's format has.
final class PCMFileSource: FileSource {
    let description: FileDescription
    let length: Int

    private let file: AudioFile
    private let format: AudioFormat
    private var converter: AudioConverter?
    private var transfer = BufferTransfer()
    private var bytes: [UInt8] = []

    /// Opens a file.
    init(path: String, _ description: FileDescription) throws {
        self.description = description
        file = try AudioFile(path: path)
        guard let frameCount = file.frameCount else {
            throw NSError(avfaudio: kAudioFileInvalidFileError, "\(path) doesn't say its length")
        }
        length = frameCount
        format = AudioFormat(
            file.encoding, sampleRate: file.sampleRate, channelCount: file.channelCount, channelLayout: file.channelLayout)
    }

    /// Moves to a sample frame.
    func seek(to frame: Int) throws { try file.seek(toFrame: frame) }

    /// Reads the next frames.
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
