// SPDX-License-Identifier: Apache-2.0

/// An audio system that captures audio.
///
/// To support a new system, implement this protocol. For audio that a program already has, conform to ``PCMSource`` instead.
///
/// **Contract**
///
/// - *Threads.* ``start(_:into:)`` and ``stop()`` are called by one thread at a time, which is never a thread of the backend. After `start`
///   has returned, or earlier, the backend calls ``CaptureInput/write(_:hostTime:)`` and ``CaptureInput/writeBreak()`` from one thread at a
///   time. It may call ``CaptureInput/report(_:)`` from any thread.
/// - *Real time.* The `write` methods do not allocate, lock or wait. The backend should not do so around them either, if the system
///   permits. `report` takes a lock for a short time and must not be called on a real-time thread.
/// - *Buffers.* Bytes passed to `write` belong to the backend and are read only during the call. They consist of any number of whole
///   interleaved frames in the format passed to ``CaptureInput/prepare(_:)``.
/// - *Start.* Opens the device, calls `prepare` once with the actual format, and returns when audio is about to arrive. If that is
///   impossible, throws within a few seconds and leaves nothing open. Gives up early if ``CaptureInput/isCancelled``.
/// - *Stop.* Always permitted, even before a start. When it returns, all captured audio has been written, no further calls follow, and the
///   device is closed.
/// - *Timestamps.* A host time is a frame's capture time in nanoseconds of `DispatchTime`, from the system's own timing information; 0 if
///   unknown. Host times may jitter and step back: the capture smooths them.
/// - *Events.* Everything except audio is a ``BackendNotice``. Where an unknown number of frames may be missing, the backend calls
///   `writeBreak` before the next `write`. A backend never reconnects and never replaces a lost device with silence: it reports the loss
///   and is started again.
public protocol CaptureBackend: AnyObject, Sendable {
    /// The audio system.
    var kind: AudioBackendKind { get }

    /// Returns the system's current inputs and outputs.
    ///
    /// - Throws: ``DeviceError`` if the system is not available.
    func devices() throws(DeviceError) -> [AudioDevice]

    /// Opens a device and starts writing its audio to `input`.
    ///
    /// - Parameters:
    ///   - configuration: The device and the requested format.
    ///   - input: The destination of audio and notices.
    /// - Throws: ``DeviceError`` if the device cannot be opened.
    func start(_ configuration: CaptureConfiguration, into input: CaptureInput) throws(DeviceError)

    /// Stops the audio and closes the device.
    func stop()
}

/// A backend of this module, with more information and optional state between two openings.
package protocol SystemCaptureBackend: CaptureBackend {
    /// Whether a permanent increase of arrival times reveals a loss that the system did not report. Valid after a start.
    var hasReliableArrivalTimes: Bool { get }

    /// Stops the audio and closes the device before a reopening. ``start(_:into:)`` or ``stop()`` must follow.
    ///
    /// A backend may keep resources that it could not reacquire later, such as an audio session. Until the next call it may report
    /// ``BackendNotice/available``, ``BackendNotice/interruptionEnded(shouldResume:)``, ``BackendNotice/muted(_:)``, and added, removed or
    /// new default devices.
    func suspend()
}

extension SystemCaptureBackend {
    /// False: the system reports its losses, or its audio may be late for other reasons.
    package var hasReliableArrivalTimes: Bool { false }

    /// Stops the backend, keeping nothing.
    package func suspend() { stop() }
}

extension CaptureBackend {
    /// Whether late audio reveals a loss.
    var revealsLoss: Bool { (self as? any SystemCaptureBackend)?.hasReliableArrivalTimes ?? false }

    /// Closes a device before a reopening.
    func stopForNow() {
        if let system = self as? any SystemCaptureBackend { system.suspend() } else { stop() }
    }
}
