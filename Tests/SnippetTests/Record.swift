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

/// Records speech with parametric stereo.
func recordHighEfficiency() async throws {
    // snippet: record-he-aac-v2
    var configuration = RecorderConfiguration(rateControl: .average(bitRate: 32_000))
    configuration.settings.profile = .highEfficiencyV2
    let recorder = Recorder(configuration, sinks: [.file("talk.m4a")])
    // end
    try await recorder.start()
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
