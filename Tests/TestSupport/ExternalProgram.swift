// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import Foundation

/// A program of the system, such as FFmpeg, to check against.
public struct ExternalProgram: Sendable {
    /// FFmpeg's encoder and decoder.
    public static let ffmpeg = ExternalProgram("ffmpeg")
    /// The decoder of faad2.
    public static let faad = ExternalProgram("faad")

    /// What a run left behind.
    public struct Outcome: Sendable {
        /// The exit status.
        public let status: Int32
        /// Everything written to standard output.
        public let output: Data
        /// Everything written to standard error.
        public let errors: String
    }

    private let name: String
    private let path: String?

    private init(_ name: String) {
        self.name = name
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        path = folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Whether the program is installed; if not, says once a call that tests are skipped.
    public var isInstalled: Bool {
        if path == nil { print("\(name) is not installed: tests that need it are skipped") }
        return path != nil
    }

    /// Runs the program to its end.
    public func run(_ arguments: [String]) throws -> Outcome {
        guard let path else { throw CocoaError(.fileNoSuchFile) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        // Errors go to a file: two pipes read one after the other could wait for each other for ever.
        let errors = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data().write(to: errors)
        defer { try? FileManager.default.removeItem(at: errors) }
        process.standardError = try FileHandle(forWritingTo: errors)
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let text = String(decoding: try Data(contentsOf: errors), as: UTF8.self)
        return Outcome(status: process.terminationStatus, output: output, errors: text)
    }
}

/// Makes an empty folder, hands it to `body`, and removes it.
public func withTemporaryFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
}
