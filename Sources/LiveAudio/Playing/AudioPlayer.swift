// SPDX-License-Identifier: Apache-2.0

public import AudioDevices
internal import AudioPrimitives
internal import Dispatch
public import PCMFiles

/// Plays files and other sources on an output device, in order and without gaps.
///
/// ```swift
/// let player = AudioPlayer([try AudioFile(path: "one.flac"), try AudioFile(path: "two.flac")])
/// try await player.play()
/// ```
///
/// If two consecutive sources have the same sample rate and channel count, the device stays open: the first sample of one directly follows
/// the last sample of the other, unmodified. Before a source with another format the player lets all audio finish and reopens the device,
/// which takes a moment. It never resamples.
///
/// All members may be used from any thread and task; none of them blocks. A dedicated thread reads the sources and feeds the device.
/// Commands take effect within 50 ms, unless a source takes longer to return requested audio.
public final class AudioPlayer: Sendable {
    private let control = PlaybackControl()
    private let settings: PlaybackEngine.Settings

    /// Creates a player.
    ///
    /// ``play()`` opens the device.
    ///
    /// - Parameters:
    ///   - sources: The sources to play, each from its current position. They then belong to the player.
    ///   - bufferDuration: The duration of the device's buffer.
    ///   - device: The device identifier; `nil` selects the system's default.
    ///   - backend: The audio backend; `nil` selects the first one with an output.
    public convenience init(
        _ sources: sending [any PlayableSource] = [], bufferDuration: Duration = .milliseconds(500), device: String? = nil,
        backend: AudioBackendKind? = nil
    ) {
        self.init(sources, bufferDuration: bufferDuration, device: device) { configuration throws(DeviceError) in
            try configuration.open(backend)
        }
    }

    /// Creates a player that opens devices with a function.
    package init(
        _ sources: sending [any PlayableSource], bufferDuration: Duration = .milliseconds(500), device: String? = nil,
        open: @escaping PlaybackEngine.Opening
    ) {
        settings = PlaybackEngine.Settings(bufferDuration: bufferDuration, device: device, open: open)
        control.enqueue(sources)
    }

    /// Adds a source to the end of the queue.
    ///
    /// It plays from its current position and then belongs to the player. A source added before the last one has been read follows it
    /// without a gap. After ``play()`` has returned, it waits for the next call.
    public func enqueue(_ source: sending any PlayableSource) { control.enqueue([source]) }

    // MARK: Playing

    /// Plays the queue, or resumes after a pause.
    ///
    /// Returns when everything has been played or after ``stop()``; at once if the queue is empty. Cancelling the calling task stops
    /// playback. A call during playback waits for the same end.
    ///
    /// - Throws: ``/AudioDevices/DeviceError`` if the device cannot be opened or is lost; unfinished sources stay in the queue for the next
    ///   call. ``/AudioDevices/DeviceError/playback(_:)`` if a source cannot be read; the preceding audio has been played, and the
    ///   following sources stay in the queue.
    public func play() async throws(DeviceError) {
        while !Task.isCancelled {
            guard let (run, state) = control.join() else { return }
            if state == .new { start(run) }
            let error = await withTaskCancellationHandler {
                await run.wait()
            } onCancel: {
                control.stop(run)
            }
            // The run was already being stopped. Sources enqueued since then need a new one.
            if state == .ending { continue }
            if let error { throw error }
            return
        }
    }

    private func start(_ run: PlaybackControl.Run) {
        let (control, settings) = (control, settings)
        DispatchQueue(label: "linnet.player", qos: .userInteractive).async {
            let error = PlaybackEngine(control, settings).run()
            control.end(run)
            run.fulfill(error)
        }
    }

    /// Pauses playback.
    ///
    /// ``play()`` resumes with the audio in the device's buffer.
    public func pause() { isPaused = true }

    /// Whether playback is paused.
    ///
    /// Setting it to false resumes paused playback but does not start playback. On iOS the system also pauses: when headphones are
    /// disconnected, and after an interruption that should not resume.
    public var isPaused: Bool {
        get { control.isPaused }
        set { control.isPaused = newValue }
    }

    /// Seeks in the current source, also during a pause.
    ///
    /// ``position`` changes at once. Has no effect before ``play()`` or on a source that is not seekable, such as a pipe.
    ///
    /// - Parameter time: The time in the source, clamped to its start and end.
    public func seek(to time: Duration) { control.seek(to: max(.zero, time)) }

    /// Skips to the next source.
    public func skip() { control.skip() }

    /// Stops at once, clears the queue and closes the device.
    public func stop() { control.stop() }

    // MARK: State

    /// The index of the audible source, in the order of enqueueing.
    public var currentIndex: Int { control.progress.index }

    /// The audible position in the current source.
    public var position: Duration { control.progress.position }

    /// The duration of the current source, if known.
    public var duration: Duration? { control.progress.duration }

    /// Whether the system interrupts playback, for example for a call.
    public var isInterrupted: Bool { control.progress.isInterrupted }
}
