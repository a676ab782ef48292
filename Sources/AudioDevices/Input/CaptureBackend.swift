// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// A system that sound is recorded through: the one thing to write for a new one.
///
/// **The contract**
///
/// - *Threads.* `start` and `stop` are called by one thread at a time, never by a thread of the backend itself. After `start` returned, the
///   backend calls ``CaptureInput/write(_:hostTime:)``, ``CaptureInput/writeHole(byteCount:hostTime:)`` and ``CaptureInput/writeBreak()`` from one
///   thread at a time; it may begin before `start` returns. It calls ``CaptureInput/report(_:)`` from any thread.
/// - *Real time.* The three `write` calls allocate nothing, take no lock and never wait, and the backend does neither around them as far
///   as the system lets it. `report` takes a lock for a moment: not on a real-time thread of the kernel's kind.
/// - *Buffers.* Bytes handed to `write` belong to the backend and are only looked at during the call: whole interleaved frames in the format
///   that was handed to ``CaptureInput/prepare(_:)``, of any number.
/// - *Start.* Opens the device afresh, calls `prepare` once with what the device really gives, and returns when sound is about to flow. It
///   throws within a few seconds where it can't, and leaves nothing open then; it gives up early when ``CaptureInput/isCancelled``.
/// - *Stop.* Always legal, also when not started. When it returns, no call will come any more, and the device is closed. Everything heard
///   so far has been written.
/// - *Timestamps.* Host time is when a frame was heard, by ``HostClock``, from the system's own timing; 0 where it isn't known. It may jitter
///   and step back: capture smooths it.
/// - *Events.* What isn't sound is a ``BackendNotice``. Where frames may be missing without a count, call `writeBreak` before the next `write`.
///   A backend never reconnects and never replaces a lost device by silence: it reports, and is started again.
public protocol CaptureBackend: AnyObject, Sendable {
    /// The system's name.
    var kind: AudioBackendKind { get }

    /// Whether sound that comes later from some moment on, steadily, shows that the system lost some and said nothing; known after a start.
    var arrivalsTellTime: Bool { get }

    /// Every input and output that the system knows now.
    func devices() throws(DeviceError) -> [AudioDevice]

    /// Opens the device and lets sound flow into `input`.
    func start(_ configuration: CaptureConfiguration, into input: CaptureInput) throws(DeviceError)

    /// Ends the flow and closes the device.
    func stop()
}

extension CaptureBackend {
    /// No: the system tells what it loses, or its sound may be late for other reasons.
    public var arrivalsTellTime: Bool { false }
}

/// What a backend has to say besides sound.
public enum BackendNotice: Hashable, Sendable {
    /// The device gives nothing until ``resumed``, which a `writeBreak` comes before.
    case suspended(InterruptionReason)
    /// The device gives sound again.
    case resumed
    /// The stream comes from another device now.
    case moved(id: String, name: String)
    /// The route changed for a reason that the system itself gave; the stream comes from this device now, which may be the same.
    case routeChanged(RouteChangeReason, id: String, name: String)
    /// Another device is the system's default input now.
    case defaultChanged(id: String)
    /// Another device is the system's default output now; told of what records an output.
    case defaultOutputChanged(id: String)
    /// A device has come.
    case deviceAdded(id: String)
    /// A device has gone.
    case deviceRemoved(id: String)
    /// The system muted the device or the stream, or ended that.
    case muted(Bool)
    /// The stream is dead: its device is gone.
    case deviceLost
    /// The stream is dead: the sound server is gone.
    case serverLost
    /// The source has come to its end: nothing will be written any more.
    case ended
    /// The stream is dead by an error.
    case failed(DeviceError)
}
