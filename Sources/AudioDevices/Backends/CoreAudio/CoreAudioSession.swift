// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if !os(WASI)
#if os(iOS)
internal import AVFAudio
internal import AudioPrimitives
internal import Foundation

/// The audio session of a capture on iOS.
///
/// Not yet tested on a device.
enum CoreAudioSession {
    /// Sets category, mode and options, requests the sample rate and buffer duration, and activates the session.
    static func activate(_ configuration: CaptureConfiguration, cancelsEcho: Bool) throws(DeviceError) {
        let session = AVAudioSession.sharedInstance()
        do {
            // Mode and audio unit are separate settings: voice processing needs both.
            try session.setCategory(
                .playAndRecord, mode: cancelsEcho ? .voiceChat : .default,
                options: [.defaultToSpeaker, .allowBluetoothHFP, .mixWithOthers])
            if let rate = configuration.sampleRate { try session.setPreferredSampleRate(Double(rate)) }
            try session.setPreferredIOBufferDuration(configuration.bufferDuration.inSeconds)
            try session.setActive(true)
        } catch {
            throw .failed(.activateSession, .coreAudio, code: Int32(truncatingIfNeeded: (error as NSError).code))
        }
        guard session.isInputAvailable else { throw .noDevice(.coreAudio, .input) }
    }

    /// Deactivates the session, so that other programs can play again.
    static func deactivate() {
        try? AVAudioSession.sharedInstance().setActive(false, options: .notifyOthersOnDeactivation)
    }
}

/// Reports the session's notifications as notices, until it is deallocated.
final class CoreAudioSessionObservers {
    private var tokens: [any NSObjectProtocol] = []

    /// Starts to observe the session.
    init(_ input: CaptureInput) {
        observe(AVAudioSession.interruptionNotification) { notification in
            let type = notification.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt
            // Some interruptions end without the option to resume: reopening the unit always works.
            input.report(type == AVAudioSession.InterruptionType.began.rawValue ? .suspended(.requestedByOther) : .deviceLost)
        }
        observe(AVAudioSession.routeChangeNotification) { notification in
            let number = notification.userInfo?[AVAudioSessionRouteChangeReasonKey] as? UInt
            let reason = number.flatMap { RouteChangeReason(rawValue: Int($0)) } ?? .unknown
            let port = AVAudioSession.sharedInstance().currentRoute.inputs.first
            input.report(port.map { .routeChanged(reason, id: $0.uid, name: $0.portName) } ?? .deviceLost)
        }
        observe(AVAudioSession.mediaServicesWereResetNotification) { _ in input.report(.serverLost) }
    }

    deinit { for token in tokens { NotificationCenter.default.removeObserver(token) } }

    /// Calls `body` with each notification of a name.
    private func observe(_ name: Notification.Name, _ body: @escaping @Sendable (Notification) -> Void) {
        tokens.append(NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil, using: body))
    }
}
#endif
#endif
