// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
public import AudioDevices
public import AudioPrimitives

/// Records audio from a device or a program to files, closures and streams, as AAC, Opus or PCM.
///
/// To record to files until stopped:
///
/// ```swift
/// let recorder = Recorder(RecorderConfiguration(preset: .high), sinks: [.file("talk.m4a"), .file("talk.wav")])
/// try await recorder.start()
/// try await Task.sleep(for: .seconds(5))
/// let summary = await recorder.stop()
/// ```
///
/// To send an ADTS stream to a socket:
///
/// ```swift
/// for try await frame in Recorder().bytes(in: .adts) { try socket.send(frame) }
/// ```
///
/// A recorder records once. All members may be used from any thread and task at any time; the asynchronous ones do not block threads. A
/// recorder that is deallocated while recording stops, writes the audio captured so far and completes its files.
public final class Recorder: Sendable {
    private let session: RecorderSession

    /// Creates a recorder.
    ///
    /// Opens nothing yet.
    ///
    /// - Parameters:
    ///   - configuration: The recording's settings.
    ///   - source: The backend to capture through, or a replacement for a device.
    ///   - sinks: The destinations; may be empty if only streams are read.
    public init(
        _ configuration: RecorderConfiguration = RecorderConfiguration(), source: CaptureSource = .system, sinks: [RecorderSink] = []
    ) {
        let source = RecorderSource("", source: source, capture: configuration.capture)
        session = RecorderSession(configuration, sources: [source], sinks: sinks)
    }

    /// Creates a recorder of several sources, such as a microphone and the system's audio.
    ///
    /// The recording starts with the first source, and follows its clock while it runs, and then the host clock. The other sources are
    /// aligned by host time and resampled by their measured drift. Sources that can wait, such as files, are read as needed. The recording
    /// ends when all sources with a clock have ended, or all if none has one.
    ///
    /// - Parameters:
    ///   - configuration: The recording's settings. Its capture settings do not apply.
    ///   - sources: At least one source, with different names.
    ///   - sinks: The destinations, each with its ``RecordedSignal``; may be empty if only streams are read.
    public init(_ configuration: RecorderConfiguration = RecorderConfiguration(), sources: [RecorderSource], sinks: [RecorderSink] = []) {
        precondition(!sources.isEmpty && Set(sources.map(\.name)).count == sources.count, "sources need different names")
        session = RecorderSession(configuration, sources: sources, sinks: sinks)
    }

    deinit { session.requestStop() }

    // MARK: Start and end

    /// Opens the device and all sinks, and starts recording.
    ///
    /// A second call waits for the start in progress and has the same outcome. Cancelling the calling task meanwhile stops the recording.
    ///
    /// - Throws: The first ``/AudioDevices/DeviceError`` of the device, the encoder or a sink; everything is closed then.
    ///   ``/AudioDevices/DeviceError/cancelled`` if the recording was stopped meanwhile.
    public func start() async throws(DeviceError) { try await session.start() }

    /// Ends the recording, and waits until all captured audio is encoded and written.
    ///
    /// May be called during ``start()``, and any number of times. Does nothing before the start.
    @discardableResult
    public func stop() async -> RecordingSummary { await session.stop() }

    /// Waits until the recording has ended through ``stop()``, its duration, the end of the source, or a device error.
    ///
    /// Returns at once before the start.
    @discardableResult
    public func waitUntilFinished() async -> RecordingSummary { await session.waitUntilFinished() }

    /// Reopens the device after an interruption if ``/AudioDevices/CaptureConfiguration/recovery`` leaves that to the program.
    public func resumeCapture() {
        for capture in session.captures { capture.resume() }
    }

    // MARK: Streams

    /// A new stream of the subsequent access units.
    ///
    /// Each access creates a stream for one reader. The first iteration starts the recording if necessary and throws errors of the start.
    /// Later iterations throw the device or encoder error that ended the recording. A stream buffers the newest 1024 access units, more
    /// than 20 s. A slower reader never delays the recording; it misses the oldest access units, visible as a gap in the presentation
    /// times.
    ///
    /// Access the property before the start: a recording that starts without such a stream and without a sink for access units does not
    /// encode.
    public var accessUnits: some AsyncSequence<AccessUnit, DeviceError> & Sendable { recordedUnits }

    private var recordedUnits: RecordedElements<AccessUnit> { RecordedElements(recorder: self, stream: session.accessUnits.stream()) }

