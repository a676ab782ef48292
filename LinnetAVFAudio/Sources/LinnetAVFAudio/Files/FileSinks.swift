// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if !canImport(Darwin)
internal import AudioContainers
internal import AudioConversion
internal import AudioFiles
internal import AudioPrimitives
internal import CLinnetAudioTypes
internal import Foundation
internal import PCMFiles

/// A file that is written from 32-bit floating point.
protocol FileSink: AnyObject {
    /// The format of the audio in the file.
    var fileFormat: AVAudioFormat { get }

    /// Appends frames.
    func append(_ buffer: PCMBuffer) throws

    /// Completes the file.
    func finish() throws
}

/// A file of PCM, or of FLAC.
final class PCMFileSink: FileSink {
    let fileFormat: AVAudioFormat

    private let file: OutputFile
    private let writer: PCMFileWriter

    /// Creates a file, which is there from now on.
    init(path: String, format: PCMOutputFormat, fileFormat: AVAudioFormat) throws {
        self.fileFormat = fileFormat
        file = try OutputFile(path: path, overwrites: true, visibility: .immediately)
        writer = try PCMFileWriter(descriptor: file.descriptor, name: path, format: format, pendingByteLimit: 65_536)
    }

    /// Appends frames.
    func append(_ buffer: PCMBuffer) throws { try writer.append(buffer) }

    /// Completes the file.
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

    /// Creates a file, which is there from now on.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - container: The container of the packets.
    ///   - encoder: An encoder without input.
    ///   - fileFormat: The format that the settings ask for.
    init(path: String, container: ContainerFormat, encoder: any AudioPacketEncoder, fileFormat: AVAudioFormat) throws {
        self.encoder = encoder
        self.fileFormat = fileFormat
        fileFormat.magicCookie = encoder.configuration.magicCookie.map { Data($0) }
        let file = try OutputFile(path: path, overwrites: true, visibility: .immediately)
        var options = ContainerWriterOptions()
        options.tags.encoder = "Linnet \(LinnetVersion.current)"
        options.priming = encoder.primingFrames
        writer = try container.makeWriter(to: file, encoder.configuration, options: options)
    }

    /// Encodes frames; packets are written as they are complete.
    func append(_ buffer: PCMBuffer) throws { try encoder.encode(buffer) { try writer.append($0) } }

    /// Encodes the rest and completes the file.
    func finish() throws {
        let gapless = try encoder.finish { try writer.append($0) }
        try writer.finish(gapless)
        try writer.sink.commit()
    }
}
#endif
