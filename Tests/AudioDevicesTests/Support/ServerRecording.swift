// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import Foundation
import TestSupport
import Testing

/// A capture that runs on a private server, and receives numbered frames.
///
/// Its default source is `vstereo`; `other` has the same audio. The numbers tell how much time passed at the server between any two frames,
/// whatever happened in between.
struct ServerRecording {
    /// How far the length of a gap may be from the truth, in frames.
    ///
    /// It is measured by when audio arrives: on a quiet machine it is right to 0 to 4 frames on PulseAudio. PipeWire gives a period at a time
    /// in fragments, and what doesn't fill one comes a period later: the measure is good to a fragment.
    private var gapTolerance: Int { server.kind == .pulseaudio ? 48 : 480 }

    /// PipeWire's virtual sources delay audio by up to a period, each differently and after each start anew: numbers jump by so many frames.
    private static let sourceDelay = 2048

    let server: SoundServer
    let capture: AudioCapture
    let record: CaptureRecord
    let player: PlayingProgram
    private let witness: SchedulingWitness

    init(_ kind: SoundServer.Kind, _ change: (inout CaptureConfiguration) -> Void = { _ in }) async throws {
        server = try SoundServer(kind)
        try await server.addSource("other")
        try await server.makeDefault("vstereo")
        var configuration = CaptureConfiguration(sampleFormat: .int16)
        configuration.bufferDuration = .milliseconds(10)
        configuration.stallTimeout = .seconds(20)
        change(&configuration)
        witness = SchedulingWitness(server.processes + [getpid()])
        capture = AudioCapture(configuration, source: .pulseAudio(server: server.address))
        let record = CaptureRecord(capture)
        self.record = record
        try await capture.start { record.take($0) }
        player = try server.play(CountedSignal.long, to: "stereomic", channels: 2)
        #expect(await Wait.until { record.latestNumber > 0 })
    }

    /// Waits until so much more audio has arrived.
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

    /// Stops, and expects that the recording is as long as the server's count of the same time.
    ///
    /// To the frame where the server lost nothing. Where it did, it doesn't report how much: that is measured by when audio arrives.
    ///
    /// - Parameters:
    ///   - isSame: Whether all audio came from one source.
    ///   - gaps: The number of gaps; more of them must be losses of the server, which the numbers of the frames show.
    func stopAndCompareNumbers(
        onSameSource isSame: Bool = false, gaps: Int? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        // After a gap it takes a moment until its length is known.
        await listen(seconds: 2, sourceLocation: sourceLocation)
        #expect(await Wait.until { record.latestNumber > 0 }, sourceLocation: sourceLocation)
        #expect(player.isPlaying, sourceLocation: sourceLocation)
        await stopAndCheck(sourceLocation: sourceLocation)
        guard let excess = CountedSignal.excess(stereo: record.samples) else {
            Issue.record("no numbered frames", sourceLocation: sourceLocation)
            return
        }
        let blur = capture.statistics.discontinuities == 0 ? 0 : gapTolerance
        let tolerance = server.kind == .pipewire && !isSame ? Self.sourceDelay + gapTolerance : blur
        expectWithin(tolerance, Double(excess), sourceLocation: sourceLocation)
        if let gaps { expectGaps(gaps, sourceLocation: sourceLocation) }
    }

    /// Expects a number of gaps, or more if the server lost frames besides.
    private func expectGaps(_ gaps: Int, sourceLocation: SourceLocation) {
        let count = capture.statistics.discontinuities
        let losses = CountedSignal.losses(stereo: record.samples)
        #expect(count >= gaps && count <= max(gaps, losses), "\(losses) losses by the numbers", sourceLocation: sourceLocation)
        if count != gaps { print("\(Test.current?.name ?? ""), \(server.kind): \(count) gaps, \(losses) losses by the numbers") }
    }

    /// Stops, and expects that the recording is as long as the time of the host's clock, by when audio arrived before and after its gaps.
    ///
    /// For what no server counts, such as the time in which it didn't run.
    func stopAndCompareClock(sourceLocation: SourceLocation = #_sourceLocation) async {
        await listen(seconds: 2, sourceLocation: sourceLocation)
        await stopAndCheck(sourceLocation: sourceLocation)
        guard let first = record.fillings.first, let last = record.fillings.last,
            let before = record.leastLag(in: 0..<first.lowerBound), let after = record.leastLag(in: last.upperBound..<record.frames)
        else {
            Issue.record("no gap with audio before and after it", sourceLocation: sourceLocation)
            return
        }
        expectWithin(gapTolerance, Double(before - after) * 48_000 / 1e9, sourceLocation: sourceLocation)
    }

    /// Stops in a gap, and expects that the recording lasts until then by the host's clock.
    func stopInGapAndCompareClock(sourceLocation: SourceLocation = #_sourceLocation) async {
        let least = HostClock.now
        await capture.stop()
        let most = HostClock.now
        await stopAndCheck(sourceLocation: sourceLocation)
        guard let lag = record.leastLag(in: 0..<record.frames) else {
            Issue.record("no audio", sourceLocation: sourceLocation)
            return
        }
        let range = [least, most].map { Double($0 - lag) * 48_000 / 1e9 }
        let frames = Double(record.frames)
        expectWithin(gapTolerance, frames - min(max(frames, range[0]), range[1]), sourceLocation: sourceLocation)
    }

    /// Expects an excess in frames within a tolerance, and within the time that the programs waited for a processor.
    ///
    /// Lengths of gaps are measured by when audio arrives, so a program that waits for a processor can make them wrong by as much; what more than
    /// a second of it explains is a fault.
    private func expectWithin(_ tolerance: Int, _ excess: Double, sourceLocation: SourceLocation) {
        let waited = witness.seconds
        #expect(
            abs(excess) <= Double(tolerance) + min(waited, 1) * 48_000, "waited \(waited) s for a processor", sourceLocation: sourceLocation
        )
        // A result that only the witness explains shows in the output.
        if ProcessInfo.processInfo.environment["LINNET_VERBOSE"] != nil || abs(excess) > Double(tolerance) {
            print(
                "\(Test.current?.name ?? ""), \(server.kind): \(excess) frames too many of \(record.frames), \(record.filledFrames) filled, "
                    + "\(waited) s waited for a processor")
        }
    }
}
