// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
internal import AVFAudio
internal import AudioPrimitives
internal import Dispatch
internal import Synchronization

/// Captures through Core Audio: the HAL on macOS, the audio session with RemoteIO or VoiceProcessingIO on iOS.
///
/// Not yet run on a device, but on a model of Core Audio: see Documentation/Internals/Apple.md.
package final class CoreAudioCaptureBackend: SystemCaptureBackend {
    private let cancelsEcho: Bool
    private let unit = Mutex<CoreAudioUnit?>(nil)
    /// The part that outlives a unit which is opened again.
    private let context = Mutex<Context?>(nil)

    #if os(macOS)
    private typealias Context = CoreAudioListeners

    /// Creates a backend.
    ///
    /// - Parameter cancelsEcho: Whether the system removes what this program plays from the captured audio. Where that fails, the microphone is
    ///   captured as it is, and ``CaptureEvent/echoCancellationUnavailable(_:)`` says so.
    package init(cancelsEcho: Bool = false) { self.cancelsEcho = cancelsEcho }
    #else
    private typealias Context = CoreAudioSession

    private let options: AudioSessionOptions

    /// Creates a backend.
    ///
    /// - Parameters:
    ///   - cancelsEcho: Whether the system removes what this program plays from the captured audio. Where that fails, the microphone is captured
    ///     as it is, and ``CaptureEvent/echoCancellationUnavailable(_:)`` says so.
    ///   - session: The settings of the audio session.
    package init(cancelsEcho: Bool = false, session: AudioSessionOptions = AudioSessionOptions()) {
        self.cancelsEcho = cancelsEcho
        options = session
    }
    #endif

    deinit { stop() }

    /// Core Audio.
    package var kind: AudioBackendKind { .coreAudio }

    /// Returns the inputs and outputs of the system; on iOS the outputs of the current route.
    ///
    /// On iOS it gives the session a category with input if it has none, unless the app sets the session itself: other categories have no
    /// inputs. On macOS the list of inputs ends with monitors: `system`, which is all that the
    /// system plays, and `app:` with a bundle identifier, or with the process number of a program without one, for each program that plays.
    /// Capture of a program reopens when the program restarts. It needs `NSAudioCaptureUsageDescription` in Info.plist, and the user's permission;
    /// without them the system delivers silence, which ``CaptureEvent/silent(for:)`` reports.
    package func devices() throws(DeviceError) -> [AudioDevice] {
        #if !os(macOS)
        if options.isManaged { try CoreAudioSession.permitInput() }
        #endif
        return CoreAudioDevices.inputs() + CoreAudioDevices.outputs()
    }

    /// Asks for the permission to record if necessary, activates the audio session on iOS, and starts an audio unit.
    ///
    /// Waits for the answer of the user, until it is given or the start is cancelled.
    ///
    /// - Throws: ``DeviceError/permissionDenied``, or the error of the step that failed.
    package func start(_ configuration: CaptureConfiguration, into input: CaptureInput) throws(DeviceError) {
        stopUnit()
        try Self.waitForPermission(configuration, input)
        let existing = context.withLock { $0 }
        let current = existing ?? makeContext(configuration)
        context.withLock { $0 = current }
        do {
            // The session first: without it the unit has no input.
            try current.activate(input.notices) { input.isCancelled }
            try startUnit(configuration, into: input, current)
        } catch {
            current.didClose()
            // A capture that is reopened keeps its session, and tries again.
            if existing == nil { endContext() }
            throw error
        }
    }

    /// Stops the audio unit, and deactivates the session.
    package func stop() {
        stopUnit()
        endContext()
    }

    /// Stops the audio unit only: in the background an audio session that was deactivated can't record again.
    package func suspend() { stopUnit() }

    // MARK: Steps

    /// Waits for the user's answer if the permission is undetermined: until then the system delivers silence, and no error.
    ///
    /// Audio of other programs has a permission of its own, which can't be asked for.
    private static func waitForPermission(_ configuration: CaptureConfiguration, _ input: CaptureInput) throws(DeviceError) {
        #if os(macOS)
        if CoreAudioTap.Source(configuration.device) != nil { return }
        #endif
        if RecordPermission.current == .undetermined {
            let answered = DispatchSemaphore(value: 0)
            AVAudioApplication.requestRecordPermission { _ in answered.signal() }
            while answered.wait(timeout: .now() + 0.1) == .timedOut { if input.isCancelled { throw .cancelled } }
        }
        guard RecordPermission.current == .granted else { throw .permissionDenied }
    }

    /// Opens and starts a unit; one without voice processing if that can't be opened.
    private func startUnit(_ configuration: CaptureConfiguration, into input: CaptureInput, _ context: Context) throws(DeviceError) {
        let new: CoreAudioUnit
        do {
            new = try CoreAudioUnit(configuration, cancelsEcho: cancelsEcho, input: input)
        } catch {
            guard cancelsEcho, case .failed = error else { throw error }
            new = try CoreAudioUnit(configuration, cancelsEcho: false, input: input)
            input.report(.echoCancellationUnavailable(error))
        }
        // Before the first callback: a change of the route or the device may come at once.
        context.didOpen(new)
        try new.start()
        unit.withLock { $0 = new }
        context.didStart()
    }

    /// Stops the unit if there is one, and ends what belongs to its device.
    private func stopUnit() {
        let old = unit.removeValue()
        context.withLock { $0 }?.didClose()
        old?.stop()
    }

    /// Creates the part that outlives the unit.
    private func makeContext(_ configuration: CaptureConfiguration) -> Context {
        #if os(macOS)
        CoreAudioListeners(.input, configuration.device)
        #else
        CoreAudioSession(.capture(configuration, options, cancelsEcho: cancelsEcho))
        #endif
    }

    /// Ends the part that outlives the unit.
    private func endContext() { context.removeValue()?.end() }
}
#endif
