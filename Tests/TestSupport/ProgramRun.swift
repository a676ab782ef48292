// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import Synchronization

/// A completed run of another program.
public struct ProgramRun: Sendable {
    /// The exit code, or 128 + the number of the terminating signal.
    public let exitCode: Int32
    /// The bytes of standard output.
    public let output: [UInt8]
    /// The text of standard error.
    public let errorText: String

    /// Standard output as text.
    public var text: String { String(decoding: output, as: UTF8.self) }

    /// Runs a program to completion.
    ///
    /// `input` is its standard input, `/dev/null` if `nil`.
    public init(_ path: String, _ arguments: [String], input: [UInt8]? = nil, folder: URL? = nil) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        // Files instead of pipes, which could fill up.
        let scratch = try TemporaryFolder()
        let names = ["input", "output", "error"].map(scratch.path)
        for name in names { try Data().write(to: URL(fileURLWithPath: name)) }
        try Data(input ?? []).write(to: URL(fileURLWithPath: names[0]))
        let feeder = try input.map { _ in try FileHandle(forReadingFrom: URL(fileURLWithPath: names[0])) }
        process.standardInput = feeder ?? FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: names[1]))
        process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: names[2]))
        try process.run()
        process.waitUntilExit()
        exitCode = process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
        output = try bytes(ofFile: names[1])
        errorText = String(decoding: try bytes(ofFile: names[2]), as: UTF8.self)
    }

    /// Returns the path of a program on the search path, if any.
    public static func find(_ name: String) -> String? {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Returns the path of a required program.
    ///
    /// - Throws: ``MissingProgram`` if it is not installed (`Scripts/Support/install-missing test` installs it), so that the test fails.
    @discardableResult
    public static func require(_ name: String) throws -> String {
        guard let path = find(name) else { throw MissingProgram(name: name) }
        return path
    }

    /// Encodes a WAV file to Apple Lossless in CAF with libsndfile.
    ///
    /// The library stores packets in a file that is named by the time, so that processes that start simultaneously mix them up. Each
    /// process therefore has its own folder.
    ///
    /// - Parameters:
    ///   - input: The name of the WAV file.
    ///   - output: The name of the CAF file.
    ///   - bitDepth: 16, 20, 24 or 32.
    ///   - folder: The folder of both files and the library's file.
    public static func encodeAppleLossless(_ input: String, to output: String, bitDepth: Int, in folder: URL) throws -> ProgramRun {
        try ProgramRun(
            "/usr/bin/env", ["TMPDIR=\(folder.path)", try require("sndfile-convert"), "-alac\(bitDepth)", input, output], folder: folder)
    }

    /// Returns a file that a shell script creates.
    ///
    /// The script runs once for all tests.
    public static func file(_ name: String, by script: String) throws -> [UInt8] {
        if let made = madeFiles.withLock({ $0[script] }) { return made }
        let folder = try TemporaryFolder()
        let run = try shell(script, folder: folder.url)
        guard run.exitCode == 0 else { throw MissingProgram(name: "\(script): \(run.errorText)") }
        let bytes = try bytes(ofFile: folder.path(name))
        madeFiles.withLock { $0[script] = bytes }
        return bytes
    }

    /// The files created by scripts.
    private static let madeFiles = Mutex<[String: [UInt8]]>([:])

    /// Runs a shell script with empty standard input.
    public static func shell(_ script: String, folder: URL? = nil) throws -> ProgramRun {
        try ProgramRun("/bin/bash", ["-c", "set -o pipefail; " + script], folder: folder)
    }
}

/// A required program is not installed.
public struct MissingProgram: Error, CustomStringConvertible {
    /// The program's name.
    public let name: String

    /// A one-line description, including how to install the program.
    public var description: String { "\(name) is not installed; Scripts/Support/install-missing test installs it" }
}
