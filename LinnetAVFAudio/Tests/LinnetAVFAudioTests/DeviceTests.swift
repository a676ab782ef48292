// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinnetAVFAudio
import Testing

@Suite struct DeviceTests {
    /// Temporary files, removed with the test.
    private let folder = TemporaryFolder()

    @Test("Plays a tone to a sound server and records it to a file", .timeLimit(.minutes(1)))
    func playAndRecord() throws {
        let engine = AVAudioEngine()
        // The input may appear after the first query.
        _ = engine.inputNode.outputFormat(forBus: 0)
        let server = try SoundServer(folder: folder.url("server").path)
        defer { server.stop() }
        let input = engine.inputNode.outputFormat(forBus: 0)
        #expect(input.sampleRate > 0 && input.channelCount > 0)
        let player = AVAudioPlayerNode()
        engine.attach(player)
        // Both output channels are equal, so that a mono input has the same level.
        let mono = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        engine.connect(player, to: engine.mainMixerNode, format: mono)
        player.scheduleBuffer(try tone(mono, frameCount: 480, hertz: 500), at: nil, options: .loops)

        let url = folder.url("loop.m4a")
        let settings: [String: Any] = [
            AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: input.sampleRate, AVNumberOfChannelsKey: input.channelCount,
        ]
        let file = try AVAudioFile(forWriting: url, settings: settings)
        let recorded = DispatchSemaphore(value: 0)
        nonisolated(unsafe) var loudBuffers = 0
        engine.inputNode.installTap(onBus: 0, bufferSize: 2400, format: input) { buffer, _ in
            guard loudBuffers < 20, loudBuffers > 0 || level(buffer) > 0.3 else { return }
            loudBuffers += 1
            do { try file.write(from: buffer) } catch { Issue.record(error) }
            if loudBuffers == 20 { recorded.signal() }
        }
        try engine.start()
        player.play()
        #expect(recorded.wait(timeout: .now() + 30) == .success)
        engine.inputNode.removeTap(onBus: 0)
        engine.stop()
        file.close()

        let reading = try AVAudioFile(forReading: url)
        #expect(reading.length == 48_000)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: reading.processingFormat, frameCapacity: 48_000))
        try reading.read(into: buffer)
        let data = try #require(buffer.floatChannelData)
        // A 500 Hz tone has fifty zero crossings in 50 ms. With thirty busy programs, most parts have a gap.
        let wholePieces = (0..<20).filter { piece in
            let crossings = (piece * 2400 + 1..<(piece + 1) * 2400).filter { (data[0][$0 - 1] < 0) != (data[0][$0] < 0) }.count
            return abs(crossings - 50) <= 1 && abs(level(buffer, from: piece * 2400, count: 2400) - 0.3536) < 0.02
        }
        #expect(wholePieces.count >= 3)
    }
}

/// A private sound server whose default input is the monitor of its default output.
///
/// Used by one test.
private final class SoundServer {
    private let folder: String

    init(folder: String) throws {
        self.folder = folder
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Self.run(["start", "pulseaudio", folder])
        setenv("PULSE_SERVER", "unix:\(folder)/native", 1)
        setenv("PULSE_SINK", "mic", 1)
    }

    func stop() {
        unsetenv("PULSE_SERVER")
        unsetenv("PULSE_SINK")
        do { try Self.run(["stop", folder]) } catch { Issue.record(error) }
    }

    private static func run(_ arguments: [String]) throws {
        let script = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../Scripts/Support/sound-server").standardized
        let process = Process()
        process.executableURL = script
        process.arguments = arguments
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "Scripts/Support/sound-server \(arguments.joined(separator: " "))")
    }
}
