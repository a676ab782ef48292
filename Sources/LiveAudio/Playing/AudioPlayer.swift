// SPDX-License-Identifier: Apache-2.0

public import AudioDevices
internal import AudioPrimitives
internal import Dispatch
public import PCMFiles

/// Plays files and other sources on an output device, one after the other and without a gap.
///
/// ```swift
/// let player = AudioPlayer([try AudioFile(path: "one.flac"), try AudioFile(path: "two.flac")])
/// try await player.play()
/// ```
///
/// The first sample of a source follows the last one of its predecessor if both have the same sample rate and channels: the device stays open,
/// and nothing changes the samples. For a source of another format the device is opened again, once everything before has been played, which
/// takes a moment: audio is never resampled here.
///
/// All members may be used from any thread and task; none of them blocks. A thread of the player reads the sources and feeds the device.
/// Orders take effect within 50 ms, unless a source takes longer to return the audio that was asked for.
public final class AudioPlayer: Sendable {
    private let control = PlaybackControl()
    private let settings: PlaybackEngine.Settings

    /// Creates a player; the device is opened by ``play()``.
    ///
    /// - Parameters:
    ///   - sources: The sources to play, each from its current position on. They belong to the player from now on.
    ///   - bufferDuration: The length of the audio that waits in the device.
    ///   - device: The identifier of the device; nil for the system's default.
    ///   - backend: The system; nil for the first one that has an output.
    public convenience init(
        _ sources: sending [any PlayableSource] = [], bufferDuration: Duration = .milliseconds(500), device: String? = nil,
        backend: AudioBackendKind? = nil
    ) {
        self.init(sources, bufferDuration: bufferDuration, device: device) { configuration throws(DeviceError) in
            try configuration.open(backend)
        }
    }

    /// Creates a player that opens its devices by a function.
    package init(
        _ sources: sending [any PlayableSource], bufferDuration: Duration = .milliseconds(500), device: String? = nil,
        open: @escaping PlaybackEngine.Opening
    ) {
        settings = PlaybackEngine.Settings(bufferDuration: bufferDuration, device: device, open: open)
        control.enqueue(sources)
    }

    /// Adds a source to the end of the queue, to be played from its current position on; it belongs to the player from now on.
    ///
    /// A source that is added before the last one has been read follows it without a gap. After ``play()`` has returned, it waits for the next
    /// call.
    public func enqueue(_ source: sending any PlayableSource) { control.enqueue([source]) }

    // MARK: Playing

    /// Plays everything in the queue; resumes after a pause.
    ///
    /// Returns when everything has been played, or after ``stop()``: at once if the queue is empty. When the calling task is cancelled meanwhile,
    /// playback stops. A call while playback runs waits for the same end.
    ///
    /// - Throws: ``/AudioDevices/DeviceError`` if the device can't be opened or is lost: the sources that were not played to their end stay in
    ///   the queue, for another call. ``/AudioDevices/DeviceError/playback(_:)`` if a source can't be read: what precedes the error has been played, and
    ///   what follows the source stays in the queue.
    public func play() async throws(DeviceError) {
        while !Task.isCancelled {
            guard let (run, state) = control.join() else { return }
            if state == .new { start(run) }
            let error = await withTaskCancellationHandler {
                await run.wait()
            } onCancel: {
                control.stop(run)
            }
            // After a run that was stopped already, what was enqueued since then waits.
            if state == .ending { continue }
            if let error { throw error }
            return
        }
    }

    /// Starts the thread of a run.
    private func start(_ run: PlaybackControl.Run) {
        let (control, settings) = (control, settings)
        DispatchQueue(label: "linnet.player", qos: .userInteractive).async {
            let error = PlaybackEngine(control, settings).run()
            control.end(run)
            run.fulfill(error)
        }
    }

    /// Pauses; what waits in the device is played after ``play()``.
    public func pause() { isPaused = true }

    /// Whether playback is paused.
    ///
    /// Set to false, it resumes a playback that was paused, but starts none. On iOS the system pauses too: when headphones are disconnected,
    /// and after an interruption for which it advises against going on.
    public var isPaused: Bool {
        get { control.isPaused }
        set { control.isPaused = newValue }
    }

    /// Continues at a time of the current source, also during a pause.
    ///
    /// ``position`` is the new time at once. Without effect before ``play()``, and on a source that can't be read from there, such as a pipe.
    ///
    /// - Parameter time: The time in the source; negative for its start, and at most its end.
    public func seek(to time: Duration) { control.seek(to: max(.zero, time)) }

    /// Discards the rest of the current source and continues with the next one.
    public func skip() { control.skip() }

    /// Stops at once, discards everything in the queue and closes the device.
    public func stop() { control.stop() }

    // MARK: State

    /// The index of the current source, which is the one that is heard: the number of sources that were enqueued before it.
    public var currentIndex: Int { control.progress.index }

    /// The time in the current source that is heard now.
    public var position: Duration { control.progress.position }

    /// The length of the current source; nil if it is unknown.
    public var duration: Duration? { control.progress.duration }

    /// Whether the system interrupts playback on behalf of another program, such as a call.
    public var isInterrupted: Bool { control.progress.isInterrupted }
}
