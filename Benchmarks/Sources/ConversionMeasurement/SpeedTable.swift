// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioPrimitives

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The processor time of conversions compared with sox, alternating on the same file.
struct SpeedTable {
    /// sox options by encoding.
    private static let soxEncodings = [
        "s16le": ["-e", "signed-integer", "-b", "16"], "s24le": ["-e", "signed-integer", "-b", "24"],
        "s32le": ["-e", "signed-integer", "-b", "32"], "f32le": ["-e", "floating-point", "-b", "32"],
        "f64le": ["-e", "floating-point", "-b", "64"],
    ]

    /// The conversions, as `RawConversion` reads them.
    private static let cases = [
        "s16le 48000 s24le 48000 2 high none", "s24le 48000 s16le 48000 2 high none", "s16le 48000 f32le 48000 2 high none",
        "f32le 48000 s16le 48000 2 high none", "s32le 48000 s24le 48000 2 high none", "f64le 48000 s16le 48000 2 high none",
        "s16le 48000 s16le 48000 6 high none", "s24le 48000 s16le 48000 2 high triangular", "s24le 48000 s16le 48000 2 high noiseShaped",
        "s16le 44100 s16le 48000 2 high none", "s24le 96000 s16le 44100 2 high triangular", "s32le 96000 s32le 44100 2 maximum none",
    ]

    /// The path of this program.
    let program: String
    /// The folder for the input file.
    let folder: String
    /// The length of the input, in seconds.
    let seconds: Int
    /// The number of rounds; the fastest counts.
    let rounds: Int

    func text() throws -> [String] {
        var lines = ["| conversion | linnet | sox | ratio |", "|---|---:|---:|---:|"]
        for text in Self.cases {
            let words = text.split(separator: " ").map(String.init)
            let path = folder + "/input.raw"
            try write(words, to: path)
            let commands = [[program, "convert"] + words, soxCommand(words)]
            var best = [Double.infinity, Double.infinity]
            for _ in 0..<rounds {
                for (index, command) in commands.enumerated() { best[index] = min(best[index], try Self.time(command, input: path)) }
            }
            let cells = best.map { milliseconds($0) } + ["\(Double(Int(best[1] / best[0] * 100)) / 100)"]
            lines.append("| \(describe(words)) | " + cells.joined(separator: " | ") + " |")
        }
        return lines
    }

    /// Returns a time as milliseconds per minute of audio.
    private func milliseconds(_ time: Double) -> String { "\(Double(Int(time / Double(seconds) * 60 * 10_000)) / 10) ms" }

    /// Returns the description of a conversion.
    private func describe(_ words: [String]) -> String {
        let rate = words[1] == words[3] ? "" : ", \(words[1]) to \(words[3]) Hz, \(words[5])"
        return "\(words[0]) to \(words[2])\(rate), \(words[4]) channels" + (words[6] == "none" ? "" : ", \(words[6]) dither")
    }

    /// Returns the equivalent sox command.
    private func soxCommand(_ words: [String]) -> [String] {
        var command = ["sox"] + (words[6] == "none" ? ["-D"] : []) + ["-t", "raw"]
        command += (Self.soxEncodings[words[0]] ?? []) + ["-r", words[1], "-c", words[4], "-", "-t", "raw"]
        command += (Self.soxEncodings[words[2]] ?? []) + ["-"]
        if words[1] != words[3] { command += ["rate", words[5] == "maximum" ? "-v" : "-h", words[3]] }
        return command + (words[6] == "none" ? [] : words[6] == "noiseShaped" ? ["dither", "-s"] : ["dither"])
    }

    /// Writes noise in the input encoding of a conversion.
    private func write(_ words: [String], to path: String) throws {
        guard let encoding = SampleEncoding(rawValue: words[0]), let rate = Int(words[1]), let channelCount = Int(words[4]) else { return }
        let source = AudioFormat(.float64, sampleRate: rate, channelCount: channelCount)
        var generator = SystemRandomNumberGenerator()
        let second = (0..<rate * channelCount).map { _ in Double.random(in: -0.5...0.5, using: &generator) }
        let converter = try AudioConverter(
            from: .pcm(source), to: .pcm(AudioFormat(encoding, sampleRate: rate, channelCount: channelCount)))
        try converter.append(second.span.bytes)
        var bytes: [UInt8] = []
        converter.read(.max, into: &bytes)
        guard let file = fopen(path, "wb") else { throw Failure.cannotWrite(path) }
        // A truncated file would be converted faster.
        let isWhole = (0..<seconds).allSatisfy { _ in fwrite(bytes, 1, bytes.count, file) == bytes.count }
        guard fclose(file) == 0, isWhole else { throw Failure.cannotWrite(path) }
    }

    private enum Failure: Error {
        case cannotStart(String)
        case cannotWrite(String)
        case failed(String, status: Int32)
    }

    /// Runs a program and returns its user and system time, in seconds.
    private static func time(_ command: [String], input: String) throws -> Double {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        let strings: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        defer { strings.forEach { free($0) } }
        var identifier: pid_t = 0
        guard posix_spawnp(&identifier, command[0], &actions, nil, strings, environ) == 0 else { throw Failure.cannotStart(command[0]) }
        var status: Int32 = 0
        var usage = rusage()
        guard wait4(identifier, &status, 0, &usage) == identifier, status == 0 else { throw Failure.failed(command[0], status: status) }
        return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
    }
}
