// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import Foundation
import Testing

/// A private sound server with virtual microphones, started by `Scripts/sound-server`; ended when it goes.
final class SoundServer: Sendable {
    enum Kind: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case pulseaudio
        case pipewire

        var testDescription: String { rawValue }

        var isInstalled: Bool {
            ["/usr/bin", "/usr/local/bin", "/bin"].contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(rawValue)") }
        }

        /// The servers to test with.
        ///
        /// A machine that must have them says so, and fails without.
        static var available: [Kind] {
            let isRequired = ProcessInfo.processInfo.environment["LINNET_REQUIRE_SOUND_SERVERS"] != nil
            return allCases.filter { isRequired || $0.isInstalled }
        }
    }

    private static let script = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Scripts/sound-server").path

    let kind: Kind
    let directory: String

    /// What clients connect to.
    var address: String { "unix:\(directory)/" + (kind == .pulseaudio ? "native" : "pulse/native") }

    init(_ kind: Kind) throws {
        self.kind = kind
        directory = FileManager.default.temporaryDirectory.appending(path: "linnet-\(UUID().uuidString.prefix(8))").path
        try start()
    }

    deinit {
        _ = try? Shell.run(Self.script, "stop", directory)
        try? FileManager.default.removeItem(atPath: directory)
    }

    func start() throws { try #require(try Shell.run(Self.script, "start", kind.rawValue, directory).status == 0) }
    func stop() throws { try #require(try Shell.run(Self.script, "stop", directory).status == 0) }
    func crash() throws { try #require(try Shell.run(Self.script, "crash", directory).status == 0) }

    /// Runs `pactl` on this server and returns what it prints.
    @discardableResult
    func control(_ arguments: String...) throws -> String {
        let result = try Shell.run("/usr/bin/env", ["PULSE_SERVER=\(address)", "pactl"] + arguments)
        try #require(result.status == 0, "pactl \(arguments): \(result.output)")
        return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Plays raw 16-bit samples into a sink, in real time.
    func play(_ samples: [Int16], to sink: String, channels: Int, rate: Int = 48_000, properties: [String] = []) throws -> Player {
        let path = directory + "/" + UUID().uuidString + ".raw"
        try samples.withUnsafeBytes { try Data($0).write(to: URL(filePath: path)) }
        var arguments = [
            "PULSE_SERVER=\(address)", "pacat", "--playback", "--raw", "--device=\(sink)", "--format=s16le", "--rate=\(rate)",
            "--channels=\(channels)", "--latency-msec=2000", path,
        ]
        if channels == 2 { arguments.append("--channel-map=front-left,front-right") }
        arguments += properties.map { "--property=\($0)" }
        return Player(process: try ChildProcess("/usr/bin/env", arguments))
    }

    /// The index of this process's only record stream that isn't part of a virtual microphone.
    func ownRecordStream() throws -> String {
        let blocks = try control("list", "source-outputs").components(separatedBy: "Source Output #").dropFirst()
        let own = blocks.filter { $0.contains("application.id = \"org.linnet\"") }
        let block = try #require(own.first, "no record stream of this program")
        return String(block.prefix { $0.isNumber })
    }
}

/// A program that plays; ended when it goes.
final class Player: Sendable {
    private let process: ChildProcess

    init(process: ChildProcess) { self.process = process }

    deinit { process.kill() }

    var isPlaying: Bool { process.status == nil }

    func end() { process.kill() }
}
