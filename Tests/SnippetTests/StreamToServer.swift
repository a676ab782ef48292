// SPDX-License-Identifier: Apache-2.0

import Foundation
import Linnet

/// Streams the microphone to a server and records it to a file.
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

/// Writes buffers as HTTP Live Streaming.
///
/// Returns after `nextBuffer` returned `nil`.
func streamToFolder(_ path: String, _ nextBuffer: @escaping @Sendable () -> PCMBuffer?) async throws {
    // snippet: stream-to-folder
    let source = CaptureSource.program(sampleRate: 48_000, channelCount: 1, nextBuffer)
    let sink = StreamingSink(.hls(HLSFolder(path: path)))
    let recorder = Recorder(source: source, sinks: [.accessUnits(to: sink)])
    try await recorder.start()
    await recorder.waitUntilFinished()
    // end
}

// snippet: custom-destination
/// Sends the payloads of all access units to a pipe or a file.
final class PayloadDestination: StreamingDestination, StreamingConnection {
    let name = "payloads"
    let handle: FileHandle
    init(_ handle: FileHandle) { self.handle = handle }
    func connect(_ format: RecordingFormat) -> any StreamingConnection { self }
    func send(_ unit: AccessUnit) throws { try handle.write(contentsOf: unit.payload) }
    func close(isComplete: Bool) {}
}
// end
