// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin) && !os(macOS)
internal import AVFAudio
internal import AudioPrimitives
internal import Dispatch
internal import Foundation
internal import Synchronization

/// The audio session of a capture or a player on iOS, from its first start to its end; it stays active while the audio unit is reopened.
///
/// A session that is deactivated in the background can't record again there.
final class CoreAudioSession: Sendable {
    /// A use of the session.
    enum Use {
        case capture(CaptureConfiguration, AudioSessionOptions, cancelsEcho: Bool)
        case playback(sampleRate: Int)
    }

    /// The captures and players of the process that use the session, and what they have set.
    private struct Shared {
        var captureCount = 0
        var playerCount = 0
        /// The captures whose session the app sets, and activates.
        var unmanagedCount = 0
        /// Whether a user has activated the session, and no app has set it since then.
        var isActivated = false
        /// The category that a user has set last.
        var category: AVAudioSession.Category?
        /// The input that a capture has chosen.
        var preferredInput: String?
    }

    /// The longest time that a chosen input takes to become the route's, in seconds.
    private static let longestRouteChange = 1.0
    private static let shared = Mutex(Shared())
    /// One activation or deactivation at a time, each of which takes long: otherwise the last user's end could follow the next one's start.
    private static let turn = DispatchSemaphore(value: 1)

    private let use: Use
    private let observers: CoreAudioSessionObservers

    /// Prepares the session of a capture or a player; ``end()`` has to follow.
    init(_ use: Use) {
        self.use = use
        // Before the activation: an interruption may come at once.
        switch use {
        case .capture(let configuration, let options, _):
            observers = CoreAudioSessionObservers(configuration)
            Self.shared.withLock { shared in
                shared.captureCount += 1
                guard !options.isManaged else { return }
                shared.unmanagedCount += 1
                shared.isActivated = false
            }
        case .playback:
            observers = CoreAudioSessionObservers(nil)
            Self.shared.withLock { $0.playerCount += 1 }
        }
    }

    /// Deactivates the session if this was its last user, so that other programs can play again; players that go on after the last capture
    /// get a category without input.
    func end() {
        observers.stop()
        Self.turn.wait()
        defer { Self.turn.signal() }
        let shared = Self.shared.withLock { shared in
            switch use {
            case .capture(_, let options, _):
                shared.captureCount -= 1
                if !options.isManaged { shared.unmanagedCount -= 1 }
            case .playback: shared.playerCount -= 1
            }
            return shared
        }
        guard shared.isActivated, shared.captureCount == 0 else { return }
        let session = AVAudioSession.sharedInstance()
        if shared.playerCount > 0 {
            if case .capture = use { try? setPlaybackCategory(session) }
        } else {
            Self.shared.withLock { $0.isActivated = false }
            try? session.setActive(false, options: .notifyOthersOnDeactivation)
        }
    }

    /// Sets category and preferences, chooses the input of a capture, and activates the session.
    ///
    /// - Parameters:
    ///   - notices: The destination of the session's notices from now on.
    ///   - isCancelled: Whether to give up.
    func activate(_ notices: NoticeQueue, isCancelled: () -> Bool = { false }) throws(DeviceError) {
        let session = AVAudioSession.sharedInstance()
        observers.begin(notices)
        switch use {
        case .capture(let configuration, let options, let cancelsEcho):
            if options.isManaged {
                do {
                    try setCategory(session, options, cancelsEcho: cancelsEcho)
                } catch {
                    throw Self.error(error, .activateSession)
                }
                prefer(session, sampleRate: configuration.sampleRate, bufferDuration: configuration.bufferDuration)
            }
            try choose(session, configuration)
            if options.isManaged { try activate(session) }
            guard session.isInputAvailable else { throw .noDevice(.coreAudio, .input) }
            try waitForRoute(session, configuration, isCancelled)
        case .playback(let sampleRate):
            // A capture whose session the app sets is that of a program which plays by the same session.
            if Self.shared.withLock({ $0.unmanagedCount }) == 0 {
                do { try setPlaybackCategory(session) } catch { throw Self.error(error, .activateSession) }
                prefer(session, sampleRate: sampleRate)
                try activate(session)
            }
        }
        observers.didActivate()
    }

    /// Activates the session.
    private func activate(_ session: AVAudioSession) throws(DeviceError) {
        Self.turn.wait()
        defer { Self.turn.signal() }
        do { try session.setActive(true) } catch { throw Self.error(error, .activateSession) }
        Self.shared.withLock { $0.isActivated = true }
    }

    /// Whether an error is that of an activation during an interruption, which only its end permits.
    static func isInterruption(_ error: DeviceError) -> Bool {
        let code = Int32(truncatingIfNeeded: AVAudioSession.ErrorCode.insufficientPriority.rawValue)
        return error == .failed(.activateSession, .coreAudio, code: code)
    }

    /// Tells the observers the format of the stream that was opened.
    func didOpen(_ unit: CoreAudioUnit) { observers.didOpen(unit.format) }

    /// Does nothing: a player compares the route with its unit.
    func didOpen(_ output: CoreAudioDevices.Choice) {}

    /// Does nothing: the observers see each change.
    func didStart() {}

    /// Tells the observers that no stream is open; the session goes on.
    func didClose() { observers.didClose() }

