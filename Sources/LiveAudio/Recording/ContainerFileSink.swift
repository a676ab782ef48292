// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioContainers
internal import AudioFiles
public import AudioPrimitives
internal import MPEG4Audio

/// Writes access units to a file of any container, each as soon as the container allows.
///
/// The file stands under its own name from the start. ADTS and LOAS can be played to the last unit whatever ends the program. M4A is
/// written in fragments of half a second, which play without an end; an orderly end makes an ordinary M4A file of them, with one index
/// and the exact length, in place and whatever its size. CAF has one packet table for all of it, at its end: only an orderly end makes a file that plays.
public final class ContainerFileSink: RecorderSink, @unchecked Sendable {
    /// How much sound a crash may take from an M4A file, in seconds.
    private static let fragmentDuration = 0.5

    private let path: String
    private let container: ContainerFormat
    private let overwrites: Bool
    // Used on the sink's thread only.
    private var output: DirectOutput?
    private var writer: (any ContainerWriter<DirectOutput>)?

    /// Makes a sink for the file `path`; `-` is standard output.
    public init(path: String, container: ContainerFormat = .adts, overwrites: Bool = false) {
        self.path = path
        self.container = container
        self.overwrites = overwrites
    }

    /// The file's name.
    public var name: String { path == "-" ? "standard output" : path }

    /// Access units.
    public var takesAccessUnits: Bool { true }

    /// Makes the file; throws ``OutputError`` or ``AudioContainers/ContainerError``, as for CAF to a pipe.
    public func begin(_ format: RecordingFormat) throws {
        let output = try DirectOutput(path: path, overwrites: overwrites)
        guard output.canOverwrite || container.streamable != nil else { throw ContainerError.sinkCannotOverwrite }
        self.output = output
        writer = try makeWriter(format, to: output)
    }

    private func makeWriter(_ format: RecordingFormat, to output: DirectOutput) throws -> any ContainerWriter<DirectOutput> {
        var options = ContainerWriterOptions()
        options.tags.encoder = "Linnet \(LinnetVersion.current)"
        let config = format.audioSpecificConfig
        guard container == .m4a || container == .fragmentedM4A else {
            return try container.makeWriter(to: output, config, options: options)
        }
        let unitCount = Double(config.sampleRate) * Self.fragmentDuration / Double(config.frameLength ?? 1024)
        let count = max(1, Int(unitCount.rounded()))
        let layout: MP4WriterOptions.Layout =
            output.canOverwrite && container == .m4a
            ? .fragmentedUntilFinished(unitsPerFragment: count, priming: format.primingFrames)
            : .fragmented(unitsPerFragment: count, priming: format.primingFrames)
        return try MP4Writer(to: output, config, options: .init(layout: layout, tags: options.tags, usesCoreTimescale: true))
    }

    /// Writes a unit, or keeps it for the next fragment.
    public func append(_ item: RecordedItem) throws {
        guard case .accessUnit(let unit) = item, let output else { return }
        do throws(ContainerError) { try writer?.append(unit) } catch { throw Self.failure(error, output) }
    }

    /// Writes the index, where there is one, and closes the file.
    public func finish(_ gaplessInfo: GaplessInfo?) throws {
        guard let output else { return }
        do throws(ContainerError) {
            try writer?.finish(gaplessInfo)
        } catch {
            throw Self.failure(error, output)
        }
        try output.close()
    }

    private static func failure(_ error: ContainerError, _ output: DirectOutput) -> any Error {
        OutputError(error, path: output.path) ?? error
    }
}
