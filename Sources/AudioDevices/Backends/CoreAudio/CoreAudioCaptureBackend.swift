// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
internal import AVFAudio
internal import AudioPrimitives
internal import Dispatch
internal import Synchronization

/// Captures through Core Audio: the HAL on macOS, the audio session with RemoteIO or VoiceProcessingIO on iOS.
///
/// Tested on a model of Core Audio, not yet on a device; see Documentation/Internals/Apple.md.
package final class CoreAudioCaptureBackend: SystemCaptureBackend {
    private let cancelsEcho: Bool
    private let unit = Mutex<CoreAudioUnit?>(nil)
    /// The state that survives reopening the unit.
    private let context = Mutex<Context?>(nil)

    #if os(macOS)
    private typealias Context = CoreAudioListeners

    /// Creates a backend.
    ///
    /// - Parameter cancelsEcho: Whether the system removes this program's playback from the captured audio. If that fails, the microphone
    ///   is captured unprocessed, and ``CaptureEvent/echoCancellationUnavailable(_:)`` reports it.
    package init(cancelsEcho: Bool = false) { self.cancelsEcho = cancelsEcho }
    #else
    private typealias Context = CoreAudioSession

    private let options: AudioSessionOptions

    /// Creates a backend.
    ///
    /// - Parameter cancelsEcho: Whether the system removes this program's playback from the captured audio. If that fails, the microphone
    ///   is captured unprocessed, and ``CaptureEvent/echoCancellationUnavailable(_:)`` reports it.
    package init(cancelsEcho: Bool = false, session: AudioSessionOptions = AudioSessionOptions()) {
        self.cancelsEcho = cancelsEcho
        options = session
    }
    #endif

    deinit { stop() }

    package var kind: AudioBackendKind { .coreAudio }

    /// Returns the system's inputs and outputs; on iOS the outputs of the current route.
    ///
    /// On iOS it sets a session category with input if necessary, unless the app manages the session: other categories have no inputs. On
    /// macOS the inputs end with monitors. `system` captures everything that the system plays. `app:` with a bundle identifier, or with the
    /// process ID of a program without one, captures a playing program, and reopens when the program restarts. Monitors need
    /// `NSAudioCaptureUsageDescription` in Info.plist and the user's permission. Without them the system delivers silence, which
    /// ``CaptureEvent/silent(for:)`` reports.
    package func devices() throws(DeviceError) -> [AudioDevice] {
        #if !os(macOS)
        if options.isManaged { try CoreAudioSession.permitInput() }
        #endif
        return CoreAudioDevices.inputs() + CoreAudioDevices.outputs()
    }

    /// Requests permission to record if necessary, activates the audio session on iOS, and starts an audio unit.
    ///
    /// Blocks until the user answers or the start is cancelled.
    ///
    /// - Throws: ``DeviceError/permissionDenied``, or the error of the failed step.
    package func start(_ configuration: CaptureConfiguration, into input: CaptureInput) throws(DeviceError) {
        stopUnit()
        try Self.waitForPermission(configuration, input)
        let existing = context.withLock { $0 }
        let current = existing ?? makeContext(configuration)
        context.withLock { $0 = current }
        do {
            // Before the unit, which has no input without an active session.
            try current.activate(input.notices) { input.isCancelled }
            try startUnit(configuration, into: input, current)
        } catch {
            current.didClose()
            // A reopened capture keeps its session for the next attempt.
            if existing == nil { endContext() }
            throw error
        }
    }

    /// Stops the audio unit and deactivates the session.
    package func stop() {
        stopUnit()
        endContext()
    }

    /// Stops only the audio unit.
    ///
    /// A session deactivated in the background cannot record again.
    package func suspend() { stopUnit() }

    // MARK: Steps

    /// Waits for the user's answer if the permission is undetermined.
    ///
    /// Until then the system delivers silence without an error. Capturing other programs needs another permission, which a program cannot
    /// request.
    private static func waitForPermission(_ configuration: CaptureConfiguration, _ input: CaptureInput) throws(DeviceError) {
        #if os(macOS)
        if PlayedAudio(configuration.device) != nil { return }
        #endif
        if RecordPermission.current == .undetermined {
            let answered = DispatchSemaphore(value: 0)
            AVAudioApplication.requestRecordPermission { _ in answered.signal() }
            while answered.wait(timeout: .now() + 0.1) == .timedOut { if input.isCancelled { throw .cancelled } }
        }
        guard RecordPermission.current == .granted else { throw .permissionDenied }
    }

    /// Opens and starts a unit.
    ///
    /// Falls back to one without voice processing.
    private func startUnit(_ configuration: CaptureConfiguration, into input: CaptureInput, _ context: Context) throws(DeviceError) {
        let new: CoreAudioUnit
        do {
            new = try CoreAudioUnit(configuration, cancelsEcho: cancelsEcho, input: input)
        } catch {
            guard cancelsEcho, case .failed = error else { throw error }
            new = try CoreAudioUnit(configuration, cancelsEcho: false, input: input)
            input.report(.echoCancellationUnavailable(error))
        }
        // Before the first callback, because the route or device may change at once.
        context.didOpen(new)
        try new.start()
        unit.withLock { $0 = new }
        context.didStart()
    }

    /// Stops the unit, if any, and closes its device's context.
    private func stopUnit() {
        let old = unit.removeValue()
        context.withLock { $0 }?.didClose()
        old?.stop()
    }

    private func makeContext(_ configuration: CaptureConfiguration) -> Context {
        #if os(macOS)
        CoreAudioListeners(.input, configuration.device)
        #else
        CoreAudioSession(.capture(configuration, options, cancelsEcho: cancelsEcho))
        #endif
    }

    private func endContext() { context.removeValue()?.end() }
}
#endif
