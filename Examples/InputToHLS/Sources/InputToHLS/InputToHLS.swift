// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import LiveAudio
import LiveStreaming

/// Streams standard input, in any format readable from pipes, to an HLS folder for a web server: `InputToHLS FOLDER`.
@main enum InputToHLS {
    static func main() async throws {
        guard CommandLine.arguments.count == 2 else { fatalError("usage: InputToHLS FOLDER") }
        var folder = HLSFolder(path: CommandLine.arguments[1])
        folder.playlistKind = .event
        let input = try AudioFile(path: "-")
        let recorder = Recorder(source: .file(input, pace: .unpaced), sinks: [.accessUnits(to: StreamingSink(.hls(folder)))])
        try await recorder.start()
        let summary = await recorder.waitUntilFinished()
        if let failure = summary.failure ?? summary.sinkFailures.values.first { throw failure }
        print("\(summary.accessUnitCount) access units")
    }
}
