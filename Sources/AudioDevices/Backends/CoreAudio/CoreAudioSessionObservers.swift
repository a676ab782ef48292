// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin) && !os(macOS)
internal import AVFAudio
internal import AudioPrimitives
internal import Foundation
internal import Synchronization

/// Converts audio session notifications into notices.
final class CoreAudioSessionObservers: Sendable {
    private struct State {
        var notices: NoticeQueue?
        /// The format of the open stream, if any.
        var format: CaptureFormat?
        /// The identifier of the latest input.
        var device: String?
        /// The time of the latest activation.
        var activated: Int64?
        /// Whether the system has muted the built-in microphone, for example through an iPad's cover.
        var isMuted = false
    }

    /// The maximum time between an activation and the category change notification that it causes, in nanoseconds.
    private static let ownChange: Int64 = 1_000_000_000

    /// The capture's configuration; `nil` for a player.
    private let configuration: CaptureConfiguration?
    private let state = Mutex(State())
    // Written only by the initializer, read by `stop`.
    nonisolated(unsafe) private var tokens: [any NSObjectProtocol] = []

    /// Starts observing the session of a capture, or of a player if `configuration` is `nil`.
    init(_ configuration: CaptureConfiguration?) {
        self.configuration = configuration
        observe(AVAudioSession.interruptionNotification) { $0.interruption($1) }
        observe(AVAudioSession.routeChangeNotification) { $0.routeChange($1) }
        observe(AVAudioSession.mediaServicesWereLostNotification) { this, _ in this.report(.serverLost) }
        observe(AVAudioSession.mediaServicesWereResetNotification) { this, _ in
            CoreAudioSession.mediaServicesWereReset()
            this.report(.serverLost, .available)
        }
        // By name, to avoid UIKit. An app that becomes active may record again, and after an interruption without an end its user may want
        // to resume.
        observe(Notification.Name(rawValue: "UIApplicationDidBecomeActiveNotification")) { this, _ in this.report(.available) }
    }

    /// Whether a stream has opened since the first start.
    var hasOpened: Bool { state.withLock { $0.device != nil } }

    func begin(_ notices: NoticeQueue) { state.withLock { $0.notices = notices } }

    func didActivate() { state.withLock { $0.activated = HostClock.now } }

    func didOpen(_ format: CaptureFormat) {
        let wasMuted = state.withLock { state in
            state.format = format
            state.device = format.device
            defer { state.isMuted = false }
            return state.isMuted
        }
        if wasMuted { report(.muted(false)) }
    }

    /// Records that no stream is open.
    ///
    /// Route changes then report an available device.
    func didClose() { state.withLock { $0.format = nil } }

    /// Removes the observers; no notice follows.
    func stop() {
        for token in tokens { NotificationCenter.default.removeObserver(token) }
        state.withLock { $0.notices = nil }
    }

    /// Calls `body` with each notification of a name.
    private func observe(_ name: Notification.Name, _ body: @escaping @Sendable (CoreAudioSessionObservers, Notification) -> Void) {
        tokens.append(
            NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [weak self] notification in
                if let self { body(self, notification) }
            })
    }

    private func report(_ notices: BackendNotice...) {
        guard let queue = state.withLock({ $0.notices }) else { return }
        for notice in notices { queue.report(notice) }
    }

    /// Handles the start or end of an interruption.
    ///
    /// I/O has already stopped when an interruption starts.
    private func interruption(_ notification: Notification) {
        let type = notification.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt
        guard type == AVAudioSession.InterruptionType.began.rawValue else {
            let advice = notification.userInfo?[AVAudioSessionInterruptionOptionKey] as? UInt ?? 0
            let shouldResume = advice & AVAudioSession.InterruptionOptions.shouldResume.rawValue != 0
            return report(.interruptionEnded(shouldResume: shouldResume))
        }
        let reason = notification.userInfo?[AVAudioSessionInterruptionReasonKey] as? UInt
        switch reason.flatMap({ AVAudioSession.InterruptionReason(rawValue: $0) }) {
        case .builtInMicMuted:
            state.withLock { $0.isMuted = true }
            report(.muted(true), .interrupted(.deviceSuspended))
        case .routeDisconnected: report(.interrupted(.deviceLost))
        default: report(.interrupted(.requestedByOther))
        }
    }

    /// Handles a route change of a capture.
    ///
    /// The audio unit follows the route automatically.
    private func routeChange(_ notification: Notification) {
        let number = notification.userInfo?[AVAudioSessionRouteChangeReasonKey] as? UInt
        let reason = number.flatMap { RouteChangeReason(rawValue: Int($0)) } ?? .unknown
        let session = AVAudioSession.sharedInstance()
        guard let configuration else { return outputChange(reason, session) }
        let port = session.currentRoute.inputs.first
        let (format, device, activated) = state.withLock { ($0.format, $0.device, $0.activated) }
        guard let format else {
            // Explains why the reopened stream comes from another device.
            if reason == .newDeviceAvailable, let port { report(.deviceAdded(id: port.uid)) }
            if reason == .oldDeviceUnavailable, let device { report(.deviceRemoved(id: device)) }
            return report(.available)
        }
        guard let port else { return report(.deviceLost) }
        let isOwn = activated.map { HostClock.now - $0 < Self.ownChange } ?? false
        if reason == .categoryChange, port.uid == format.device, isOwn { return }
        if port.uid != format.device {
            if let wanted = configuration.device, wanted != port.uid, prefer(wanted, session) { return }
            if configuration.staysOnDevice { return report(.deviceLost) }
        }
        let nativeSampleRate = Int(session.sampleRate)
        let bufferFrames = CoreAudioSession.bufferFrames(sampleRate: Double(format.sampleRate))
        let isOpen = state.withLock { state in
            // The stream may have closed in the meantime.
            guard state.format != nil else { return false }
            state.format?.device = port.uid
            state.device = port.uid
            return true
        }
        guard isOpen else { return report(.available) }
        report(
            .routeChanged(reason, id: port.uid, name: port.portName, nativeSampleRate: nativeSampleRate, bufferFrames: bufferFrames))
    }

    /// Handles a route change of a player, which compares the route with its unit.
    private func outputChange(_ reason: RouteChangeReason, _ session: AVAudioSession) {
        guard let port = session.currentRoute.outputs.first else { return report(.deviceLost) }
        report(.routeChanged(reason, id: port.uid, name: port.portName, nativeSampleRate: Int(session.sampleRate)))
    }

    /// Prefers the configured input again, because the system resets the preference when another input is connected.
    ///
    /// Returns false if the input is not available.
    private func prefer(_ id: String, _ session: AVAudioSession) -> Bool {
        guard let port = session.availableInputs?.first(where: { $0.uid == id }), session.preferredInput?.uid != id else { return false }
        return (try? session.setPreferredInput(port)) != nil
    }
}
#endif
