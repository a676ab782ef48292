// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if canImport(SwiftUI)
import AudioDevices
import Foundation
import LiveAudio
import SwiftUI

/// An app for iOS that records to M4A: add these sources to an app's target, and NSMicrophoneUsageDescription to its Info.plist.
@main struct RecorderApp: App {
    var body: some Scene {
        WindowGroup { RecorderView() }
    }
}

/// A button that starts and stops a recording, and what has become of it.
struct RecorderView: View {
    @State private var recorder: Recorder?
    @State private var message = "Nothing recorded yet"

    var body: some View {
        VStack {
            Text(message)
            Button(recorder == nil ? "Record" : "Stop") { Task { await toggle() } }
        }
    }

    /// Starts a recording, or ends the one that runs.
    private func toggle() async {
        if let running = recorder {
            recorder = nil
            let summary = await running.stop()
            message = summary.failure?.description ?? "\(summary.duration) recorded"
            return
        }
        let path = NSTemporaryDirectory() + UUID().uuidString + ".m4a"
        let new = Recorder(sinks: [.file(path)])
        do {
            try await new.start()
            recorder = new
            message = path
        } catch {
            message = error.description
        }
    }
}
#endif
