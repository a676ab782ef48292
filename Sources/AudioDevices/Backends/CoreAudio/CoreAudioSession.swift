// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if os(iOS)
internal import AVFAudio
internal import Foundation

/// The audio session around a recording on iOS.
///
/// Not yet run on a device.
enum CoreAudioSession {
    /// Chooses category, mode and options, wishes for rate and buffer, and activates.
    static func activate(_ configuration: CaptureConfiguration, cancelsEcho: Bool) throws(DeviceError) {
        let session = AVAudioSession.sharedInstance()
        do {
            // Mode and unit are separate settings: voice processing needs both.
            try session.setCategory(
                .playAndRecord, mode: cancelsEcho ? .voiceChat : .default,
                options: [.defaultToSpeaker, .allowBluetoothHFP, .mixWithOthers])
            if let rate = configuration.sampleRate { try session.setPreferredSampleRate(Double(rate)) }
            try session.setPreferredIOBufferDuration(configuration.bufferDuration)
            try session.setActive(true)
        } catch {
            throw .failed(.activateSession, .coreAudio, code: Int32(truncatingIfNeeded: (error as NSError).code))
        }
        guard session.isInputAvailable else { throw .noDevice(.coreAudio, .input) }
    }

    /// Lets other programs be heard again.
    static func deactivate() {
        try? AVAudioSession.sharedInstance().setActive(false, options: .notifyOthersOnDeactivation)
    }
}

/// Turns the session's notifications into notices, until it goes.
final class CoreAudioSessionObservers {
    private var tokens: [any NSObjectProtocol] = []

    init(_ input: CaptureInput) {
        observe(AVAudioSession.interruptionNotification) { notification in
            let type = notification.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt
            // Several interruptions end without leave to resume: the unit is started again by opening it anew.
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

    private func observe(_ name: Notification.Name, _ body: @escaping @Sendable (Notification) -> Void) {
        tokens.append(NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil, using: body))
    }
}
#endif
