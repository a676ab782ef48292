// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioConversion
import AudioDevices
import AudioFiles
import AudioPrimitives
import Foundation
import LiveAudio
import Synchronization
import TestSupport
import Testing

@Suite struct RecorderBitRateTests {
    private static func configuration(_ rateControl: AACEncoderConfiguration.RateControl) -> RecorderConfiguration {
        var configuration = RecorderConfiguration(rateControl: rateControl)
        configuration.settings.effort = .fast
        return configuration
    }

    /// Waits until a recording has a number of frames.
    private static func wait(for recorder: Recorder, frameCount: Int) async throws {
        while recorder.summary.frameCount < frameCount { try await Task.sleep(for: .milliseconds(2)) }
    }

    @Test("Bit rate changes during a recording; files and times continue")
    func change() async throws {
        let folder = try TemporaryFolder()
        let accessUnits = Mutex<[AccessUnit]>([])
        let source = GatedSource()
        let recorder = Recorder(
            Self.configuration(.constant(bitRate: 96_000)), source: .program(source),
            sinks: [.file(folder.path("a.m4a")), .accessUnits { accessUnit in accessUnits.withLock { $0.append(accessUnit) } }])
        let events = recorder.events
        try await recorder.start()
        #expect(recorder.bitRate == 96_000 && recorder.supportedBitRates == 7_500...288_000)
        let part = 96_000
        let rates = [96_000, 32_000, 144_000]
        for (index, rate) in rates.enumerated() {
            // The last of several rates before the next audio wins.
            if index > 0 { for rate in [64_000, rate] { try recorder.setBitRate(rate) } }
            source.release(part)
            try await Self.wait(for: recorder, frameCount: (index + 1) * part)
        }
        source.end()
        let summary = await recorder.waitUntilFinished()
        #expect(recorder.bitRate == 144_000 && recorder.format?.bitRate == 96_000)
        var changes: [Int] = []
        for await case .bitRateChanged(let rate) in events { changes.append(rate) }
        #expect(changes == [32_000, 144_000])
        let all = accessUnits.withLock { $0 }
        #expect(all.indices.allSatisfy { all[$0].presentationTime.value == Int64($0 * 1024 - 2112) })
        #expect(summary.accessUnitCount == all.count && summary.byteCount == all.reduce(0) { $0 + $1.payload.count })
        #expect(summary.gaplessInfo?.validFrames == 3 * part)
        #expect(try AudioFile(path: folder.path("a.m4a")).frameCount == 3 * part)
        for (index, rate) in rates.enumerated() {
            // Skips the first quarter, in which the bit reservoir settles.
            let some = all[(index * part + part / 4) / 1024..<(index + 1) * part / 1024]
            let mean = Double(8 * some.reduce(0) { $0 + $1.payload.count }) * 48_000 / Double(1024 * some.count)
            #expect(abs(mean / Double(rate) - 1) < 0.1, "\(rate): \(mean)")
        }
    }

    @Test("Unsupported rates, and rates outside a recording, throw and change nothing")
    func refusals() async throws {
        let source = GatedSource()
        let recorder = Recorder(Self.configuration(.average(bitRate: 64_000)), source: .program(source), sinks: [.accessUnits { _ in }])
        func error(_ rate: Int, of recorder: Recorder) -> String? {
            do throws(DeviceError) {
                try recorder.setBitRate(rate)
                return nil
            } catch {
                return "\(error)"
            }
        }
        #expect(error(64_000, of: recorder) == "the recording has not started or has ended" && recorder.bitRate == nil)
        try await recorder.start()
        for rate in [0, -1, 7_499, 288_001, Int.max, .min] {
            #expect(error(rate, of: recorder)?.contains("supported for this sample rate and channel count: 7500…288000") == true)
        }
        source.release(4800)
        try await Self.wait(for: recorder, frameCount: 4800)
        #expect(recorder.bitRate == 64_000)
        source.end()
        await recorder.waitUntilFinished()
        #expect(error(64_000, of: recorder) == "the recording has not started or has ended")

        let other = GatedSource()
        let variable = Recorder(Self.configuration(.variable(quality: 40)), source: .program(other), sinks: [.accessUnits { _ in }])
        try await variable.start()
        #expect(error(64_000, of: variable)?.contains("constant quality") == true && variable.supportedBitRates == nil)
        other.end()
        await variable.waitUntilFinished()
    }

    @Test("Concurrent rate changes end with one of the rates, and every access unit decodes")
    func concurrentChanges() async throws {
        let accessUnits = Mutex<[AccessUnit]>([])
        let source = GatedSource()
        let recorder = Recorder(
            Self.configuration(.average(bitRate: 64_000)), source: .program(source),
            sinks: [.accessUnits { accessUnit in accessUnits.withLock { $0.append(accessUnit) } }])
        try await recorder.start()
        await withTaskGroup { group in
            for seed in 1...4 as ClosedRange<UInt64> {
                group.addTask {
                    var random = SeededRandom(seed: seed)
                    for _ in 0..<200 {
                        try? recorder.setBitRate(Int.random(in: 16_000...200_000, using: &random))
                        source.release(240)
                        await Task.yield()
                    }
                }
            }
        }
        source.end()
        let summary = await recorder.waitUntilFinished()
        #expect(summary.frameCount == 192_000 && summary.failure == nil)
        let format = try #require(recorder.format)
        let decoder = try AACDecoder(#require(format.audioSpecificConfig))
        var buffer = PCMBuffer(sampleRate: 48_000, channelCount: 1, frameCapacity: 0)
        for accessUnit in accessUnits.withLock({ $0 }) { #expect(decoder.decode(accessUnit.payload.span, into: &buffer).damage == nil) }
    }

    /// A quarter of a second of stereo noise.
    private final class StereoSource: PCMSource {
        let sampleRate = 48_000
        let channelCount = 2
        private let isDone = Mutex(false)

        func next() -> PCMBuffer? {
            let wasDone = isDone.withLock { isDone in
                defer { isDone = true }
                return isDone
            }
            guard !wasDone else { return nil }
            var random = SeededRandom(seed: 8)
            var buffer = PCMBuffer(sampleRate: sampleRate, channelCount: channelCount, frameCapacity: 12_000)
            for index in buffer.samples.indices { buffer.samples[index] = Float.random(in: -0.1...0.1, using: &random) }
            return buffer
        }
    }

    @Test(
        "Preset determines sample rate, channels and bit rate of a stereo recording",
        arguments: AudioPreset.all)
    func presets(preset: AudioPreset) async throws {
        var configuration = RecorderConfiguration(preset: preset)
        configuration.settings.effort = .fast
        let recorder = Recorder(configuration, source: .program(StereoSource()), sinks: [.accessUnits { _ in }])
        try await recorder.start()
        _ = await recorder.waitUntilFinished()
        let format = try #require(recorder.format)
        let isMono = preset.name == "speech"
        #expect(format.channelCount == (isMono ? 1 : 2))
        #expect(format.sampleRate == preset.sampleRate ?? 48_000)
        #expect(
            format.bitRate == nil
                || format.bitRate == preset.bitRate(sampleRate: format.sampleRate, channelCount: format.channelCount) ?? format.bitRate)
    }
}
