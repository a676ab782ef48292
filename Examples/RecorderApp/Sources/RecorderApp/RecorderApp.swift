// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
import Foundation
import SwiftUI

/// An iOS app that records to ADTS and a live server.
///
/// Add these sources and Info.plist to an app target.
@main struct RecorderApp: App {
    var body: some Scene {
        WindowGroup { RecorderView() }
    }
}

/// Buttons and switches of the recorder, and its log.
struct RecorderView: View {
    @State private var recorder = ArticleRecorder(folder: URL.documentsDirectory.path(percentEncoded: false))

    var body: some View {
        VStack {
            TextField("rtmp://host/application/key", text: $recorder.server)
            Toggle("Cancel echo", isOn: $recorder.cancelsEcho)
            Toggle("Mute", isOn: $recorder.isMuted)
            HStack {
                Button(recorder.isRunning ? "Stop" : "Start") {
                    Task { if recorder.isRunning { await recorder.stop() } else { await recorder.start() } }
                }
                Button("Resume") { recorder.resume() }
            }
            ScrollView { Text(recorder.log.joined(separator: "\n")) }
        }
    }
}
#endif
