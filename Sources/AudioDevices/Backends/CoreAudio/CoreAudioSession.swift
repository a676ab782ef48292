// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin) && !os(macOS)
internal import AVFAudio
internal import AudioPrimitives
internal import Dispatch
internal import Foundation
internal import Synchronization

/// The audio session of a capture on iOS, from its first start to its end; it stays active while the audio unit is reopened.
///
/// A session that is deactivated in the background can't record again there.
final class CoreAudioSession: Sendable {
    /// The captures of the process that use the session, and the input that one of them has chosen.
    private struct Shared {
        var userCount = 0
        var preferredInput: String?
    }

    /// The longest time that a chosen input takes to become the route's, in seconds.
    private static let longestRouteChange = 1.0
    private static let shared = Mutex(Shared())

    private let options: AudioSessionOptions
    private let configuration: CaptureConfiguration
    private let cancelsEcho: Bool
    private let observers: CoreAudioSessionObservers

    /// Prepares the session of a capture; ``end()`` has to follow.
    init(_ options: AudioSessionOptions, _ configuration: CaptureConfiguration, cancelsEcho: Bool) {
        self.options = options
        self.configuration = configuration
        self.cancelsEcho = cancelsEcho
        // Before the activation: an interruption may come at once.
        observers = CoreAudioSessionObservers(configuration)
        Self.shared.withLock { $0.userCount += 1 }
    }

    /// Deactivates the session if this was its last user, so that other programs can play again.
    func end() {
        observers.stop()
        let isLast = Self.shared.withLock { shared in
            shared.userCount -= 1
            return shared.userCount == 0
        }
        if isLast, options.isManaged { try? AVAudioSession.sharedInstance().setActive(false, options: .notifyOthersOnDeactivation) }
    }

    /// Sets category and preferences, chooses the input, and activates the session.
    ///
    /// - Parameter input: The destination of the session's notices from now on.
    func activate(_ input: CaptureInput) throws(DeviceError) {
        let session = AVAudioSession.sharedInstance()
        observers.begin(input)
        if options.isManaged {
            do {
                try setCategory(session)
                // Hints, which the session may refuse; better set before it is active, and by the first user only.
                if Self.shared.withLock({ $0.userCount }) == 1, !observers.wasActive { setPreferences(session) }
            } catch {
                throw Self.error(error, .activateSession)
            }
        }
        try choose(session)
        if options.isManaged {
            do { try session.setActive(true) } catch { throw Self.error(error, .activateSession) }
        }
        guard session.isInputAvailable else { throw .noDevice(.coreAudio, .input) }
        try waitForRoute(session, input)
        observers.didActivate()
    }

    /// Tells the observers the format of the stream that was opened.
    func didOpen(_ unit: CoreAudioUnit) { observers.didOpen(unit.format) }

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

    /// Sets category, mode and options, unless they are set: a change reconfigures the route.
    private func setCategory(_ session: AVAudioSession) throws {
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
        }
        if session.prefersNoInterruptionsFromSystemAlerts != options.silencesSystemAlerts {
            try? session.setPrefersNoInterruptionsFromSystemAlerts(options.silencesSystemAlerts)
        }
    }

    /// Requests sample rate and buffer duration.
    private func setPreferences(_ session: AVAudioSession) {
        if let rate = configuration.sampleRate { try? session.setPreferredSampleRate(Double(rate)) }
        try? session.setPreferredIOBufferDuration(configuration.bufferDuration.inSeconds)
    }

    /// Makes the wanted input the preferred one; without one the choice is the system's, or the user's in the system's picker.
    private func choose(_ session: AVAudioSession) throws(DeviceError) {
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
    private func waitForRoute(_ session: AVAudioSession, _ input: CaptureInput) throws(DeviceError) {
        guard let id = configuration.device else { return }
        let pause = DispatchSemaphore(value: 0)
        let end = HostClock.now + Int64(Self.longestRouteChange * 1e9)
        while session.currentRoute.inputs.first?.uid != id, HostClock.now < end {
            if input.isCancelled { throw .cancelled }
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
