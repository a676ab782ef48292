// SPDX-License-Identifier: Apache-2.0

import AudioLoudness
import AudioPrimitives
import Foundation
import TestSupport
import Testing

@Suite struct LoudnessMeterTests {
    private func measure(_ signal: LoudnessSignal, layout: ChannelLayout? = nil) -> (LoudnessSummary, LoudnessSeries) {
        let meter = LoudnessMeter(sampleRate: signal.sampleRate, channelCount: signal.channels.count, layout: layout)
        var random = SeededRandom(seed: 7)
        for buffer in signal.buffers(&random) { meter.add(buffer) }
        return (meter.summary(), meter.series)
    }

    @Test("A stereo sine of 1 kHz has the loudness of its peak level (EBU Tech 3341, 1 and 2)", arguments: [-23.0, -33])
    func sine(decibels: Double) throws {
        let (summary, series) = measure(LoudnessSignal(frequency: 1000, decibels: decibels, seconds: 20))
        #expect(abs(try #require(summary.integrated) - decibels) < 0.1)
        #expect(abs(try #require(summary.maximumMomentary) - decibels) < 0.1)
        #expect(abs(try #require(summary.maximumShortTerm) - decibels) < 0.1)
        #expect(summary.range < 0.1)
        #expect(series.count == 200)
    }

    @Test("Sections at -20 and -30 dB have a range of 10 LU (EBU Tech 3342, 1)")
    func range() throws {
        var signal = LoudnessSignal(frequency: 1000, decibels: -20, seconds: 20)
        let quiet = LoudnessSignal(frequency: 1000, decibels: -30, seconds: 20)
        for channel in 0..<2 { signal.channels[channel] += quiet.channels[channel] }
        #expect(abs(measure(signal).0.range - 10) < 1)
    }

    @Test("Finds the true peak of a sine between samples (EBU Tech 3341, 15 to 18)", arguments: [4.0, 6, 8])
    func truePeak(divisor: Double) throws {
        let signal = LoudnessSignal(frequency: 48_000 / divisor, decibels: -6, seconds: 1, phase: Double.pi * (0.5 - 1 / divisor))
        let largest = signal.channels[0].map { abs($0) }.max() ?? 0
        let found = try #require(measure(signal).0.truePeak)
        #expect(-6.4...(-5.8) ~= found)
        #expect(20 * log10(Double(largest)) < -6.2)
    }

    @Test("Buffer lengths and NaN samples do not affect the true peak")
    func truePeakInBuffers() {
        var signal = LoudnessSignal(noiseOf: 1, seed: 31).channels[0]
        let interpolator = PeakInterpolator()
        let silence = [Float](repeating: 0, count: PeakInterpolator.halfLength)
        let padded = silence + signal + silence
        let range = silence.count..<silence.count + signal.count
        let expected = range.reduce(Float(0)) { max($0, interpolator.peak(padded, $1..<$1 + 1, above: 0)) }
        signal.append(contentsOf: [.nan, .infinity])
        var random = SeededRandom(seed: 5)
        for longest in [1, 7, 40, 5000] {
            var (meter, start) = (TruePeakMeter(interpolator), 0)
            while start < signal.count {
                let end = min(signal.count, start + Int.random(in: 0...longest, using: &random))
                meter.add(signal[start..<end])
                start = end
            }
            #expect(meter.peak == expected, "up to \(longest)")
        }
    }

    @Test("Weights surround channels by +1.5 dB and ignores the LFE, in layout order")
    func layout() throws {
        let layout = ChannelLayout([.center, .left, .right, .sideLeft, .sideRight, .lowFrequency])
        var loudness: [Double?] = []
        for channel in 0..<6 {
            var signal = LoudnessSignal(frequency: 1000, decibels: -20, seconds: 2, channelCount: 6)
            for other in 0..<6 where other != channel { signal.channels[other] = signal.channels[other].map { _ in 0 } }
            loudness.append(measure(signal, layout: layout).0.integrated)
        }
        let front = try #require(loudness[0])
        #expect(abs(front - -23) < 0.1 && loudness[1] == front && loudness[2] == front)
        #expect(abs(try #require(loudness[3]) - front - 1.5) < 0.05 && loudness[4] == loudness[3])
        #expect(loudness[5] == nil)
    }

