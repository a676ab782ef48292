// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Encodes clips with several programs and measures the output.
///
///     QualityComparison LINNET make FOLDER [CLIP...]
///     QualityComparison LINNET measure [OPTIONS] CLIP...
///
/// LINNET is the command's path. See Scripts/Measure/quality for the options.
@main
struct QualityComparison {
    static func main() {
        do {
            let arguments = Array(CommandLine.arguments.dropFirst())
            guard arguments.count >= 2 else { throw QualityError.usage("missing path and verb; use make or measure") }
            let rest = Array(arguments.dropFirst(2))
            switch arguments[1] {
            case "make":
                guard let folder = rest.first else { throw QualityError.usage("make needs a folder") }
                try Material(folder: folder).make(clips: Array(rest.dropFirst()))
            case "measure":
                try Measurement(rest, linnet: arguments[0]).run()
            default: throw QualityError.usage("unknown verb \(arguments[1]); use make or measure")
            }
        } catch {
            complain("\(error)")
            exit(1)
        }
    }
}

/// Errors that stop a run.
enum QualityError: Error {
    case usage(String)
    case failed(program: String, status: Int32, message: String)
    case noNumber(program: String, output: String)
    case cannotWrite(path: String)
    case incomplete(missing: Int, of: Int)
}

/// Prints to standard error; standard output contains only tables.
func complain(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

/// Runs a program to completion and returns its output.
@discardableResult
func run(_ words: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.standardInput = FileHandle.nullDevice
    let output = Pipe()
    let problems = FileManager.default.temporaryDirectory.appendingPathComponent("quality-\(UUID().uuidString).txt")
    try Data().write(to: problems)
    defer { try? FileManager.default.removeItem(at: problems) }
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: problems)
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
        let message = (try? String(contentsOf: problems, encoding: .utf8)) ?? ""
        throw QualityError.failed(program: words[0], status: process.terminationStatus, message: String(message.suffix(300)))
    }
    return String(decoding: text, as: UTF8.self)
}

/// Whether a program is on the search path.
func isInstalled(_ name: String) -> Bool {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
        FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
    }
}

/// A command with placeholders: `{in}`, `{out}`, `{bitrate}`, `{reference}`, `{test}`.
struct CommandTemplate {
    let name: String
    let words: [String]

    /// Parses `NAME=COMMAND`, whose words are separated by spaces.
    init(_ text: String) throws {
        let parts = text.split(separator: "=", maxSplits: 1)
        guard parts.count == 2 else { throw QualityError.usage("\(text) is not NAME=COMMAND") }
        self.init(name: String(parts[0]), words: parts[1].split(separator: " ").map(String.init))
    }

    init(name: String, words: [String]) {
        self.name = name
        self.words = words
    }

    func filled(_ values: [String: String]) -> [String] {
        words.map { word in values.reduce(word) { $0.replacingOccurrences(of: "{\($1.key)}", with: $1.value) } }
    }
}
