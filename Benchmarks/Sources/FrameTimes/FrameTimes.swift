// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Measures the processor time of every frame: `FrameTimes FILE EFFORT RATE [cbr|abr]`.
///
/// FILE is 48 kHz stereo 16-bit PCM without a header. A 44-byte header is treated as samples.
@main enum FrameTimes {
    /// The number of runs.
    ///
    /// A frame's time is the minimum over the runs, because other programs can only add to it.
    static let rounds = 7

    static func main() throws {
        let arguments = CommandLine.arguments
        let efforts: [String: AACEncoderConfiguration.Effort] = ["fast": .fast, "balanced": .balanced, "best": .best]
        let control = arguments.count > 4 ? arguments[4] : "abr"
        guard arguments.count >= 4, let effort = efforts[arguments[2]], let bitRate = Int(arguments[3]), ["cbr", "abr"].contains(control),
            let samples = read(arguments[1]), !samples.isEmpty
        else {
            print("usage: FrameTimes FILE fast|balanced|best BITRATE [cbr|abr]")
            exit(2)
        }
        let isConstant = control == "cbr"
        let encoder = try AACEncoder(
            AACEncoderConfiguration(
                sampleRate: 48_000, channelCount: 2, rateControl: isConstant ? .constant(bitRate: bitRate) : .average(bitRate: bitRate),
                effort: effort))
        var best: [Double] = []
        for round in 0..<rounds {
            let times = try run(encoder, samples)
            best = round == 0 ? times : zip(best, times).map(min)
            encoder.reset()
        }
        report(best)
    }

    private static func read(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = fread(&chunk, 1, chunk.count, file)
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        return Array(bytes.prefix(bytes.count / 4096 * 4096))
    }

    /// Returns this thread's microseconds for each block of 1024 frames.
    private static func run(_ encoder: AACEncoder, _ samples: [UInt8]) throws -> [Double] {
        var times: [Double] = []
        let format = PCMFormat(.int16, channelCount: 2)
        for start in stride(from: 0, to: samples.count, by: 4096) {
            let before = now()
            _ = try encoder.encode(samples.span.bytes.extracting(start..<start + 4096), format: format)
            times.append(now() - before)
        }
        return times
    }

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) * 1e-3
    }

    private static func report(_ times: [Double]) {
        let sorted = times.sorted()
        let mean = times.reduce(0, +) / Double(times.count)
        func share(_ part: Double) -> Double { sorted[Int(part * Double(sorted.count - 1))] / mean }
        func text(_ value: Double) -> String { "\(Double(Int(value * 100)) / 100)" }
        print("\(times.count) frames, mean \(text(mean)) µs")
        print("of the mean: median \(text(share(0.5))), 99 % \(text(share(0.99))), 99.9 % \(text(share(0.999))), worst \(text(share(1)))")
        let slowest = times.indices.sorted { times[$0] > times[$1] }.prefix(8)
        print("slowest frames: " + slowest.map { "\($0) (\(text(times[$0] / mean)))" }.joined(separator: ", "))
    }
}