    /// Returns the events of the stream of ``speech(of:blockDuration:sampleRate:)``.
    func speechEvents(of source: String?, blockDuration: Duration, sampleRate: Int) -> RecordedElements<SpeechBroadcaster.Event> {
        RecordedElements(recorder: self, stream: session.speech.stream(of: source, blockDuration: blockDuration, sampleRate: sampleRate))
    }

    /// Returns the subsequent recording as the bytes of a container, one element per write, for one reader.
    ///
    /// The rules of ``accessUnits`` apply.
    ///
    /// - Parameter format: A container that pipes can have, such as ADTS, LOAS, fragmented M4A, MPEG-TS or Ogg. With ADTS and LOAS an element
    ///   is one frame. With any other container, the first iteration throws ``/AudioDevices/DeviceError/encoding(_:)``.
    public func bytes(in format: AudioFileFormat = .adts) -> some AsyncSequence<[UInt8], DeviceError> & Sendable {
        RecordedBytes(accessUnits: recordedUnits, format: format)
    }

    /// Returns the levels of consecutive intervals for one reader.
    ///
    /// A slow reader gets the latest value.
    ///
    /// - Parameter interval: The interval, rounded up to whole buffers.
    public func levels(every interval: Duration = .milliseconds(100)) -> AsyncStream<AudioLevels> { session.levels.stream(every: interval) }

    /// A new stream of the subsequent events.
    ///
    /// Each access creates a stream for one reader. A stream buffers the newest 1024 events, so a slow reader never delays the recording.
    /// It ends after ``RecorderEvent/finished(_:)``.
    public var events: AsyncStream<RecorderEvent> { session.events.stream() }

    // MARK: State

    /// Whether audio is skipped.
    ///
    /// Afterwards the recording continues without a gap.
    public var isPaused: Bool {
        get { session.isPaused }
        set { session.isPaused = newValue }
    }

    /// Whether silence is recorded instead of captured audio.
    public var isMuted: Bool {
        get { session.captures.allSatisfy(\.isMuted) }
        set { for capture in session.captures { capture.isMuted = newValue } }
    }

    /// The target bit rate, in bits per second; `nil` before the start and at constant quality.
    public var bitRate: Int? { session.bitRate }

    /// The bit rates that can be set, in bits per second; `nil` before the start and at constant quality.
    public var supportedBitRates: ClosedRange<Int>? { session.supportedBitRates }

    /// Changes the target bit rate during the recording, without a gap.
    ///
    /// The rate applies from the next captured buffer, followed by ``RecorderEvent/bitRateChanged(_:)``. The last of several requests wins.
    /// The rest of ``format`` stays unchanged, so all sinks continue. HE-AAC keeps the frequency range of its first rate; see
    /// ``/AACCodec/AACEncoder/setBitRate(_:)``.
    ///
    /// - Parameter bitRate: The bit rate, in bits per second.
    /// - Throws: ``/AudioDevices/DeviceError/notRecording`` before the start and after the end; ``/AudioDevices/DeviceError/encoding(_:)``
    ///   if the bit rate is outside ``supportedBitRates``, or at constant quality.
    public func setBitRate(_ bitRate: Int) throws(DeviceError) { try session.setBitRate(bitRate) }

    /// Marks the current position of the recording, for example a topic of a talk.
    ///
    /// The mark becomes a chapter of M4A, Opus, WAV, AIFF and FLAC files, and a value of ``RecordingSummary/marks``. While the recording is paused,
    /// the mark is at the position of the pause. Before the start and after the end the call does nothing; otherwise
    /// ``RecorderEvent/marked(_:)`` follows.
    ///
    /// - Parameter title: The title of the chapter; `nil` for "Mark" with its number.
    public func addMark(_ title: String? = nil) { session.addMark(title) }

    package var captureStates: [CaptureState] { session.captures.map(\.state) }

    /// The actual format of each source's device; `nil` before the start.
    package var captureFormats: [CaptureFormat?] { session.captures.map(\.format) }

    /// The actual format of the first source's device; `nil` before the start.
    package var captureFormat: CaptureFormat? { session.captures[0].format }

    /// The recording's format; `nil` before the start.
    public var format: RecordingFormat? { session.format }

    /// The current or final state of the recording.
    public var summary: RecordingSummary { session.summary }
}

/// The former name of ``/AudioDevices/DeviceError``.
@available(*, deprecated, renamed: "DeviceError")
public typealias LiveAudioError = DeviceError
