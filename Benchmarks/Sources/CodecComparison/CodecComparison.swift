// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Runs the command and FFmpeg on the same file, alternately, and compares processor time, memory and size.
///
///     CodecComparison LINNET FOLDER COMMIT [--seconds S] [--rounds N] [--json]
///
/// LINNET is the command's path, FOLDER receives the generated files, COMMIT is printed.
@main
struct CodecComparison {
    static func main() {
        do {
            try run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            complain("\(error)")
            exit(1)
        }
    }

    private static func run(_ arguments: [String]) throws {
        guard arguments.count >= 3 else {
            complain("usage: CodecComparison LINNET FOLDER COMMIT [--seconds S] [--rounds N] [--json]")
            exit(2)
        }
        let (linnet, folder, commit) = (arguments[0], arguments[1], arguments[2])
        let (seconds, rounds) = try (option("--seconds", in: arguments) ?? 600, option("--rounds", in: arguments) ?? 5)
        let music = folder + "/music.wav"
        complain("writing \(seconds) s of music-like signal to \(music)")
        guard writeMusic(to: music, seconds: seconds) else {
            complain("cannot write \(music)")
            exit(1)
        }
        var report = Report(commit: commit, rounds: rounds, seconds: seconds)
        for comparison in [
            encoders(linnet: linnet, music: music, folder: folder, seconds: seconds),
            decoders(linnet: linnet, folder: folder, seconds: seconds),
        ] {
            report.sections.append((comparison.title, try comparison.run(rounds: rounds) { complain($0) }))
        }
        print(arguments.contains("--json") ? report.json : report.text)
    }

    private static func encoders(linnet: String, music: String, folder: String, seconds: Int) -> Comparison {
        let output = folder + "/ffmpeg.aac"
        let start = ["ffmpeg", "-v", "error", "-nostdin", "-y", "-i", music, "-c:a", "aac", "-b:a", "128k"]
        var contenders = [
            Contender(name: "ffmpeg", arguments: start + [output], output: output),
            Contender(name: "ffmpeg fast", arguments: start + ["-aac_coder", "fast", output], output: output),
        ]
        for effort in ["fast", "balanced", "best"] {
            let output = "\(folder)/linnet-\(effort).aac"
            contenders.append(
                Contender(
                    name: "linnet \(effort)",
                    arguments: [linnet, "encode", music, "-o", output, "-b", "128k", "--effort", effort, "--force"],
                    output: output))
        }
        return Comparison(title: "encode 128 kb/s", contenders: contenders, seconds: seconds)
    }

    /// All contenders decode FFmpeg's output.
    ///
    /// Run it after the encoders.
    private static func decoders(linnet: String, folder: String, seconds: Int) -> Comparison {
        let input = folder + "/ffmpeg.aac"
        let outputs = ["ffmpeg", "linnet"].map { "\(folder)/\($0).wav" }
        let reference = ["ffmpeg", "-v", "error", "-nostdin", "-y", "-i", input, "-c:a", "pcm_s16le", outputs[0]]
        let contenders = [
            Contender(name: "ffmpeg", arguments: reference, output: outputs[0]),
            Contender(name: "linnet", arguments: [linnet, "decode", input, "-o", outputs[1], "--force"], output: outputs[1]),
        ]
        return Comparison(title: "decode to 16 bits", contenders: contenders, seconds: seconds)
    }

    /// Returns the number after an option, or `nil` if the option is absent.
    private static func option(_ name: String, in arguments: [String]) throws -> Int? {
        guard let index = arguments.firstIndex(of: name) else { return nil }
        guard index + 1 < arguments.count, let number = Int(arguments[index + 1]), number > 0 else { throw OptionError.noNumber(name) }
        return number
    }

    /// An option without a positive number.
    private enum OptionError: Error { case noNumber(String) }

    /// Prints to standard error; standard output contains only the table.
    private static func complain(_ text: String) {
        let line = text + "\n"
        _ = line.withCString { write(2, $0, strlen($0)) }
    }
}
