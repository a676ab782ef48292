// SPDX-License-Identifier: Apache-2.0

public import AudioMetadata
public import AudioPrimitives
internal import PCMFiles

/// A destination for the samples of a recording.
///
/// Each sink has a dedicated thread that calls all methods in order, so a slow or failing sink does not affect the others. An error ends
/// only this sink.
public protocol PCMSink: AnyObject, Sendable {
    /// The display name.
    var name: String { get }

    /// Opens the sink.
    ///
    /// - Throws: Any error. ``Recorder/start()`` rethrows it, and nothing is recorded.
    func begin(_ format: RecordingFormat) throws

    /// Accepts the next samples, exactly as they are encoded.
    func append(_ buffer: PCMBuffer) throws

    /// Completes and closes the sink.
    func finish() throws
}

/// A destination for the access units of a recording.
///
/// Each sink has a dedicated thread that calls all methods in order, so a slow or failing sink does not affect the others. An error ends
/// only this sink.
public protocol AccessUnitSink: AnyObject, Sendable {
    /// The display name.
    var name: String { get }

    /// Opens the sink.
    ///
    /// - Throws: Any error. ``Recorder/start()`` rethrows it, and nothing is recorded.
    func begin(_ format: RecordingFormat) throws

    /// Accepts the next access unit.
    func append(_ accessUnit: AccessUnit) throws

    /// Completes and closes the sink.
    ///
    /// - Parameter gaplessInfo: The priming and padding in sample frames at the output rate; `nil` if nothing was encoded.
    func finish(_ gaplessInfo: GaplessInfo?) throws
}

/// A sink that can undo its start if the recording fails to start, for example because another sink cannot be opened.
package protocol DiscardableSink {
    func discard() throws
}

/// A sink that can store the marks of a recording.
package protocol MarkableSink: AnyObject, Sendable {
    /// Accepts the next mark, whose start counts sample frames from the start of the recording. Called on the sink's thread.
    ///
    /// The audio before the mark has arrived already, except the encoder's delay.
    func mark(_ mark: AudioTags.Chapter)

    /// The accepted marks that the completed file does not have. Valid after the end.
    var lostMarks: [AudioTags.Chapter] { get }
}

/// A sink whose ``AccessUnitSink/append(_:)`` returns at once, for example because it has its own queue.
///
/// It is called on the recorder's thread, which must not block, instead of a sink thread.
package protocol NonblockingAccessUnitSink: AccessUnitSink, WaitableSink {
    /// The maximum time between access units at which decoding can start; `nil` for no limit.
    var accessPointInterval: Duration? { get }
}

/// A sink with its own queue, which discards audio when it is full.
package protocol WaitableSink {
    /// Blocks until the next audio fits. For recordings that wait for their sinks.
    func waitForRoom()
}

/// A destination of a recording.
///
/// ```swift
/// let recorder = Recorder(sinks: [.file("talk.m4a"), .file("talk.wav"), .accessUnits { unit in send(unit) }])
/// ```
public enum RecorderSink: Sendable {
    /// A destination for samples.
    case samples(to: any PCMSink)
    /// A destination for access units.
    case accessUnits(to: any AccessUnitSink)
    /// A destination for one signal of several sources, instead of ``RecordedSignal/channels``.
    indirect case signal(RecordedSignal, RecorderSink)

    /// Returns a file sink; the extension determines the format.
    ///
    /// The extensions `aac`, `adts`, `m4a`, `m4b`, `mp4`, `caf`, `loas`, `latm`, `ts` and `dabp` select AAC, `opus` Opus and `lbc` iLBC; the
    /// other extensions of ``/AudioPrimitives/AudioFileFormat`` select PCM. With an unknown extension, ``Recorder/start()`` throws
    /// ``/AudioDevices/DeviceError/unsupportedFileExtension(path:)``.
    ///
    /// - Parameters:
    ///   - path: The file path; `-` for standard output.
    ///   - format: The format (default: from the extension). CAF contains AAC.
    ///   - tags: The tags. Those that the format does not support are dropped; the encoder's name is added.
    ///   - overwrites: Whether to replace an existing file; otherwise the start throws an error.
    ///   - isPattern: Whether the path has conversions of `strftime` for the file's local start time, such as `%Y/%m-%d_%H%M%S.m4a`.
    ///     Missing folders are created.
    public static func file(
        _ path: String, format: AudioFileFormat? = nil, tags: AudioTags = AudioTags(), overwrites: Bool = false, isPattern: Bool = false
    ) -> RecorderSink {
        let format = format ?? AudioFileFormat(path: path)
        if let format, format.isPCM, format != .caf {
            return .samples(to: PCMFileSink(path: path, file: format, tags: tags, overwrites: overwrites, isPattern: isPattern))
        }
        return .accessUnits(
            to: ContainerFileSink(path: path, container: format, tags: tags, overwrites: overwrites, isPattern: isPattern))
    }