    @Test("Silence has no loudness and no peak")
    func silence() throws {
        let (summary, series) = measure(LoudnessSignal(frequency: 0, decibels: 0, seconds: 5))
        #expect(summary.integrated == nil && summary.truePeak == nil && summary.maximumMomentary == nil)
        #expect(series.momentary.allSatisfy { $0 == -.infinity })
    }

    @Test("Momentary and short-term loudness match BS.1770 filters in double precision")
    func independentFilters() throws {
        let signal = LoudnessSignal(noiseOf: 8, seed: 21)
        let series = measure(signal).1
        let energies = KWeighting.energies(signal, blockLength: 4800)
        for (blocks, found) in [(4, series.momentary), (30, series.shortTerm)] {
            for index in blocks..<found.count {
                let expected = 10 * log10(energies[index - blocks + 1...index].reduce(0, +) / Double(blocks)) - 0.691
                #expect(abs(Double(found[index]) - expected) < 0.02, "block \(index) of \(blocks)")
            }
        }
    }

    @Test("Measuring in parts equals measuring the whole")
    func parts() throws {
        let signal = LoudnessSignal(noiseOf: 20, seed: 4)
        let (whole, series) = measure(signal)
        let meters = [0, 70, 130].map { first in
            let preroll = first == 0 ? 0 : LoudnessMeter.prerollBlocks
            let meter = LoudnessMeter(sampleRate: 48_000, channelCount: 2, prerollBlocks: preroll)
            let end = first == 130 ? signal.frameCount : (first + (first == 0 ? 70 : 60)) * meter.blockLength
            meter.add(signal.buffer((first - preroll) * meter.blockLength..<end))
            return meter
        }
        let (sum, joined) = LoudnessMeter.summary(of: meters)
        #expect(joined.count == series.count)
        #expect(zip(joined.momentary, series.momentary).allSatisfy { abs($0 - $1) < 0.01 })
        #expect(abs(try #require(sum.integrated) - (try #require(whole.integrated))) < 0.01)
        #expect(abs(sum.range - whole.range) < 0.01)
        #expect(abs(try #require(sum.truePeak) - (try #require(whole.truePeak))) < 0.1)
    }

    @Test(
        "libebur128 agrees at all sample rates",
        arguments: [8000, 11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 88_200, 96_000, 192_000], [1, 2, 5, 6])
    func libEBUR128(sampleRate: Int, channelCount: Int) throws {
        let signal = LoudnessSignal(noiseOf: 8, seed: UInt64(sampleRate + channelCount), sampleRate: sampleRate, channelCount: channelCount)
        let (summary, other) = (measure(signal).0, try LibEBUR128(signal))
        #expect(abs(try #require(summary.integrated) - other.integrated) < 0.001)
        #expect(abs(summary.range - other.range) < 0.001)
    }

    @Test("Integrated loudness, range and true peak match FFmpeg", arguments: [44_100, 48_000])
    func ffmpeg(sampleRate: Int) throws {
        let signal = LoudnessSignal(noiseOf: 12, seed: 99, sampleRate: sampleRate)
        let folder = try TemporaryFolder()
        let ffmpeg = try FFmpegMeter(folder.write(signal.bytes, to: "a.f32"), sampleRate: sampleRate, channelCount: 2)
        let summary = measure(signal).0
        #expect(abs(try #require(summary.integrated) - (try #require(ffmpeg.number(" I:")))) <= 0.1)
        // FFmpeg takes ten windows of 3 s a second, Linnet one.
        #expect(abs(summary.range - (try #require(ffmpeg.number("LRA:")))) <= 1)
        #expect(abs(try #require(summary.truePeak) - (try #require(ffmpeg.number("Peak:")))) <= 0.2)
    }

    @Test("Meters with different channel counts have joint true peaks in both orders")
    func channelCounts() throws {
        let meters = [(2, -6.0), (1, -3)].map { count, decibels in
            let signal = LoudnessSignal(frequency: 1000, decibels: decibels, seconds: 1, channelCount: count)
            let meter = LoudnessMeter(sampleRate: signal.sampleRate, channelCount: count)
            var random = SeededRandom(seed: 9)
            for buffer in signal.buffers(&random) { meter.add(buffer) }
            return meter
        }
        for ordered in [meters, meters.reversed()] {
            let peaks = LoudnessMeter.summary(of: ordered).summary.truePeaks.map { 20 * log10($0) }
            #expect(peaks.count == 2 && abs(peaks[0] + 3) < 0.1 && abs(peaks[1] + 6) < 0.1, "\(peaks)")
        }
    }
}

