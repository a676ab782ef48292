// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
internal import AudioContainers
internal import AudioConversion
internal import AudioFiles
internal import AudioMetadata
internal import AudioPrimitives
internal import CLinnetAudioTypes
internal import Foundation
internal import PCMFiles

/// A file that is written from PCM.
protocol FileSink: AnyObject {
    var fileFormat: AVAudioFormat { get }

    /// Appends the valid frames of a buffer. The buffer has a common format and the file's rate and channels.
    func append(_ buffer: AVAudioPCMBuffer) throws

    func finish() throws
}

/// A PCM or FLAC file.
///
/// Stores all bits of the file's sample format.
final class PCMFileSink: FileSink {
    let fileFormat: AVAudioFormat

    private let file: OutputFile
    private let writer: PCMFileWriter
    private let format: AudioFormat
    private var converter: AudioConverter?
    private var transfer = BufferTransfer()
    private var bytes: [UInt8] = []

    /// Creates the file immediately.
    init(path: String, format: PCMOutputFormat, fileFormat: AVAudioFormat) throws {
        self.fileFormat = fileFormat
        self.format = AudioFormat(
            format.encoding, sampleRate: format.sampleRate, channelCount: format.channelCount, channelLayout: format.channelLayout)
        try Self.check(format, path: path)
        file = try OutputFile(path: path, overwrites: true, visibility: .immediately)
        writer = try PCMFileWriter(to: file, format: format, pendingByteLimit: 65_536)
    }

    /// Throws if the format is not supported, before an existing file is emptied.
    ///
    /// The writers of AIFF and CAF first check the format. Then they need a file that can be overwritten, which a device is not.
    private static func check(_ format: PCMOutputFormat, path: String) throws {
        do throws(AudioFileError) {
            _ = try PCMFileWriter(path: "/dev/null", format: format, overwrites: true)
        } catch {
            if case .cannotWrite = error.code, format.file == .aiff || format.file == .caf { return }
            throw AudioFileError(error.code, path: path, underlying: error.underlyingError)
        }
    }

    func append(_ buffer: AVAudioPCMBuffer) throws {
        if converter == nil { converter = try AudioConverter(from: try buffer.format.converterInput(cookie: nil), to: .pcm(format)) }
        guard let converter else { return }
        try transfer.append(buffer, to: converter)
        converter.read(Int(buffer.frameLength), into: &bytes)
        try writer.append(bytes: bytes)
    }

    func finish() throws {
        try writer.finish()
        try file.commit()
    }
}

/// A file of packets.
final class CodedFileSink: FileSink {
    let fileFormat: AVAudioFormat

    private let encoder: any AudioPacketEncoder
    private var writer: any ContainerWriter<OutputFile>

    /// Creates the file immediately.
    ///
    /// - Parameters:
    ///   - container: The container of the packets.
    ///   - encoder: An encoder without input.
    ///   - fileFormat: The requested format.
    init(path: String, container: AudioFileFormat, encoder: any AudioPacketEncoder, fileFormat: AVAudioFormat) throws {
        self.encoder = encoder
        self.fileFormat = fileFormat
        fileFormat.magicCookie = encoder.codecConfiguration.magicCookie.map { Data($0) }
        var options = ContainerWriterOptions()
        options.tags.encoder = "Linnet \(LinnetVersion.current)"
        options.priming = encoder.primingFrames
        // Throws if the container cannot store the stream, before an existing file is emptied.
        _ = try container.makeWriter(to: MemorySink(), encoder.codecConfiguration, options: options)
        let file = try OutputFile(path: path, overwrites: true, visibility: .immediately)
        writer = try container.makeWriter(to: file, encoder.codecConfiguration, options: options)
    }

    /// Encodes frames.
    ///
    /// Packets are written when they are complete.
    func append(_ buffer: AVAudioPCMBuffer) throws {
        for unit in try encoder.encode(buffer.samples(in: 0..<Int(buffer.frameLength))) { try writer.append(unit) }
    }

    /// Encodes the remaining frames and finishes the file.
    func finish() throws {
        let tail = try encoder.finish()
        for unit in tail.accessUnits { try writer.append(unit) }
        try writer.finish(tail.gapless)
        try writer.sink.commit()
    }
}
#endif
