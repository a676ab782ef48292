// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Linnet

#if os(iOS)
/// Records alongside the audio of other apps, from the headset that the user chose.
func recordInSession(_ path: String) async throws {
    // snippet: ios-record
    guard await RecordPermission.request() == .granted else { throw DeviceError.permissionDenied }
    var session = AudioSessionOptions()
    session.mixesWithOthers = true
    session.bluetooth = .highQuality
    let configuration = RecorderConfiguration(capture: CaptureConfiguration(sampleRate: 48_000))
    let recorder = Recorder(configuration, source: .coreAudio(session: session), sinks: [.file(path)])
    try await recorder.start()
    // end
}

/// Leaves the audio session to the program.
func recordInOwnSession() -> Recorder {
    // snippet: ios-own-session
    var session = AudioSessionOptions()
    session.isManaged = false
    let recorder = Recorder(source: .coreAudio(session: session), sinks: [.file("talk.m4a")])
    // end
    return recorder
}
#endif

/// Shows interruptions to the user.
func followInterruptions(_ recorder: Recorder, _ show: @escaping @Sendable (String) -> Void) async {
    // snippet: apple-interruptions
    for await event in recorder.events {
        switch event {
        case .capture(.interrupted(let reason)): show("interrupted: \(reason)")
        case .capture(.interruptionEnded(let shouldResume)) where !shouldResume: show("the system advises against playback")
        case .capture(.resumed): show("recording")
        case .capture(.silent): show("only silence arrives: is the microphone permitted?")
        default: break
        }
    }
    // end
}

/// Records the audio of all other programs.
func recordSystem() async throws {
    // snippet: mac-system-audio
    let everything = CaptureConfiguration(device: "system")
    let recorder = Recorder(RecorderConfiguration(capture: everything), sinks: [.file("meeting.m4a")])
    try await recorder.start()
    // end
}
#endif
