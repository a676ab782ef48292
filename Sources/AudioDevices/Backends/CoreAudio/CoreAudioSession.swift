// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin) && !os(macOS)
internal import AVFAudio
internal import AudioPrimitives
internal import Dispatch
internal import Foundation
internal import Synchronization

/// The iOS audio session of a capture or a player, from its first start to its end.
///
/// It stays active while the audio unit is reopened. A session that is deactivated in the background cannot record there again.
final class CoreAudioSession: Sendable {
    enum Use {
        case capture(CaptureConfiguration, AudioSessionOptions, cancelsEcho: Bool)
        case playback(sampleRate: Int, channelCount: Int)
    }

    /// The captures and players of the process that share the session, and the settings they made.
    private struct Shared {
        var captureCount = 0
        var playerCount = 0
        /// The number of captures whose session the app manages.
        var unmanagedCount = 0
        /// Whether a capture or player has activated the session, and no app-managed capture has started since.
        var isActivated = false
        /// Whether a capture or player has activated the session with its preferences, and the media services have not been reset since.
        var hasPreferences = false
        /// Whether the media services have been reset since the category was set, which the session may still report.
        var hasLostCategory = false
        /// The category that a capture or player set last.
        var category: AVAudioSession.Category?
        /// The input that a capture has chosen.
        var preferredInput: String?
    }

    /// The maximum time until a chosen input becomes the route's input, in seconds.
    private static let maximumRouteChangeTime = 1.0
    private static let shared = Mutex(Shared())
    /// Serializes activations and deactivations, which are slow: otherwise the end of the last user could follow the start of the next.
    private static let turn = DispatchSemaphore(value: 1)

    private let use: Use
    private let observers: CoreAudioSessionObservers

