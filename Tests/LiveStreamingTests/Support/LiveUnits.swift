// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import Foundation
import LiveAudio
import MPEG4Audio
import TestSupport
import Testing

/// Test access units, with functions to serialize and decode them.
enum LiveUnits {
    /// Returns access units of stereo noise at 48 kHz, encoded by FFmpeg.
    ///
    /// No two of them are equal.
    static func noise(seconds: Double) throws -> [AccessUnit] {
        let run = try ProgramRun(
            try ProgramRun.require("ffmpeg"),
            [
                "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:a=0.3:seed=1:d=\(seconds)", "-ac", "2", "-b:a", "64k", "-f", "adts",
                "-",
            ])
        return number(ADTSFrames(run.output)?.accessUnits ?? [])
    }

    /// Returns access units with random bytes.
    static func random(_ count: Int, sizes: ClosedRange<Int>, seed: UInt64) -> [AccessUnit] {
        var random = SeededRandom(seed: seed)
        return number(
            (0..<count).map { _ in
                (0..<Int.random(in: sizes, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
            })
    }

    /// Returns consecutive access units of 1024 frames at 48 kHz.
    private static func number(_ payloads: [[UInt8]]) -> [AccessUnit] {
        payloads.enumerated().map { index, payload in
            AccessUnit(payload: payload, presentationTime: MediaTime(value: Int64(index) * 1024, timescale: 48_000), duration: 1024)
        }
    }

    static func adts(_ accessUnits: [AccessUnit]) throws -> [UInt8] {
        var writer = try ADTSWriter(to: MemorySink(), #require(RecordingFormat.stereo48().audioSpecificConfig))
        for unit in accessUnits { try writer.append(unit) }
        return writer.sink.bytes
    }

    static func payloads(ofTransportStream bytes: [UInt8]) -> [[UInt8]] {
        var parser = TransportStreamParser()
        parser.append(bytes)
        parser.finish()
        var payloads: [[UInt8]] = []
        while let event = parser.nextEvent() {
            if case .accessUnit(let unit) = event { payloads.append(unit.accessUnit.payload) }
        }
        return payloads
    }

    /// Decodes a stream with FFmpeg.
    ///
    /// Returns its messages and the number of sample frames.
    static func decode(_ bytes: [UInt8], _ name: String) throws -> (messages: String, frameCount: Int) {
        let folder = try TemporaryFolder()
        let path = try folder.write(bytes, to: name)
        let run = try ProgramRun(
            try ProgramRun.require("ffmpeg"), ["-v", "error", "-i", path, "-f", "s16le", "-ac", "1", "-ar", "48000", "-"])
        return (run.errorText, run.output.count / 2)
    }
}

/// Waits up to 30 s until a condition holds.
///
/// Returns whether it holds.
func waitUntil(_ condition: () throws -> Bool) async throws -> Bool {
    let end = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < end {
        if try condition() { return true }
        try await Task.sleep(for: .milliseconds(10))
    }
    return try condition()
}

/// The number of open file descriptors of this process.
func openDescriptorCount() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }

func threadCount() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count }
