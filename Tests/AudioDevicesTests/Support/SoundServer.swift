// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A private sound server with virtual microphones, run by `Scripts/Support/sound-server`.
///
/// Stopped on deallocation.
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
        /// LINNET_SOUND_SERVER selects one of them, for parallel runs. With LINNET_REQUIRE_SOUND_SERVERS, a missing server is a failure.
        static var available: [Kind] {
            let environment = ProcessInfo.processInfo.environment
            if let name = environment["LINNET_SOUND_SERVER"] {
                guard let kind = Kind(rawValue: name) else { fatalError("LINNET_SOUND_SERVER names no server: \(name)") }
                return [kind]
            }
            return allCases.filter { environment["LINNET_REQUIRE_SOUND_SERVERS"] != nil || $0.isInstalled }
        }
    }

    private static let script = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Scripts/Support/sound-server").path

    let kind: Kind
    let directory: String
    /// The frames per PipeWire period.
    ///
    /// PulseAudio chooses its own.
    private let period: Int

    /// The address for clients.
    var address: String { "unix:\(directory)/" + (kind == .pulseaudio ? "native" : "pulse/native") }

    init(_ kind: Kind, period: Int = 2048) throws {
        self.kind = kind
        self.period = period
        directory = FileManager.default.temporaryDirectory.appending(path: "linnet-\(UUID().uuidString.prefix(8))").path
        try start()
    }

    deinit {
        _ = try? Shell.run(Self.script, "stop", directory)
        try? FileManager.default.removeItem(atPath: directory)
    }

    func start() throws { try script("start", kind.rawValue, directory) }
    func stop() throws { try script("stop", directory) }
    func crash() throws { try script("crash", directory) }

    /// The process IDs of the server's programs.
    var processes: [Int32] {
        let text = (try? String(contentsOfFile: directory + "/processes", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { Int32($0) }
    }

    /// Returns the source of a stream, given by its index in the server's list.
    func source(ofStream stream: String) throws -> String? {
        let streams = try control("list", "short", "source-outputs").split(separator: "\n").map { $0.split(separator: "\t") }
        guard let source = streams.first(where: { $0.first.map(String.init) == stream })?.dropFirst().first else { return nil }
        let sources = try control("list", "short", "sources").split(separator: "\n").map { $0.split(separator: "\t") }
        return sources.first { $0.first == source }?.dropFirst().first.map(String.init)
    }

    /// Suspends all programs of the server for a time.
    func freeze(seconds: Double) async throws {
        let processes = processes
        for process in processes { kill(process, SIGSTOP) }
        try? await Task.sleep(for: .seconds(seconds))
        for process in processes { kill(process, SIGCONT) }
    }

    private func script(_ arguments: String...) throws {
        let result = try Shell.run("/usr/bin/env", ["LINNET_PIPEWIRE_PERIOD=\(period)", Self.script] + arguments)
        try #require(result.status == 0, "\(arguments): \(result.output)")
    }

    /// Runs `pactl` on this server and returns its output.
    @discardableResult
    func control(_ arguments: String...) throws -> String { try control(arguments) }

    @discardableResult
    private func control(_ arguments: [String]) throws -> String {
        let result = try Shell.run("/usr/bin/env", ["PULSE_SERVER=\(address)", "pactl"] + arguments)
        try #require(result.status == 0, "pactl \(arguments): \(result.output)")
        return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Adds a source that captures the sink `stereomic`, and waits until it exists.
    func addSource(_ name: String) async throws {
        try control("load-module", "module-remap-source", "source_name=\(name)", "master=stereomic.monitor", "channels=2")
        let isThere = try await Wait.until { try control("list", "short", "sources").contains("\t\(name)\t") }
        try #require(isThere)
    }

    /// Makes a source the default.
    ///
    /// Retries, because a session manager may be slow or lose the request.
    func makeDefault(_ source: String) async throws { try await makeDefault("source", source) }

    func makeDefaultOutput(_ sink: String) async throws { try await makeDefault("sink", sink) }

    private func makeDefault(_ direction: String, _ name: String) async throws {
        let isDefault = try await Wait.until {
            try control("set-default-\(direction)", name)
            return try control("get-default-\(direction)") == name
        }
        try #require(isDefault)
    }

    /// Adds a stereo sink, and waits until it exists.
    func addOutput(_ name: String) async throws {
        var arguments = ["load-module", "module-null-sink", "sink_name=\(name)", "rate=48000", "channels=2"]
        if kind == .pulseaudio { arguments.append("norewinds=1") }
        try control(arguments)
        #expect(try await Wait.until { try control("list", "short", "sources").contains("\t\(name).monitor\t") })
    }

    /// Returns the index of the stream that another process plays with a property.
    func playbackStream(_ property: String) throws -> String {
        let blocks = try control("list", "sink-inputs").components(separatedBy: "Sink Input #").dropFirst()
        let block = try #require(blocks.first { $0.contains(property) }, "no stream with \(property)")
        return String(block.prefix { $0.isNumber })
    }

    func removeSource(_ name: String) throws {
        let modules = try control("list", "short", "modules").split(separator: "\n")
        let module = try #require(modules.first { $0.contains("source_name=\(name) ") })
        try control("unload-module", String(module.prefix { $0.isNumber }))
    }

    /// Plays raw 16-bit samples into a sink, in real time.
    func play(_ samples: [Int16], to sink: String, channels: Int, rate: Int = 48_000, properties: [String] = []) throws -> PlayingProgram {
        let path = directory + "/" + UUID().uuidString + ".raw"
        try samples.withUnsafeBytes { try Data($0).write(to: URL(filePath: path)) }
        var arguments = [
            "PULSE_SERVER=\(address)", "pacat", "--playback", "--raw", "--device=\(sink)", "--format=s16le", "--rate=\(rate)",
            "--channels=\(channels)", "--latency-msec=2000", path,
        ]
        if channels == 2 { arguments.append("--channel-map=front-left,front-right") }
        arguments += properties.map { "--property=\($0)" }
        return PlayingProgram(process: try ChildProcess("/usr/bin/env", arguments))
    }

    /// Records raw 16-bit samples of a source with another program.
    func listen(to source: String, channels: Int) throws -> Witness {
        let path = directory + "/" + UUID().uuidString + ".raw"
        let arguments = [
            "PULSE_SERVER=\(address)", "parec", "--raw", "--device=\(source)", "--format=s16le", "--rate=48000",
            "--channels=\(channels)", "--latency-msec=200", path,
        ]
        return Witness(process: try ChildProcess("/usr/bin/env", arguments), path: path, channelCount: channels)
    }

    /// Returns the index of this process's record stream, excluding virtual microphones.
    func ownRecordStream() throws -> String {
        let blocks = try control("list", "source-outputs").components(separatedBy: "Source Output #").dropFirst()
        let own = blocks.filter { $0.contains("application.id = \"org.linnet\"") }
        let block = try #require(own.first, "no record stream of this program")
        return String(block.prefix { $0.isNumber })
    }
}

/// A playing program.
///
/// Killed on deallocation.
final class PlayingProgram: Sendable {
    private let process: ChildProcess

    init(process: ChildProcess) { self.process = process }

    deinit { process.kill() }

    var isPlaying: Bool { process.status == nil }

    func end() { process.kill() }
}

/// A program that records in parallel with a capture, to distinguish server losses from capture losses.
///
/// Killed on deallocation.
final class Witness: Sendable {
    private let process: ChildProcess
    private let path: String
    private let channelCount: Int

    init(process: ChildProcess, path: String, channelCount: Int) {
        self.process = process
        self.path = path
        self.channelCount = channelCount
    }

    deinit { process.kill() }

    var frames: Int {
        let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        return (size ?? 0) / 2 / channelCount
    }

    /// Expects that a capture has each of the witness's frames, in ascending order.
    ///
    /// PulseAudio delivers the same to all clients. PipeWire can skip one of its clients for some periods when the client's thread is late,
    /// and does not report it: such losses are printed. The same code captures from both servers, so its own losses fail on PulseAudio.
    ///
    /// - Parameters:
    ///   - numbers: The captured frame numbers, with zeros for silence.
    ///   - witness: The witness's frame numbers.
    ///   - kind: The server.
    static func compare(
        _ numbers: [Int], _ witness: [Int], _ kind: SoundServer.Kind, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let captured = numbers.filter { $0 > 0 }
        #expect(!captured.isEmpty && zip(captured, captured.dropFirst()).allSatisfy { $0 < $1 }, sourceLocation: sourceLocation)
        let missing = CountedSignal.missing(from: witness, in: numbers).count
        let missingBeside = CountedSignal.missing(from: numbers, in: witness).count
        if missing + missingBeside > 0 {
            print(
                "\(Test.current?.name ?? ""), \(kind): lost \(missing) frames for the capture alone, \(missingBeside) for the witness alone"
            )
        }
        // Half a second. Several times more is an error of the capture on any server.
        #expect(kind == .pipewire ? missing <= 24_000 : missing == 0, sourceLocation: sourceLocation)
    }

    /// All samples so far.
    var samples: [Int16] {
        guard let data = FileManager.default.contents(atPath: path) else { return [] }
        return [Int16](unsafeUninitializedCapacity: data.count / 2) { samples, count in
            count = data.copyBytes(to: samples) / 2
        }
    }
}