    /// The option for the loudspeaker; empty where no system has a receiver.
    private static var speaker: AVAudioSession.CategoryOptions {
        #if os(tvOS)
        []
        #else
        .defaultToSpeaker
        #endif
    }

    /// Sets the category of programs that only play, unless a capture needs another one, or the app has chosen one.
    private func setPlaybackCategory(_ session: AVAudioSession) throws {
        let (captureCount, own) = Self.shared.withLock { ($0.captureCount, $0.category) }
        guard captureCount == 0, session.category != .playback, [.soloAmbient, .record, own].contains(session.category) else { return }
        try session.setCategory(.playback, mode: .default, options: [])
        Self.shared.withLock { $0.category = .playback }
    }

    /// Sets category, mode and options of a capture, unless they are set: a change reconfigures the route.
    private func setCategory(_ session: AVAudioSession, _ options: AudioSessionOptions, cancelsEcho: Bool) throws {
        var wanted: AVAudioSession.CategoryOptions = []
        if options.prefersSpeaker { wanted.formUnion(Self.speaker) }
        if options.mixesWithOthers { wanted.insert(.mixWithOthers) }
        if options.bluetooth != .none { wanted.insert(.allowBluetoothHFP) }
        let mode: AVAudioSession.Mode =
            switch options.mode ?? (cancelsEcho ? .voiceChat : .standard) {
            case .standard: .default
            case .measurement: .measurement
            case .videoRecording: .videoRecording
            // Mode and audio unit are separate settings: voice processing needs both.
            case .voiceChat: .voiceChat
            }
        #if os(iOS) && !targetEnvironment(macCatalyst)
        if options.bluetooth == .highQuality, mode == .default, #available(iOS 26, *) { wanted.insert(.bluetoothHighQualityRecording) }
        #endif
        if session.category != .playAndRecord || session.mode != mode || session.categoryOptions != wanted {
            try session.setCategory(.playAndRecord, mode: mode, options: wanted)
            Self.shared.withLock { $0.category = .playAndRecord }
        }
        if session.prefersNoInterruptionsFromSystemAlerts != options.silencesSystemAlerts {
            try? session.setPrefersNoInterruptionsFromSystemAlerts(options.silencesSystemAlerts)
        }
    }

    /// Requests sample rate and buffer duration: hints, which the session may refuse; better set before it is active, and by the first user only.
    private func prefer(_ session: AVAudioSession, sampleRate: Int?, bufferDuration: Duration? = nil) {
        guard Self.shared.withLock({ $0.captureCount + $0.playerCount }) == 1, !observers.wasActive else { return }
        if let sampleRate { try? session.setPreferredSampleRate(Double(sampleRate)) }
        if let bufferDuration { try? session.setPreferredIOBufferDuration(bufferDuration.inSeconds) }
    }

    /// Makes the wanted input the preferred one; without one the choice is the system's, or the user's in the system's picker.
    private func choose(_ session: AVAudioSession, _ configuration: CaptureConfiguration) throws(DeviceError) {
        guard let id = configuration.device else {
            // A preference of an earlier capture would stay.
            let earlier = Self.shared.withLock { shared in
                defer { shared.preferredInput = nil }
                return shared.preferredInput
            }
            if let earlier, session.preferredInput?.uid == earlier { try? session.setPreferredInput(nil) }
            return
        }
        let available = session.availableInputs ?? []
        guard let port = available.first(where: { $0.uid == id }) else { throw .deviceNotFound(id, available: available.map(\.uid)) }
        do { try session.setPreferredInput(port) } catch { throw Self.error(error, .openDevice) }
        Self.shared.withLock { $0.preferredInput = id }
    }

    /// Waits until the wanted input is the route's, which happens some time after the choice.
    private func waitForRoute(
        _ session: AVAudioSession, _ configuration: CaptureConfiguration, _ isCancelled: () -> Bool
    ) throws(DeviceError) {
        guard let id = configuration.device else { return }
        let pause = DispatchSemaphore(value: 0)
        let end = HostClock.now + Int64(Self.longestRouteChange * 1e9)
        while session.currentRoute.inputs.first?.uid != id, HostClock.now < end {
            if isCancelled() { throw .cancelled }
            _ = pause.wait(timeout: .now() + 0.02)
        }
    }

    // MARK: Without a capture

    /// Sets a category with input if the session has none, without activating it: otherwise no inputs are listed.
    static func permitInput() throws(DeviceError) {
        let session = AVAudioSession.sharedInstance()
        guard ![.playAndRecord, .record, .multiRoute].contains(session.category) else { return }
        do {
            try session.setCategory(.playAndRecord, mode: .default, options: [speaker, .allowBluetoothHFP])
            Self.shared.withLock { $0.category = .playAndRecord }
        } catch {
            throw Self.error(error, .listDevices)
        }
    }

    /// Returns the frames of a buffer of the session.
    static func bufferFrames(sampleRate: Double) -> Int {
        Int((AVAudioSession.sharedInstance().ioBufferDuration * sampleRate).rounded())
    }

    /// Returns an error of the session with its step.
    private static func error(_ error: any Error, _ step: DeviceStep) -> DeviceError {
        .failed(step, .coreAudio, code: Int32(truncatingIfNeeded: (error as NSError).code))
    }
}
#endif
