// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioDevices
import AudioPrimitives
import Foundation
import Testing

/// A capture that runs on a private server.
struct ServerRecording {
    let server: SoundServer
    let capture: AudioCapture
    let record: CaptureRecord
    let started: Date

    init(_ kind: SoundServer.Kind, _ change: (inout CaptureConfiguration) -> Void = { _ in }) throws {
        server = try SoundServer(kind)
        var configuration = CaptureConfiguration(sampleFormat: .int16)
        configuration.bufferDuration = 0.01
        configuration.stallTimeout = 20
        change(&configuration)
        capture = AudioCapture(configuration, backend: PulseCaptureBackend(server: server.address))
        let record = CaptureRecord(capture)
        self.record = record
        try capture.start { record.take($0) }
        started = .now
    }

    /// Lets so much more sound arrive.
    func listen(seconds: Double, sourceLocation: SourceLocation = #_sourceLocation) async {
        let end = record.frames + Int(seconds * 48_000)
        #expect(await Wait.until(seconds + 20) { record.frames >= end }, sourceLocation: sourceLocation)
    }

    /// Stops, and expects that every frame of time since the start is there, once: real, or marked as filled.
    func stopAndCheck(within tolerance: Double = 0.5, sourceLocation: SourceLocation = #_sourceLocation) async {
        capture.stop()
        let elapsed = Date.now.timeIntervalSince(started)
        let statistics = capture.statistics
        // Events come to their readers in their own time.
        #expect(await Wait.until(10) { record.events.last == .stopped }, sourceLocation: sourceLocation)
        #expect(record.breaks == 0, sourceLocation: sourceLocation)
        #expect(record.frames == statistics.recordedFrames + statistics.filledFrames, sourceLocation: sourceLocation)
        #expect(record.filledFrames == statistics.filledFrames, sourceLocation: sourceLocation)
        let reported = record.events.reduce(0) { sum, event in
            switch event {
            case .discontinuity(let frames), .overrun(let frames): sum + frames
            default: sum
            }
        }
        #expect(reported == statistics.filledFrames, sourceLocation: sourceLocation)
        #expect(record.hasOrderedHostTimes, sourceLocation: sourceLocation)
        let seconds = Double(record.frames) / 48_000
        #expect(abs(seconds - elapsed) < tolerance, "recorded \(seconds) s in \(elapsed) s", sourceLocation: sourceLocation)
    }
}
