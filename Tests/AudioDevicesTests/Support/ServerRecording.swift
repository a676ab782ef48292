// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import Foundation
import TestSupport
import Testing

/// A capture from a private server that plays numbered frames.
///
/// Its default source is `vstereo`; `other` has the same audio. The numbers determine how much time passed at the server between any two
/// frames, regardless of events in between.
struct ServerRecording {
    /// The tolerance of gap lengths, in frames.
    ///
    /// Gap lengths are measured from arrival times. On a quiet machine they are accurate to 0 to 4 frames on PulseAudio. PipeWire delivers
    /// periods in fragments, and an incomplete fragment arrives a period later, so the accuracy is one fragment.
    private var gapTolerance: Int { server.kind == .pulseaudio ? 48 : 480 }

    /// PipeWire's virtual sources delay audio by up to a period, each differently and after each restart: numbers jump by as many frames.
    private static let sourceDelay = 2048

    let server: SoundServer
    let capture: AudioCapture
    let record: CaptureRecord
    let player: PlayingProgram
    private let witness: SchedulingWitness

    /// Starts a capture, and then a player.
    ///
    /// - Parameters:
    ///   - kind: The server.
    ///   - output: The default output.
    ///   - change: Changes the configuration.
    init(_ kind: SoundServer.Kind, output: String = "mic", _ change: (inout CaptureConfiguration) -> Void = { _ in }) async throws {
        server = try SoundServer(kind)
        if output != "mic" { try await server.makeDefaultOutput(output) }
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

    /// Waits until `seconds` more audio has arrived.
    func listen(seconds: Double, sourceLocation: SourceLocation = #_sourceLocation) async {
        let end = record.frames + Int(seconds * 48_000)
        #expect(await Wait.until(seconds + 60) { record.frames >= end }, sourceLocation: sourceLocation)
    }

    /// Stops, and expects every frame since the start once: captured, or marked and reported as filled.
    func stopAndCheck(sourceLocation: SourceLocation = #_sourceLocation) async {
        await capture.stop()
        let statistics = capture.statistics
        // Readers receive events asynchronously.
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

    /// Stops, and expects that the recording's length matches the server's count of the same time.
    ///
    /// The match is exact if the server lost nothing. Otherwise the server does not report the loss, which is measured from arrival times.
    ///
    /// - Parameters:
    ///   - isSame: Whether all audio came from one source.
    ///   - gaps: The expected number of gaps. More gaps must be server losses, visible in the frame numbers.
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

    /// Expects a number of gaps, or more if the server also lost frames.
    private func expectGaps(_ gaps: Int, sourceLocation: SourceLocation) {
        let count = capture.statistics.discontinuities
        let losses = CountedSignal.losses(stereo: record.samples)
        #expect(count >= gaps && count <= max(gaps, losses), "\(losses) losses by the numbers", sourceLocation: sourceLocation)
        if count != gaps { print("\(Test.current?.name ?? ""), \(server.kind): \(count) gaps, \(losses) losses by the numbers") }
    }

    /// Stops, and expects that the recording's length matches the host clock, from arrival times before and after its gaps.
    ///
    /// For time that no server counts, for example while it was not running.
    ///
    /// - Parameter hasGap: Whether there must be a gap. After a change of the device there may be none: if the new one has less latency, its
    ///   audio arrives up to a buffer earlier.
    func stopAndCompareClock(hasGap: Bool = true, sourceLocation: SourceLocation = #_sourceLocation) async {
        await listen(seconds: 2, sourceLocation: sourceLocation)
        await stopAndCheck(sourceLocation: sourceLocation)
        // A recording may begin with waiting.
        var start = 0
        for filling in record.fillings where filling.lowerBound == start { start = filling.upperBound }
        let gaps = record.fillings.drop { $0.lowerBound < start }
        // Without a gap, the first and the last second are compared.
        let middle = hasGap ? nil : start + 48_000..<max(start + 48_000, record.frames - 48_000)
        guard let gap = gaps.first.map({ $0.lowerBound..<(gaps.last ?? $0).upperBound }) ?? middle,
            let before = record.minimumLag(in: start..<gap.lowerBound), let after = record.minimumLag(in: gap.upperBound..<record.frames)
        else {
            Issue.record("no gap with audio before and after it", sourceLocation: sourceLocation)
            return
        }
        let latencyChange = gaps.isEmpty ? capture.format?.bufferFrames ?? 0 : 0
        expectWithin(gapTolerance + latencyChange, Double(before - after) * 48_000 / 1e9, sourceLocation: sourceLocation)
    }

    /// Stops in a gap, and expects that the recording extends to that time of the host clock.
    func stopInGapAndCompareClock(sourceLocation: SourceLocation = #_sourceLocation) async {
        let least = HostClock.now
        await capture.stop()
        let most = HostClock.now
        await stopAndCheck(sourceLocation: sourceLocation)
        guard let lag = record.minimumLag(in: 0..<record.frames) else {
            Issue.record("no audio", sourceLocation: sourceLocation)
            return
        }
        let range = [least, most].map { Double($0 - lag) * 48_000 / 1e9 }
        let frames = Double(record.frames)
        expectWithin(gapTolerance, frames - min(max(frames, range[0]), range[1]), sourceLocation: sourceLocation)
    }

    /// Expects an excess in frames within a tolerance plus the time that the programs waited for a processor.
    ///
    /// Gap lengths are measured from arrival times, so they can be wrong by the waiting time. Only one second of waiting counts; a larger
    /// excess is an error.
    private func expectWithin(_ tolerance: Int, _ excess: Double, sourceLocation: SourceLocation) {
        let waited = witness.seconds
        #expect(
            abs(excess) <= Double(tolerance) + min(waited, 1) * 48_000, "waited \(waited) s for a processor", sourceLocation: sourceLocation
        )
        // Prints results that only the waiting time explains.
        if ProcessInfo.processInfo.environment["LINNET_VERBOSE"] != nil || abs(excess) > Double(tolerance) {
            print(
                "\(Test.current?.name ?? ""), \(server.kind): \(excess) frames too many of \(record.frames), \(record.filledFrames) filled, "
                    + "\(waited) s waited for a processor")
        }
    }
}
