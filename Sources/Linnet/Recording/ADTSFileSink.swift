// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioContainers
public import AudioPrimitives

/// Writes access units to an ADTS file or pipe, each as soon as it is made.
///
/// The file stands under its own name from the start and is whole after every access unit: whatever ends the program, it plays to the end.
public final class ADTSFileSink: RecorderSink, @unchecked Sendable {
    private let path: String
    private let overwrites: Bool
    private let options: ADTSWriter.Options
    // Used on the sink's thread only.
    private var output: DirectOutput?
    private var writer: ADTSWriter?
    private var bytes: [UInt8] = []

    /// Makes a sink for the file `path`; `-` is standard output.
    public init(path: String, overwrites: Bool = false, options: ADTSWriter.Options = ADTSWriter.Options()) {
        self.path = path
        self.overwrites = overwrites
        self.options = options
    }

    /// The file's name.
    public var name: String { path == "-" ? "standard output" : path }

    /// Access units.
    public var takesAccessUnits: Bool { true }

    /// Makes the file; throws ``OutputError`` or an error of the container.
    public func begin(_ format: RecordingFormat) throws {
        writer = try ADTSWriter(format.audioSpecificConfig, options: options)
        output = try DirectOutput(path: path, overwrites: overwrites)
    }

    /// Writes one frame.
    public func append(_ item: RecordedItem) throws {
        guard case .accessUnit(let unit) = item, let writer, let output else { return }
        bytes.removeAll(keepingCapacity: true)
        try writer.append(unit.payload, to: &bytes)
        try output.write(bytes)
    }

    /// Closes the file.
    public func finish(_ gaplessInfo: GaplessInfo?) throws { try output?.close() }
}