    /// Returns the sinks of one M4A file with a track per source.
    ///
    /// Players show the names of the tracks. Apple's players play all tracks together; others play the first or let the user choose. If the
    /// program is killed, each track is playable up to its last second.
    ///
    /// - Parameters:
    ///   - path: The file path; `-` for standard output.
    ///   - names: The names of the sources, which also name their tracks.
    ///   - format: M4A or fragmented M4A (default: from the extension).
    ///   - tags: The tags. Those that M4A does not support are dropped; the encoder's name is added.
    ///   - overwrites: Whether to replace an existing file; otherwise the start throws an error.
    /// - Returns: One sink per name. The file is complete when all of them are.
    public static func tracks(
        _ path: String, names: [String], format: AudioFileFormat? = nil, tags: AudioTags = AudioTags(), overwrites: Bool = false
    ) -> [RecorderSink] {
        let container = format ?? (path == "-" ? .fragmentedM4A : AudioFileFormat(path: path))
        return TrackSink.sinks(path: path, container: container, names: names, tags: tags, overwrites: overwrites)
            .enumerated().map { .signal(.source(names[$0]), .accessUnits(to: $1)) }
    }

    /// Returns a sink that passes samples to a closure.
    ///
    /// - Parameters:
    ///   - name: The display name.
    ///   - body: Receives the samples on a dedicated thread. An error that it throws ends the sink.
    public static func samples(name: String = "closure", _ body: @escaping @Sendable (PCMBuffer) throws -> Void) -> RecorderSink {
        .samples(to: ClosureSink(name: name, body: body))
    }

    /// Returns a sink that passes access units to a closure.
    ///
    /// - Parameters:
    ///   - name: The display name.
    ///   - body: Receives the access units on a dedicated thread. An error that it throws ends the sink.
    public static func accessUnits(name: String = "closure", _ body: @escaping @Sendable (AccessUnit) throws -> Void) -> RecorderSink {
        .accessUnits(to: ClosureSink(name: name, body: body))
    }

    package var name: String {
        switch self {
        case .samples(let sink): sink.name
        case .accessUnits(let sink): sink.name
        case .signal(_, let sink): sink.name
        }
    }

    /// The sink, if it can store marks.
    package var markable: (any MarkableSink)? {
        switch self {
        case .samples(let sink): sink as? any MarkableSink
        case .accessUnits(let sink): sink as? any MarkableSink
        case .signal(_, let sink): sink.markable
        }
    }

    /// The recorded signal, and the destination itself.
    var parts: (signal: RecordedSignal, destination: RecorderSink) {
        if case .signal(let signal, let sink) = self { (signal, sink.parts.destination) } else { (.channels, self) }
    }

    func begin(_ format: RecordingFormat) throws {
        switch self {
        case .samples(let sink): try sink.begin(format)
        case .accessUnits(let sink): try sink.begin(format)
        case .signal(_, let sink): try sink.begin(format)
        }
    }

    /// Ends the sink without a recording.
    func discard() throws {
        switch self {
        case .samples(let sink as any DiscardableSink): try sink.discard()
        case .accessUnits(let sink as any DiscardableSink): try sink.discard()
        case .samples(let sink): try sink.finish()
        case .accessUnits(let sink): try sink.finish(nil)
        case .signal(_, let sink): try sink.discard()
        }
    }
}
