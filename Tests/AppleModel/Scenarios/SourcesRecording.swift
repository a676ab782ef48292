// SPDX-License-Identifier: Apache-2.0

import AppleModel
import AudioDevices
import AudioPrimitives
import LiveAudio
import VirtualTime

/// An irregular train of pulses: some seconds lack one, so that a shift by whole seconds is found.
enum IrregularTrain {
    static func hasPulse(_ second: Int) -> Bool { second % 7 != 3 && second % 11 != 5 }

    /// Returns less than 0.9 s of samples from a host time in seconds.
    static func samples(at time: Double, rate: Double, count: Int) -> [Float] {
        guard hasPulse(Int(time + Double(count) / rate / 2)) else { return [Float](repeating: 0, count: count) }
        return PulseTrain.samples(at: time, rate: rate, count: count)
    }

    /// Returns the number of pulses between two host times in seconds.
    static func count(from start: Double, to end: Double) -> Int {
        (Int(start)...Int(end)).count { hasPulse($0) && (start...end).contains(Double($0) + 0.5) }
    }
}

/// A recording of several sources with the pulses that each of them heard.
final class SourcesRecording: @unchecked Sendable {
    let recorder: Recorder
    private(set) var events: [(time: Double, source: String, event: CaptureEvent)] = []
    private(set) var start = Machine.now
    private let listener: Listener
    private let rate: Int

    /// Finds the pulses of each channel.
    private final class Listener: PCMSink, @unchecked Sendable {
        let name = "pulses"
        var detectors: [PulseDetector] = []

        func begin(_ format: RecordingFormat) {
            detectors = (0..<format.channelCount).map { _ in PulseDetector(rate: format.sampleRate) }
        }
        func append(_ buffer: PCMBuffer) {
            for channel in detectors.indices { detectors[channel].accept(Array(buffer.samples[buffer.range(ofChannel: channel)])) }
        }
        func finish() {}
    }

    /// Creates a recorder with one channel per source.
    init(_ sources: [RecorderSource], rate: Int) {
        listener = Listener()
        self.rate = rate
        recorder = Recorder(RecorderConfiguration(sampleRate: rate), sources: sources, sinks: [.samples(to: listener)])
        let events = recorder.events
        Task {
            for await event in events {
                if case .source(let name, let event) = event { self.events.append((Machine.now, name, event)) }
            }
        }
    }

    /// Starts and returns the error, if any.
    func begin() async -> DeviceError? {
        do {
            try await recorder.start()
            start = Machine.now
            return nil
        } catch {
            return error
        }
    }

    func end() async {
        await recorder.stop()
        await sleep(0.05)
    }

    // MARK: Questions

    var summary: RecordingSummary { recorder.summary }
    var seconds: Double { Double(summary.frameCount) / Double(rate) }
    /// The centers of a source's pulses in seconds since the start of the recording.
    func pulses(_ index: Int) -> [Double] { listener.detectors.indices.contains(index) ? listener.detectors[index].centers : [] }

    /// Returns the maximum distance in seconds from a source's pulses to the nearest one of another source.
    func offset(of index: Int, from other: Int) -> Double {
        pulses(index).map { center in pulses(other).map { abs($0 - center) }.min() ?? .infinity }.max() ?? .infinity
    }

    /// The recorded seconds per second of host time, from the first source's first and last pulse.
    var pace: Double {
        guard let first = pulses(0).first, let last = pulses(0).last else { return 0 }
        let distance = last - first
        return distance / distance.rounded()
    }

    /// Returns the seconds from a time to a source's first matching event after it.
    func delay(of source: String, after time: Double, _ event: (CaptureEvent) -> Bool) -> Double {
        events.first { $0.time >= time && $0.source == source && event($0.event) }.map { $0.time - time } ?? .infinity
    }

    /// Whether a source has delivered all its audio.
    func isWhole(_ source: String) -> Bool {
        let capture = summary.sources.first { $0.name == source }?.capture ?? CaptureStatistics()
        return capture.recordedFrames > 0 && capture.filledFrames == 0 && capture.discontinuities == 0
            && !events.contains { $0.source == source && isInterrupted($0.event) }
    }

    /// The events, the offsets and the counts.
    var log: String {
        let list = events.map { "\($0.source): \(name(of: $0.event)) +\(Int((($0.time - start) * 1000).rounded())) ms" }
        let offsets = listener.detectors.indices.dropFirst().map { "\((offset(of: $0, from: 0) * 1e6).rounded()) µs" }
        let counts = listener.detectors.map(\.centers.count)
        return "\(list.joined(separator: ", ")); \(summary.frameCount) frames, pulses \(counts), offsets \(offsets)"
    }
}

extension Report {
    /// Starts a recording and requires success.
    mutating func startSources(_ sources: [RecorderSource], rate: Int) async -> SourcesRecording {
        let recording = SourcesRecording(sources, rate: rate)
        checkStarted(await recording.begin())
        return recording
    }

    /// Requires a number of pulses of a source.
    mutating func checkPulses(_ recording: SourcesRecording, _ index: Int, _ count: ClosedRange<Int>) {
        let found = recording.pulses(index).count
        check(count.contains(found), "source \(index) has \(found) pulses, not \(count): \(recording.log)")
    }
    /// Requires that a source's pulses are within 1 ms of those of another source.
    mutating func checkAligned(_ recording: SourcesRecording, _ index: Int = 1, with other: Int = 0) {
        let offset = recording.offset(of: index, from: other)
        check(offset <= 0.001, "source \(index) is off by \(offset * 1000) ms: \(recording.log)")
    }
}
