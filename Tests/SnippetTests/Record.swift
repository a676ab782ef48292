// SPDX-License-Identifier: Apache-2.0

import Linnet

/// Records five seconds to two files.
func record() async throws {
    // snippet: record
    let recorder = Recorder(sinks: [.file("talk.m4a"), .file("talk.wav")])
    try await recorder.start()
    try await Task.sleep(for: .seconds(5))
    let summary = await recorder.stop()
    // end
    _ = summary
}

/// Records to two sinks and prints the events.
func recordWithEvents(_ recorder: Recorder) async throws {
    // snippet: record-events
    let events = recorder.events
    try await recorder.start()
    for await event in events {
        switch event {
        case .capture(let change): print("device:", change)
        case .sinkFailed(let name, let error): print(name, "failed:", error)
        case .finished(let summary): print("finished:", summary)
        default: break
        }
    }
    // end
}
