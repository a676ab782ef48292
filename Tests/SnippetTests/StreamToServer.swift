// SPDX-License-Identifier: Apache-2.0

import Linnet

/// Streams the microphone to a server, and records it to a file.
func streamToServer() async throws {
    // snippet: stream-to-server
    let server = StreamingSink(try StreamingAddress("rtmp://live.example.com/app/key"))
    let recorder = Recorder(RecorderConfiguration(preset: .high), sinks: [.accessUnits(to: server), .file("talk.m4a")])
    try await recorder.start()
    for await event in server.events {
        print(event)
    }
    // end
}

/// Writes a source as HTTP Live Streaming.
func streamToFolder(_ source: some PCMSource, _ path: String) async throws {
    // snippet: stream-to-folder
    var folder = HLSFolder(path: path)
    folder.playlistKind = .event
    let recorder = Recorder(source: .program(source), sinks: [.accessUnits(to: StreamingSink(.hls(folder)))])
    try await recorder.start()
    await recorder.waitUntilFinished()
    // end
}
