// SPDX-License-Identifier: Apache-2.0

public import AudioDevices
internal import AudioPrimitives
public import LiveAudio

extension Recorder {
    /// Adapts the recording's bit rate to its slowest live destination until the recording ends or the task is cancelled.
    ///
    /// ```swift
    /// let sink = StreamingSink(try StreamingAddress("rtmp://live.example.com/app/key"))
    /// let recorder = Recorder(RecorderConfiguration(preset: .high), sinks: [.accessUnits(to: sink), .file("talk.m4a")])
    /// try await recorder.start()
    /// try await recorder.adaptBitRate(in: 32_000...128_000, to: [sink])
    /// ```
    ///
    /// The rate drops within seconds when access units queue up for a destination, and rises in steps when the queues are short again. Up
    /// to a rate that has worked before it rises within seconds, beyond it after a pause of up to two minutes. Ignores folders and
    /// destinations without a connection. Files of the same recording also change their rate.
    ///
    /// - Parameters:
    ///   - range: The lowest and the highest bit rate, in bits per second.
    ///   - sinks: The live destinations.
    /// - Throws: ``/AudioDevices/DeviceError/notRecording`` before the start; ``/AudioDevices/DeviceError/encoding(_:)`` if a bound of the
    ///   range is not supported or the recording has constant quality.
    public func adaptBitRate(in range: ClosedRange<Int>, to sinks: [StreamingSink]) async throws(DeviceError) {
        try await BitRateAdapter(self, sinks: sinks, range: range, clock: ContinuousClock()).run()
    }
}

/// Adapts a recording's bit rate to its live destinations.
package final class BitRateAdapter: Sendable {
    /// The sampling interval: four samples per comparison window.
    private static let interval = Duration.seconds(LinkMonitor.window / 4)

    private let recorder: Recorder
    private let sinks: [StreamingSink]
    private let range: ClosedRange<Int>
    /// The time since the start.
    private let elapsed: @Sendable () -> Duration
    private let pause: @Sendable (Duration) async throws -> Void

    package init(_ recorder: Recorder, sinks: [StreamingSink], range: ClosedRange<Int>, clock: some Clock<Duration>) {
        self.recorder = recorder
        self.sinks = sinks
        self.range = range
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        pause = { try await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil) }
    }

    /// Adapts the bit rate until the recording ends or the task is cancelled.
    ///
    /// Must be called after the recording has started.
    package func run() async throws(DeviceError) {
        let supported = recorder.supportedBitRates
        // Throws because the recording does not support this rate.
        for bound in [range.lowerBound, range.upperBound] where supported?.contains(bound) != true { try recorder.setBitRate(bound) }
        var control = AdaptiveBitRate(range, bitRate: recorder.bitRate ?? range.upperBound, linkCount: sinks.count)
        var rate = control.bitRate
        while true {
            do { try recorder.setBitRate(rate) } catch .notRecording { return }
            do { try await pause(Self.interval) } catch { return }
            rate = control.update(sinks.map { $0.limitsBitRate ? $0.statistics : nil }, at: elapsed().inSeconds)
        }
    }
}
