// SPDX-License-Identifier: Apache-2.0

public import AudioMetadata
public import AudioPrimitives
internal import PCMFiles

/// A destination of the samples of a recording.
///
/// Each sink has a thread of its own, which calls all methods in order: a slow or failing sink doesn't affect the others. An error ends this
/// sink only.
public protocol PCMSink: AnyObject, Sendable {
    /// The name to show in messages.
    var name: String { get }

    /// Opens the sink.
    ///
    /// - Throws: Any error; ``Recorder/start()`` then throws it, and nothing is recorded.
    func begin(_ format: RecordingFormat) throws

    /// Accepts the next samples, as they are encoded.
    func append(_ buffer: PCMBuffer) throws

    /// Completes and closes the sink.
    func finish() throws
}

/// A destination of the access units of a recording.
///
/// Each sink has a thread of its own, which calls all methods in order: a slow or failing sink doesn't affect the others. An error ends this
/// sink only.
public protocol AccessUnitSink: AnyObject, Sendable {
    /// The name to show in messages.
    var name: String { get }

    /// Opens the sink.
    ///
    /// - Throws: Any error; ``Recorder/start()`` then throws it, and nothing is recorded.
    func begin(_ format: RecordingFormat) throws

    /// Accepts the next access unit.
    func append(_ unit: AccessUnit) throws

    /// Completes and closes the sink.
    ///
    /// - Parameter gaplessInfo: The priming and padding of the access units, in sample frames of the output rate; nil if nothing was encoded.
    func finish(_ gaplessInfo: GaplessInfo?) throws
}

/// A sink that a recording which doesn't begin, as when another sink can't be opened, ends in another way than by completing it.
package protocol DiscardableSink {
    /// Removes the file.
    func discard() throws
}

/// A sink whose ``AccessUnitSink/append(_:)`` returns at once, as one that has a queue of its own.
///
/// It is called on the recorder's thread, which must not wait, instead of a thread of the sink.
package protocol NonblockingAccessUnitSink: AccessUnitSink {
    /// Waits until the next unit has room; for recordings that wait for their sinks.
    func waitForRoom()
}

/// A destination of a recording.
///
/// ```swift
/// let recorder = Recorder(sinks: [.file("talk.m4a"), .file("talk.wav"), .accessUnits { unit in send(unit) }])
/// ```
public enum RecorderSink: Sendable {
    /// A destination of samples.
    case samples(to: any PCMSink)
    /// A destination of access units.
    case accessUnits(to: any AccessUnitSink)

    /// A file in the format of its extension.
    ///
    /// The extensions `aac`, `adts`, `m4a`, `m4b`, `mp4`, `caf`, `loas`, `latm` and `ts` stand for AAC; those of ``/AudioPrimitives/AudioFileFormat`` for
    /// PCM. With any other extension, ``Recorder/start()`` throws ``/AudioDevices/DeviceError/unsupportedFileExtension(path:)``.
    ///
    /// - Parameters:
    ///   - path: The path of the file; `-` for standard output.
    ///   - format: The format; nil for that of the extension. CAF holds AAC.
    ///   - tags: Title, artist and so on, as far as the format can store them; the encoder's name is added.
    ///   - overwrites: Whether to replace an existing file; otherwise the start throws an error.
    public static func file(
        _ path: String, format: AudioFileFormat? = nil, tags: AudioTags = AudioTags(), overwrites: Bool = false
    ) -> RecorderSink {
        let format = format ?? AudioFileFormat(path: path)
        if let format, format.isPCM, format != .caf {
            return .samples(to: PCMFileSink(path: path, file: format, tags: tags, overwrites: overwrites))
        }
        return .accessUnits(to: ContainerFileSink(path: path, container: format, tags: tags, overwrites: overwrites))
    }

    /// A function that receives the samples.
    ///
    /// - Parameters:
    ///   - name: The name to show in messages.
    ///   - body: Receives the samples on a thread of the sink; an error that it throws ends the sink.
    public static func samples(name: String = "closure", _ body: @escaping @Sendable (PCMBuffer) throws -> Void) -> RecorderSink {
        .samples(to: ClosureSink(name: name, body: body))
    }

    /// A function that receives the access units.
    ///
    /// - Parameters:
    ///   - name: The name to show in messages.
    ///   - body: Receives the access units on a thread of the sink; an error that it throws ends the sink.
    public static func accessUnits(name: String = "closure", _ body: @escaping @Sendable (AccessUnit) throws -> Void) -> RecorderSink {
        .accessUnits(to: ClosureSink(name: name, body: body))
    }

    /// The name to show in messages.
    package var name: String {
        switch self {
        case .samples(let sink): sink.name
        case .accessUnits(let sink): sink.name
        }
    }

    /// Opens the sink.
    func begin(_ format: RecordingFormat) throws {
        switch self {
        case .samples(let sink): try sink.begin(format)
        case .accessUnits(let sink): try sink.begin(format)
        }
    }

    /// Ends the sink without a recording.
    func discard() throws {
        switch self {
        case .samples(let sink as any DiscardableSink): try sink.discard()
        case .accessUnits(let sink as any DiscardableSink): try sink.discard()
        case .samples(let sink): try sink.finish()
        case .accessUnits(let sink): try sink.finish(nil)
        }
    }
}
