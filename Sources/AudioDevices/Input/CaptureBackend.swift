// SPDX-License-Identifier: Apache-2.0

/// An audio system that audio is captured through.
///
/// A new system needs one type that conforms to this protocol. For audio that a program has already, conform to ``PCMSource`` instead.
///
/// **Contract**
///
/// - *Threads.* ``start(_:into:)`` and ``stop()`` are called by one thread at a time, which is never a thread of the backend itself. After
///   `start` has returned, the backend calls ``CaptureInput/write(_:hostTime:)`` and ``CaptureInput/writeBreak()`` from
///   one thread at a time; it may begin before `start` returns. It calls ``CaptureInput/report(_:)`` from
///   any thread.
/// - *Real time.* The `write` methods don't allocate, lock or wait, and the backend does neither around them as far as the system
///   permits. `report` takes a lock for a short time: it must not be called on a real-time thread.
/// - *Buffers.* Bytes passed to `write` belong to the backend and are read during the call only. They are whole interleaved frames in the
///   format passed to ``CaptureInput/prepare(_:)``, of any number.
/// - *Start.* Opens the device anew, calls `prepare` once with the actual format, and returns when audio is about to arrive. It throws
///   within a few seconds if that is impossible, and leaves nothing open then; it ends early if ``CaptureInput/isCancelled``.
/// - *Stop.* Always permitted, also before a start. When it returns, all captured audio has been written, no further call will come, and the
///   device is closed.
/// - *Timestamps.* A host time is the time at which a frame was captured, in nanoseconds of `DispatchTime`, from the system's own timing information; 0 if it
///   is unknown. Host times may jitter and step back: capture smooths them.
/// - *Events.* Anything other than audio is a ``BackendNotice``. Where an unknown number of frames may be missing, the backend calls
///   `writeBreak` before the next `write`. A backend never reconnects and never replaces a lost device by silence: it reports the loss, and
///   is started again.
public protocol CaptureBackend: AnyObject, Sendable {
    /// The system.
    var kind: AudioBackendKind { get }

    /// Returns the inputs and outputs that the system has now.
    ///
    /// - Throws: ``DeviceError`` if the system isn't available.
    func devices() throws(DeviceError) -> [AudioDevice]

    /// Opens a device and starts writing its audio to `input`.
    ///
    /// - Parameters:
    ///   - configuration: The device and the wanted format.
    ///   - input: The destination of audio and notices.
    /// - Throws: ``DeviceError`` if the device can't be opened.
    func start(_ configuration: CaptureConfiguration, into input: CaptureInput) throws(DeviceError)

    /// Stops the audio and closes the device.
    func stop()
}

/// A backend of this module, which can tell more and keep something between two openings.
package protocol SystemCaptureBackend: CaptureBackend {
    /// Whether audio that arrives steadily later from some moment on reveals a loss that the system didn't report; valid after a start.
    var hasReliableArrivalTimes: Bool { get }

    /// Stops the audio and closes the device, which is soon to be opened again: ``start(_:into:)`` or ``stop()`` follows.
    ///
    /// A backend may keep something that it can't get back later, such as an audio session. Until the call that follows it may report
    /// ``BackendNotice/available``, ``BackendNotice/interruptionEnded(shouldResume:)`` and ``BackendNotice/muted(_:)``, and devices that were
    /// added, removed or made the default.
    func suspend()
}

extension SystemCaptureBackend {
    /// False: the system reports what it loses, or its audio may be late for other reasons.
    package var hasReliableArrivalTimes: Bool { false }

    /// Keeps nothing.
    package func suspend() { stop() }
}

extension CaptureBackend {
    /// Whether late audio reveals a loss.
    var revealsLoss: Bool { (self as? any SystemCaptureBackend)?.hasReliableArrivalTimes ?? false }

    /// Closes a device that is soon to be opened again.
    func stopForNow() {
        if let system = self as? any SystemCaptureBackend { system.suspend() } else { stop() }
    }
}
