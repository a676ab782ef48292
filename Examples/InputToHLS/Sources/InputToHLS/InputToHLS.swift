// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import LiveAudio
import LiveStreaming

/// Sends standard input, in any format that is read from pipes, to a folder that a web server serves: `InputToHLS FOLDER`.
@main enum InputToHLS {
    static func main() async throws {
        guard CommandLine.arguments.count == 2 else { fatalError("usage: InputToHLS FOLDER") }
        var folder = HLSFolder(path: CommandLine.arguments[1])
        folder.playlistKind = .event
        let input = try AudioFile(path: "-")
        let recorder = Recorder(source: .file(input, pace: .unpaced), sinks: [.accessUnits(to: StreamingSink(.hls(folder)))])
        try await recorder.start()
        let summary = await recorder.waitUntilFinished()
        if let failure = summary.failure { throw failure }
        print("\(summary.accessUnitCount) access units")
    }
}
