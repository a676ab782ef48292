// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioDevices
import AudioPrimitives
import Foundation
import Testing

/// A capture that runs on a private server, and hears numbered frames.
///
/// Its default source is `vstereo`; `other` hears the same. The numbers tell how much time passed at the server between any two frames,
/// whatever happened in between.
struct ServerRecording {
    /// How far the length of a gap may be from the truth, in frames.
    ///
    /// It is measured by when sound arrives: on a quiet machine it is right to 0 to 4 frames on PulseAudio. PipeWire gives a period at a time
    /// in fragments, and what doesn't fill one comes a period later: the measure is good to a fragment.
    private var gapTolerance: Int { server.kind == .pulseaudio ? 48 : 480 }

    /// PipeWire's virtual sources delay sound by up to a period, each differently and after each start anew: numbers jump by so many frames.
    private static let sourceDelay = 2048

    let server: SoundServer
    let capture: AudioCapture
    let record: CaptureRecord
    let player: PlayingProgram

    init(_ kind: SoundServer.Kind, _ change: (inout CaptureConfiguration) -> Void = { _ in }) async throws {
        server = try SoundServer(kind)
        try await server.addSource("other")
        try await server.makeDefault("vstereo")
        var configuration = CaptureConfiguration(sampleFormat: .int16)
        configuration.bufferDuration = .milliseconds(10)
        configuration.stallTimeout = .seconds(20)
        change(&configuration)
        capture = AudioCapture(configuration, backend: PulseCaptureBackend(server: server.address))
        let record = CaptureRecord(capture)
        self.record = record
        try await capture.start { record.take($0) }
        player = try server.play(CountedSignal.long, to: "stereomic", channels: 2)
        #expect(await Wait.until { record.latestNumber > 0 })
    }

    /// Lets so much more sound arrive.
    func listen(seconds: Double, sourceLocation: SourceLocation = #_sourceLocation) async {
        let end = record.frames + Int(seconds * 48_000)
        #expect(await Wait.until(seconds + 60) { record.frames >= end }, sourceLocation: sourceLocation)
    }

    /// Stops, and expects that every frame since the start is there, once: real, or marked and told as filled.
    func stopAndCheck(sourceLocation: SourceLocation = #_sourceLocation) async {
        await capture.stop()
        let statistics = capture.statistics
        // Events come to their readers in their own time.
        #expect(await Wait.until { record.events.last == .stopped }, sourceLocation: sourceLocation)
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
    }

    /// Records up to three times, until a recording has the right length: now and then a busy machine lets all sound arrive late.
    static func attempt(_ record: () async throws -> Bool, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        for _ in 0..<2 where try await record() { return }
        #expect(try await record(), sourceLocation: sourceLocation)
    }

    /// Stops; whether the recording is as long as the server's count of the same time.
    ///
    /// To the frame where the server lost nothing. Where it did, it tells nobody how much: that is measured by when sound arrives.
    func stopAndCompareNumbers(onSameSource isSame: Bool = false, sourceLocation: SourceLocation = #_sourceLocation) async -> Bool {
        // Behind a gap it takes a moment until its length is known.
        await listen(seconds: 2, sourceLocation: sourceLocation)
        #expect(await Wait.until { record.latestNumber > 0 }, sourceLocation: sourceLocation)
        #expect(player.isPlaying, sourceLocation: sourceLocation)
        await stopAndCheck(sourceLocation: sourceLocation)
        guard let excess = CountedSignal.excess(stereo: record.samples) else { return false }
        let blur = capture.statistics.discontinuities == 0 ? 0 : gapTolerance
        let tolerance = server.kind == .pipewire && !isSame ? Self.sourceDelay + gapTolerance : blur
        return isWithin(tolerance, Double(excess))
    }

    /// Stops; whether the recording is as long as the time of the host's clock, by when sound arrived before and behind its gaps.
    ///
    /// For what no server counts, as the time in which it wasn't there.
    func stopAndCompareClock(sourceLocation: SourceLocation = #_sourceLocation) async -> Bool {
        await listen(seconds: 2, sourceLocation: sourceLocation)
        await stopAndCheck(sourceLocation: sourceLocation)
        guard let first = record.fillings.first, let last = record.fillings.last,
            let before = record.leastLag(in: 0..<first.lowerBound), let after = record.leastLag(in: last.upperBound..<record.frames)
        else { return false }
        return isWithin(gapTolerance, Double(before - after) * 48_000 / 1e9)
    }

    /// Stops in the middle of a gap; whether the recording lasts until then by the host's clock.
    func stopInGapAndCompareClock(sourceLocation: SourceLocation = #_sourceLocation) async -> Bool {
        let least = HostClock.now
        await capture.stop()
        let most = HostClock.now
        await stopAndCheck(sourceLocation: sourceLocation)
        guard let lag = record.leastLag(in: 0..<record.frames) else { return false }
        let range = [least, most].map { Double($0 - lag) * 48_000 / 1e9 }
        let frames = Double(record.frames)
        return isWithin(gapTolerance, frames - min(max(frames, range[0]), range[1]))
    }

    private func isWithin(_ tolerance: Int, _ excess: Double) -> Bool {
        let isWithin = abs(excess) <= Double(tolerance)
        // One that was too busy to tell shows in the output, and so does how sharp the others are.
        if ProcessInfo.processInfo.environment["LINNET_VERBOSE"] != nil || !isWithin {
            print(
                "\(Test.current?.name ?? ""), \(server.kind): \(excess) frames too many of \(record.frames), \(record.filledFrames) filled")
        }
        return isWithin
    }
}
