// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import Foundation
import MPEG4Audio
import TestSupport
import Testing

/// The installed program.
enum LinnetProgram {
    /// The path of the program: the one of Scripts/build if `Scripts/test` names it, or else the one built with the tests.
    static let path: String = {
        if let path = ProcessInfo.processInfo.environment["LINNET_PROGRAM"] { return path }
        // The test bundle is in the build folder, or deeper on Apple's systems.
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        while folder.path != "/" {
            // The development package has no product, whose name the target's program would share.
            for name in ["linnet", "LinnetCommand"] {
                let candidate = folder.appendingPathComponent(name).path
                var isFolder: ObjCBool = false
                if FileManager.default.fileExists(atPath: candidate, isDirectory: &isFolder), !isFolder.boolValue { return candidate }
            }
            folder.deleteLastPathComponent()
        }
        return "linnet"
    }()

    /// Runs the program and waits for its end.
    static func run(_ arguments: String..., input: [UInt8]? = nil, folder: TemporaryFolder? = nil) throws -> ProgramRun {
        try ProgramRun(path, arguments, input: input, folder: folder?.url)
    }

    /// Runs a shell script in which `linnet` is the program.
    static func shell(_ script: String, folder: TemporaryFolder? = nil) throws -> ProgramRun {
        try ProgramRun.shell("linnet() { '\(path)' \"$@\"; }; " + script, folder: folder?.url)
    }
}

extension ProgramRun {
    /// Returns the printed JSON object, or the objects of a printed array.
    func jsonObjects() throws -> [[String: Any]] {
        let value = try JSONSerialization.jsonObject(with: Data(output))
        return try #require(value as? [[String: Any]] ?? (value as? [String: Any]).map { [$0] })
    }
}

/// Returns an ADTS stream with random payloads of the given sizes, in bytes.
func adtsStream(_ sizes: [Int], sampleRate: Int = 44_100, channels: Int = 2, options: ADTSWriterOptions = .init()) throws -> [UInt8] {
    var random = SeededRandom(seed: 7)
    let configuration = AudioSpecificConfig(
        objectType: .aacLC, sampleRate: sampleRate, channelConfiguration: ChannelConfiguration(rawValue: channels))
    var writer = try ADTSWriter(to: MemorySink(), configuration, options: options)
    for size in sizes {
        var unit = AccessUnit((0..<size).map { _ in UInt8.random(in: 0...254, using: &random) })
        unit.elementSpans = [ElementSpan(coverage: .none, bits: 0..<0)]
        try writer.append(unit)
    }
    return writer.sink.bytes
}
