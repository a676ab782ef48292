// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import Foundation
import LiveAudio
import Synchronization
import TestSupport
import Testing

/// A recording of several sources that hear the same pulses, with one channel per source.
final class PulseRecording: Sendable {
    /// What the recording has delivered.
    private final class Heard: Sendable {
        let state: Mutex<(detectors: [PulseDetector], frameCount: Int, events: [RecorderEvent])>

        init(sourceCount: Int) {
            state = Mutex((Array(repeating: PulseDetector(rate: PulseRecording.rate), count: sourceCount), 0, []))
        }
    }

    /// The sample rate: low, so that debug builds are fast enough.
    static let rate = 16_000

    let server: SoundServer
    let recorder: Recorder
    private let names: [String]
    private let heard: Heard
    private let witness: SchedulingWitness

    /// Creates a recording of sources with different names, without starting it.
    init(_ server: SoundServer, _ sources: [RecorderSource]) {
        self.server = server
        names = sources.map(\.name)
        let heard = Heard(sourceCount: sources.count)
        self.heard = heard
        witness = SchedulingWitness(server.processes + [getpid()])
        recorder = Recorder(
            RecorderConfiguration(sampleRate: Self.rate), sources: sources,
            sinks: [
                .samples { buffer in
                    heard.state.withLock { state in
                        for index in state.detectors.indices { state.detectors[index].accept(buffer.channel(index)) }
                        state.frameCount += buffer.frameCount
                    }
                }
            ])
        let events = recorder.events
        Task { for await event in events { heard.state.withLock { $0.events.append(event) } } }
    }

    /// Returns a source of the server, mixed to mono.
    static func source(_ name: String, _ device: String, _ server: SoundServer, rate: Int = rate) -> RecorderSource {
        RecorderSource(name, source: .pulseAudio(server: server.address), capture: capture(device, rate: rate))
    }

    static func capture(_ device: String, rate: Int = rate) -> CaptureConfiguration {
        var capture = CaptureConfiguration(device: device, sampleRate: rate, channelCount: 1)
        capture.stallTimeout = .seconds(20)
        capture.staysOnDevice = true
        return capture
    }

    /// Plays pulses to both microphones for some seconds.
    static func play(_ server: SoundServer, seconds: Int) throws -> [PlayingProgram] {
        let second = PulseTrain.samples(at: 0, rate: 48_000, count: 48_000).map { Int16($0 * 32_000) }
        var samples: [Int16] = []
        samples.reserveCapacity(seconds * second.count)
        for _ in 0..<seconds { samples += second }
        return try ["mic", "stereomic"].map { try server.play(samples, to: $0, channels: 1) }
    }

    /// The centers of the pulses of each source, in seconds.
    var centers: [[Double]] { heard.state.withLock { $0.detectors.map(\.centers) } }
    var frameCount: Int { heard.state.withLock { $0.frameCount } }

    /// The events of a source so far.
    func events(of source: Int) -> [CaptureEvent] {
        heard.state.withLock { state in
            state.events.compactMap { if case .source(names[source], let event) = $0 { event } else { nil } }
        }
    }

    func wait(for event: CaptureEvent, of source: Int, sourceLocation: SourceLocation = #_sourceLocation) async {
        let isThere = await Wait.until { events(of: source).contains(event) }
        #expect(isThere, "no \(event) of \(names[source]) among \(events(of: source))", sourceLocation: sourceLocation)
    }

    /// Waits until each source has heard some more pulses.
    func listen(pulses: Int, sources: [Int] = [0, 1], sourceLocation: SourceLocation = #_sourceLocation) async {
        let wanted = centers.map { $0.count + pulses }
        let isHeard = await Wait.until(Double(pulses) + 60) { sources.allSatisfy { centers[$0].count >= wanted[$0] } }
        #expect(isHeard, "\(centers.map(\.count)) of \(wanted) pulses", sourceLocation: sourceLocation)
    }

    /// The distances of the second source's pulses from the first source's pulses, in seconds.
    func offsets(from time: Double = 0) -> [Double] {
        let centers = centers
        return centers[1].filter { $0 >= time }.compactMap { center in
            centers[0].map { center - $0 }.min { abs($0) < abs($1) }.flatMap { abs($0) < 0.5 ? $0 : nil }
        }
    }

    /// Expects offsets of at most 1 ms, plus the time that programs waited for a processor: alignment measures arrival times.
    ///
    /// A busy machine can delay all arrivals for seconds, so that if programs waited for a tenth of the recording, half of the offsets count.
    func expectAlignment(from time: Double = 0, sourceLocation: SourceLocation = #_sourceLocation) {
        let offsets = offsets(from: time).map(abs).sorted()
        let (largest, median) = (offsets.last ?? .infinity, offsets.isEmpty ? .infinity : offsets[offsets.count / 2])
        let waited = witness.seconds
        let isStarved = waited > Double(frameCount) / Double(Self.rate) / 10
        let text = """
            \(Test.current?.name ?? ""), \(server.kind): \(largest * 1000) ms, median \(median * 1000) ms in \(offsets.count) pulses, \
            waited \(waited) s
            """
        #expect(largest <= 0.001 + min(waited, 0.02) || isStarved && median <= 0.001, "\(text)", sourceLocation: sourceLocation)
        if largest > 0.001 || ProcessInfo.processInfo.environment["LINNET_VERBOSE"] != nil { print(text) }
    }
}
