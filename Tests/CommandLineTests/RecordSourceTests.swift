// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import LinnetCommand
import Testing

#if os(Linux)
/// The source that the options of a microphone select.
@Suite struct RecordSourceTests {
    private static func source(_ words: String) throws -> CaptureSource {
        let parser = ArgumentParser(command: "linnet record", options: RecordCommand.options)
        return try RecordOptions.source(nil, parser.parse(("--backend alsa " + words).split(separator: " ").map(String.init)))
    }

    @Test(
        "Noise suppression and gain control apply without echo cancellation",
        arguments: [
            ("--noise high", .init(noiseSuppression: .high)), ("--level", .init(controlsGain: true)),
            ("--noise low --level", .init(noiseSuppression: .low, controlsGain: true)),
        ] as [(String, EchoCancellationOptions)])
    func voice(words: String, options: EchoCancellationOptions) throws {
        guard case .processingVoice(.backend(let microphone), options) = try Self.source(words) else {
            Issue.record("\(words) is ignored")
            return
        }
        #expect(microphone.kind == .alsa)
    }

    @Test("A microphone is unprocessed by default", arguments: ["", "--noise off"])
    func unprocessed(words: String) throws {
        guard case .backend(let microphone) = try Self.source(words) else {
            Issue.record("'\(words)' has a processing")
            return
        }
        #expect(microphone.kind == .alsa)
    }
}
#endif
