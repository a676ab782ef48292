// SPDX-License-Identifier: Apache-2.0

import LiveAudio

/// Records the default microphone: `MicrophoneToM4A OUTPUT.m4a SECONDS`.
@main enum MicrophoneToM4A {
    static func main() async throws {
        guard CommandLine.arguments.count == 3, let seconds = Double(CommandLine.arguments[2]) else {
            fatalError("usage: MicrophoneToM4A OUTPUT.m4a SECONDS")
        }
        var configuration = RecorderConfiguration()
        configuration.duration = .seconds(seconds)
        let recorder = Recorder(configuration, sinks: [.file(CommandLine.arguments[1])])
        try await recorder.start()
        let summary = await recorder.waitUntilFinished()
        if let failure = summary.failure ?? summary.sinkFailures.values.first { throw failure }
        print("\(summary.accessUnitCount) access units")
    }
}
