// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
public import AudioDevices
public import AudioPrimitives

/// Records audio from a device or a program to files, functions and streams, as AAC and as PCM.
///
/// To files, until it is stopped:
///
/// ```swift
/// let recorder = Recorder(RecorderConfiguration(preset: .high), sinks: [.file("talk.m4a"), .file("talk.wav")])
/// try await recorder.start()
/// try await Task.sleep(for: .seconds(5))
/// let summary = await recorder.stop()
/// ```
///
/// To a socket, as an ADTS stream:
///
/// ```swift
/// for try await frame in Recorder().bytes(in: .adts) { try socket.send(frame) }
/// ```
///
/// A recorder records once. All members may be used from any thread and task, at any time; none of the asynchronous ones blocks a thread. A
/// recorder that is deallocated while it records stops: the audio captured so far is written, and the files are completed.
public final class Recorder: Sendable {
    private let session: RecorderSession

    /// Creates a recorder; nothing is opened yet.
    ///
    /// - Parameters:
    ///   - configuration: The settings of the recording.
    ///   - source: The system to capture through, or what takes its place.
    ///   - sinks: The destinations of the recording; may be empty for a recording that only streams are read from.
    public init(
        _ configuration: RecorderConfiguration = RecorderConfiguration(), source: CaptureSource = .system, sinks: [RecorderSink] = []
    ) {
        session = RecorderSession(configuration, source: source, sinks: sinks)
    }

    deinit { session.requestStop() }

    // MARK: Start and end

    /// Opens the device and all sinks, and starts to record.
    ///
    /// A second call waits for the start in progress, and has the same outcome. When the calling task is cancelled meanwhile, the recording
    /// stops.
    ///
    /// - Throws: ``/AudioDevices/DeviceError`` with the first error of the device, the encoder or a sink; nothing is left open then.
    ///   ``/AudioDevices/DeviceError/cancelled`` if the recording was stopped meanwhile.
    public func start() async throws(DeviceError) { try await session.start() }

    /// Ends the recording, and waits until all captured audio is encoded and written.
    ///
    /// May be called while ``start()`` is in progress, and any number of times. Before the start it does nothing.
    @discardableResult
    public func stop() async -> RecordingSummary { await session.stop() }

    /// Waits until the recording has ended: by ``stop()``, by its duration, by the end of a file, or by an error of the device.
    ///
    /// Returns at once before the start.
    @discardableResult
    public func waitUntilFinished() async -> RecordingSummary { await session.waitUntilFinished() }

    /// Reopens the device after an interruption, where ``/AudioDevices/CaptureConfiguration/recovery`` leaves that to the program.
    public func resumeCapture() { session.capture.resume() }

    // MARK: Streams

    /// The access units from now on; each access creates a stream for one reader.
    ///
    /// The first iteration starts the recording if it hasn't started, and throws the error of the start; later ones throw the error of the
    /// device or the encoder that ended the recording. A stream buffers the newest 1024 access units, more than 20 s: a slower reader never
    /// delays the recording, but misses the oldest ones, which shows in the presentation times.
    ///
    /// Access the property before the start: a recording that has neither a stream nor a sink for access units at its start doesn't encode.
    public var accessUnits: some AsyncSequence<AccessUnit, DeviceError> & Sendable { recordedUnits }

    /// The access units from now on.
    private var recordedUnits: RecordedAccessUnits { RecordedAccessUnits(recorder: self, stream: session.accessUnits.stream()) }

    /// Returns the recording as the bytes of a container from now on, one element for each write; a stream for one reader.
    ///
    /// The same rules apply as for ``accessUnits``.
    ///
    /// - Parameter format: A container that can be streamed: ADTS, LOAS, or M4A, which is written in fragments. With ADTS and LOAS, an element is
    ///   one frame. With any other container, the first iteration throws ``/AudioDevices/DeviceError/encoding(_:)``.
    public func bytes(in format: AudioFileFormat = .adts) -> some AsyncSequence<[UInt8], DeviceError> & Sendable {
        RecordedBytes(units: recordedUnits, format: format)
    }

    /// Returns the levels of consecutive intervals of the recording; a stream for one reader, which gets the latest value if it is slow.
    ///
    /// - Parameter interval: The length of an interval, rounded up to whole buffers.
    public func levels(every interval: Duration = .milliseconds(100)) -> AsyncStream<AudioLevels> { session.levels.stream(every: interval) }

    /// The events from now on; each access creates a stream for one reader.
    ///
    /// A stream buffers the newest 1024 events: a slow reader never delays the recording. It ends after ``RecorderEvent/finished(_:)``.
    public var events: AsyncStream<RecorderEvent> { session.events.stream() }

    // MARK: State

    /// Whether audio is left out: the recording continues without a gap afterwards.
    public var isPaused: Bool {
        get { session.isPaused }
        set { session.isPaused = newValue }
    }

    /// Whether silence is recorded in place of captured audio.
    public var isMuted: Bool {
        get { session.capture.isMuted }
        set { session.capture.isMuted = newValue }
    }

    /// The target bit rate, in bits per second; nil before the start and at constant quality.
    public var bitRate: Int? { session.bitRate }

    /// The bit rates that can be set, in bits per second; nil before the start and at constant quality.
    public var supportedBitRates: ClosedRange<Int>? { session.supportedBitRates }

    /// Changes the target bit rate during the recording, without a gap.
    ///
    /// The rate holds from the next captured buffer on, and ``RecorderEvent/bitRateChanged(_:)`` follows then; of several rates set before it,
    /// the last. Nothing else of ``format`` changes, so all sinks continue. In HE-AAC the frequency range of the first rate remains:
    /// see ``/AACCodec/AACEncoder/setBitRate(_:)``.
    ///
    /// - Parameter bitRate: The bit rate, in bits per second.
    /// - Throws: ``/AudioDevices/DeviceError/notRecording`` before the start and after the end; ``/AudioDevices/DeviceError/encoding(_:)`` if the bit rate is outside
    ///   ``supportedBitRates``, or at constant quality.
    public func setBitRate(_ bitRate: Int) throws(DeviceError) { try session.setBitRate(bitRate) }

    /// The state of the capture.
    package var captureState: CaptureState { session.capture.state }

    /// The actual format of the device; nil before the start.
    package var captureFormat: CaptureFormat? { session.capture.format }

    /// The format of the recording; nil before the start.
    public var format: RecordingFormat? { session.format }

    /// The current or final state of the recording.
    public var summary: RecordingSummary { session.summary }
}

/// The former name of ``/AudioDevices/DeviceError``.
@available(*, deprecated, renamed: "DeviceError")
public typealias LiveAudioError = DeviceError