/// libebur128, as another implementation of BS.1770.
private struct LibEBUR128 {
    private typealias Create = @convention(c) (UInt32, UInt, Int32) -> OpaquePointer?
    private typealias Add = @convention(c) (OpaquePointer?, UnsafePointer<Float>, Int) -> Int32
    private typealias Measure = @convention(c) (OpaquePointer?, UnsafeMutablePointer<Double>) -> Int32
    private typealias Destroy = @convention(c) (UnsafeMutablePointer<OpaquePointer?>) -> Void

    let integrated: Double
    let range: Double

    /// Measures a signal; left, right, centre, LFE and the surrounds.
    init(_ signal: LoudnessSignal) throws {
        let library = try #require(dlopen("libebur128.so.1", RTLD_NOW), "libebur128-1 is not installed")
        func function<Function>(_ name: String, _: Function.Type) throws -> Function {
            unsafeBitCast(try #require(dlsym(library, name)), to: Function.self)
        }
        // Integrated loudness and range
        let modes: Int32 = 1 | 1 << 1 | 1 << 2 | 1 << 3
        var state = try function("ebur128_init", Create.self)(UInt32(signal.channels.count), UInt(signal.sampleRate), modes)
        defer { (try? function("ebur128_destroy", Destroy.self))?(&state) }
        let samples = (0..<signal.frameCount).flatMap { frame in signal.channels.map { $0[frame] } }
        #expect(try function("ebur128_add_frames_float", Add.self)(state, samples, signal.frameCount) == 0)
        func measure(_ name: String) throws -> Double {
            var result = 0.0
            #expect(try function(name, Measure.self)(state, &result) == 0)
            return result
        }
        integrated = try measure("ebur128_loudness_global")
        range = try measure("ebur128_loudness_range")
    }
}

/// The loudness of a file of 32-bit floating point, as FFmpeg's own meter prints it.
struct FFmpegMeter {
    private let text: String

    /// Measures a file.
    init(_ path: String, sampleRate: Int, channelCount: Int) throws {
        let format = ["-f", "f32le", "-ar", "\(sampleRate)", "-ac", "\(channelCount)", "-i", path]
        text = try ProgramRun(
            ProgramRun.require("ffmpeg"), ["-hide_banner", "-nostats"] + format + ["-af", "ebur128=peak=true", "-f", "null", "-"]
        ).errorText
    }

    /// Returns the last number after a name.
    func number(_ name: String) -> Double? {
        text.split(separator: "\n").last { $0.contains(name) }?.split(separator: ":").last
            .flatMap { Double($0.split(separator: " ").first ?? "") }
    }
}

/// The K-weighting of BS.1770 for 48 kHz, in double precision, with the coefficients of the recommendation.
private enum KWeighting {
    /// Returns the summed mean squares of all channels by block.
    static func energies(_ signal: LoudnessSignal, blockLength: Int) -> [Double] {
        var sums = [Double](repeating: 0, count: signal.frameCount / blockLength)
        for channel in signal.channels {
            var shelf = (x1: 0.0, x2: 0.0, y1: 0.0, y2: 0.0)
            var high = shelf
            for (frame, sample) in channel.enumerated() where frame / blockLength < sums.count {
                let x = Double(sample)
                let y =
                    1.53512485958697 * x - 2.69169618940638 * shelf.x1 + 1.19839281085285 * shelf.x2 + 1.69065929318241 * shelf.y1
                    - 0.73248077421585 * shelf.y2
                shelf = (x, shelf.x1, y, shelf.y1)
                let z = y - 2 * high.x1 + high.x2 + 1.99004745483398 * high.y1 - 0.99007225036621 * high.y2
                high = (y, high.x1, z, high.y1)
                sums[frame / blockLength] += z * z / Double(blockLength)
            }
        }
        return sums
    }
}