    /// Prepares the session of a capture or a player.
    ///
    /// Requires a later ``end()``.
    init(_ use: Use) {
        self.use = use
        // Before the activation, because an interruption may come at once.
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

    /// Deactivates the session after its last user, so that other programs can resume.
    ///
    /// If players remain after the last capture, sets a category without input.
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
            if shared.captureCount + shared.playerCount == 0 { shared.hasPreferences = false }
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

    /// Sets category and preferences, chooses a capture's input, and activates the session.
    ///
    /// - Parameters:
    ///   - notices: The destination for the session's notices.
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
            }
            try checkInput(session, configuration)
            if options.isManaged {
                try activate(session, sampleRate: configuration.sampleRate, bufferDuration: configuration.bufferDuration)
            }
            guard session.isInputAvailable else { throw .noDevice(.coreAudio, .input) }
            if let id = try choose(session, configuration) { try waitForRoute(session, id, isCancelled) }
            if options.isManaged, !cancelsEcho { requestChannels(session, ofInputFor: configuration) }
        case .playback(let sampleRate, let channelCount):
            // With an app-managed capture, playback also uses the app's session.
            if Self.shared.withLock({ $0.unmanagedCount }) == 0 {
                do { try setPlaybackCategory(session) } catch { throw Self.error(error, .activateSession) }
                try activate(session, sampleRate: sampleRate)
                requestChannels(session, channelCount)
            }
        }
        observers.didActivate()
    }

    /// Activates the session.
    ///
    /// The first activation requests preferences, which the session may ignore.
    private func activate(_ session: AVAudioSession, sampleRate: Int?, bufferDuration: Duration? = nil) throws(DeviceError) {
        Self.turn.wait()
        defer { Self.turn.signal() }
        if Self.shared.withLock({ !$0.hasPreferences && $0.unmanagedCount == 0 }) {
            if let sampleRate { try? session.setPreferredSampleRate(Double(sampleRate)) }
            if let bufferDuration { try? session.setPreferredIOBufferDuration(bufferDuration.inSeconds) }
        }
        do { try session.setActive(true) } catch { throw Self.error(error, .activateSession) }
        Self.shared.withLock { shared in
            shared.isActivated = true
            shared.hasPreferences = true
        }
    }

    /// Requests the channels of the input that a capture needs: a session has fewer than the input unless it asks for them.
    private func requestChannels(_ session: AVAudioSession, ofInputFor configuration: CaptureConfiguration) {
        let wanted = configuration.selectedChannels.map { ($0.max() ?? 0) + 1 } ?? configuration.channelCount ?? 0
        let count = min(wanted, session.maximumInputNumberOfChannels)
        if count > session.inputNumberOfChannels { try? session.setPreferredInputNumberOfChannels(count) }
    }

    /// Requests the channels of the output that a player needs beyond two, if the output has them.
    private func requestChannels(_ session: AVAudioSession, _ count: Int) {
        guard count > max(2, session.outputNumberOfChannels), count <= session.maximumOutputNumberOfChannels else { return }
        try? session.setPreferredOutputNumberOfChannels(count)
    }

    /// Lets the next activation set category and preferences again, because the session has lost them.
    static func mediaServicesWereReset() {
        shared.withLock { shared in
            shared.hasPreferences = false
            shared.hasLostCategory = shared.category != nil
        }
    }

    /// Whether an error means that an interruption prevents the activation until it ends.
    static func isInterruption(_ error: DeviceError) -> Bool {
        let code = Int32(truncatingIfNeeded: AVAudioSession.ErrorCode.insufficientPriority.rawValue)
        return error == .failed(.activateSession, .coreAudio, code: code)
    }

    /// Passes the opened stream's format to the observers.
    func didOpen(_ unit: CoreAudioUnit) { observers.didOpen(unit.format) }

    /// Does nothing: a player compares the route with its unit.
    func didOpen(_ output: CoreAudioDevices.Choice) {}

    /// Does nothing: the observers see each change.
    func didStart() {}

    /// Tells the observers that no stream is open.
    ///
    /// The session stays active.
    func didClose() { observers.didClose() }

    /// The option for the loudspeaker; empty on systems without a receiver.
    private static var speaker: AVAudioSession.CategoryOptions {
        #if os(tvOS)
        []
        #else
        .defaultToSpeaker
        #endif
    }

    /// Sets the category and remembers it.
    private static func set(
        _ category: AVAudioSession.Category, mode: AVAudioSession.Mode, options: AVAudioSession.CategoryOptions, of session: AVAudioSession
    ) throws {
        try session.setCategory(category, mode: mode, options: options)
        shared.withLock { shared in
            shared.category = category
            shared.hasLostCategory = false
        }
    }

    /// Sets the playback category, unless a capture needs another one or the app has chosen one.
    private func setPlaybackCategory(_ session: AVAudioSession) throws {
        let shared = Self.shared.withLock { $0 }
        guard shared.captureCount == 0, session.category != .playback || shared.hasLostCategory,
            [.soloAmbient, .record, shared.category].contains(session.category)
        else { return }
        try Self.set(.playback, mode: .default, options: [], of: session)
    }

    /// Sets category, mode and options of a capture, if they differ: each change reconfigures the route.
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
            // Mode and audio unit are separate settings. Voice processing needs both.
            case .voiceChat: .voiceChat
            }
        #if os(iOS) && !targetEnvironment(macCatalyst)
        if options.bluetooth == .highQuality, mode == .default, #available(iOS 26, *) { wanted.insert(.bluetoothHighQualityRecording) }
        #endif
        let hasLostCategory = Self.shared.withLock { $0.hasLostCategory }
        if hasLostCategory || session.category != .playAndRecord || session.mode != mode || session.categoryOptions != wanted {
            try Self.set(.playAndRecord, mode: mode, options: wanted, of: session)
        }
        if session.prefersNoInterruptionsFromSystemAlerts != options.silencesSystemAlerts {
            try? session.setPrefersNoInterruptionsFromSystemAlerts(options.silencesSystemAlerts)
        }
    }

    /// Throws if the configured input is not available, before other programs are interrupted.
    ///
    /// A capture that has lost its input moves to another one, unless it stays.
    private func checkInput(_ session: AVAudioSession, _ configuration: CaptureConfiguration) throws(DeviceError) {
        guard configuration.staysOnDevice || !observers.hasOpened else { return }
        let available = (session.availableInputs ?? []).map(\.uid)
        if let id = configuration.device, !available.contains(id) { throw .deviceNotFound(id, available: available) }
    }

    /// Prefers the configured input, which requires an active session.
    ///
    /// Without one, or if it has vanished meanwhile, the system or the user's choice in the system picker decides.
    ///
    /// - Returns: The preferred input's identifier, if any.
    private func choose(_ session: AVAudioSession, _ configuration: CaptureConfiguration) throws(DeviceError) -> String? {
        guard let id = configuration.device else {
            // A preference set by an earlier capture would persist.
            let earlier = Self.shared.withLock { shared in
                defer { shared.preferredInput = nil }
                return shared.preferredInput
            }
            if let earlier, session.preferredInput?.uid == earlier { try? session.setPreferredInput(nil) }
            return nil
        }
        guard let port = session.availableInputs?.first(where: { $0.uid == id }) else { return nil }
        do { try session.setPreferredInput(port) } catch { throw Self.error(error, .openDevice) }
        Self.shared.withLock { $0.preferredInput = id }
        return id
    }

    /// Waits until the preferred input is the route's input, which takes a moment.
    private func waitForRoute(_ session: AVAudioSession, _ id: String, _ isCancelled: () -> Bool) throws(DeviceError) {
        let pause = DispatchSemaphore(value: 0)
        let end = HostClock.now + Int64(Self.maximumRouteChangeTime * 1e9)
        while session.currentRoute.inputs.first?.uid != id, HostClock.now < end {
            if isCancelled() { throw .cancelled }
            _ = pause.wait(timeout: .now() + 0.02)
        }
    }

    // MARK: Without a capture

    /// Sets a category with input unless the session has one.
    ///
    /// Without it no inputs are listed. Does not activate the session.
    static func permitInput() throws(DeviceError) {
        let session = AVAudioSession.sharedInstance()
        guard ![.playAndRecord, .record, .multiRoute].contains(session.category) else { return }
        do {
            try set(.playAndRecord, mode: .default, options: [speaker, .allowBluetoothHFP], of: session)
        } catch {
            throw Self.error(error, .listDevices)
        }
    }

    static func bufferFrames(sampleRate: Double) -> Int {
        Int((AVAudioSession.sharedInstance().ioBufferDuration * sampleRate).rounded())
    }

    private static func error(_ error: any Error, _ step: DeviceStep) -> DeviceError {
        .failed(step, .coreAudio, code: Int32(truncatingIfNeeded: (error as NSError).code))
    }
}
#endif
