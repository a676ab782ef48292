// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioFiles
import JSONText

/// `linnet devices`: lists capture and playback devices, or the programs that play.
enum DevicesCommand: Subcommand {
    static let name = "devices"
    static let summary = "list capture and playback devices"
    static let usage = "[--programs] [--json]"
    static let options = [
        BackendOption.option,
        CommandOption("programs", "list the programs that play audio now"),
        .json,
    ]
    static let details = """
        The first column is the NAME for --device; * marks the default. A monitor is an input that records an output.
        record and stream also take the NAME system for all that is played. On Linux, app: can precede the name,
        the binary or the process ID of a program, in upper or lower case.
        """
    static let examples = [
        (command: "linnet devices", meaning: "inputs and outputs, with their rates and channels"),
        (command: "linnet devices --programs", meaning: "programs whose audio can be recorded"),
        (command: "linnet devices --json", meaning: "the same as JSON"),
    ]

    /// Prints the devices of all audio systems, or of the requested one.
    static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        guard arguments.operands.isEmpty else { throw arguments.failure("unexpected argument \(arguments.operands[0])") }
        let backend = try BackendOption.named(arguments)
        if arguments.has("programs") {
            let found = try AudioProgram.playing(backend)
            try StandardOutput.print(arguments.has("json") ? JSONValue.array(found.map(json)).text() : text(found))
            return .success
        }
        let found = try backend.map { try AudioDevice.all([$0]) } ?? AudioDevice.all()
        try StandardOutput.print(arguments.has("json") ? JSONValue.array(found.map(json)).text() : text(found))
        return .success
    }

    private static func text(_ devices: [AudioDevice]) -> String {
        var lines: [String] = []
        for direction in [AudioDevice.Direction.input, .output] {
            let group = devices.filter { $0.direction == direction }
            lines.append(direction == .input ? "Inputs:" : "Outputs:")
            if group.isEmpty { lines.append("  none") }
            let width = min(48, group.map(\.id.count).max() ?? 0)
            for device in group {
                let properties = [
                    device.sampleRate.map { "\($0) Hz" },
                    device.channelCount.map(Format.channels),
                    device.isMonitor ? "monitor" : nil, device.backend.title,
                ]
                let details = properties.compactMap { $0 }.joined(separator: ", ")
                lines.append("\(device.isDefault ? "*" : " ") \(Format.padded(device.id, to: -width))  \(device.name) (\(details))")
            }
        }
        return lines.joined(separator: "\n")
    }

    private static func json(_ device: AudioDevice) -> JSONValue {
        .object([
            ("backend", .string(device.backend.rawValue)), ("direction", .string(device.direction.rawValue)), ("id", .string(device.id)),
            ("name", .string(device.name)), ("sampleRate", device.sampleRate.map { .integer($0) } ?? .null),
            ("channels", device.channelCount.map { .integer($0) } ?? .null), ("isDefault", .bool(device.isDefault)),
            ("isMonitor", .bool(device.isMonitor)),
        ])
    }

    private static func text(_ programs: [AudioProgram]) -> String {
        let width = min(48, programs.map(\.id.count).max() ?? 0)
        let lines = programs.map { program in
            let properties = [
                program.binary, program.processID.map { "process \($0)" },
                program.outputs.isEmpty ? nil : "to " + program.outputs.joined(separator: " and "), program.isCorked ? "paused" : nil,
            ]
            return "  \(Format.padded(program.id, to: -width))  \(properties.compactMap { $0 }.joined(separator: ", "))"
        }
        return (["Programs:"] + (lines.isEmpty ? ["  none"] : lines)).joined(separator: "\n")
    }

    private static func json(_ program: AudioProgram) -> JSONValue {
        .object([
            ("id", .string(program.id)), ("name", .string(program.name)), ("binary", program.binary.map { .string($0) } ?? .null),
            ("processID", program.processID.map { .integer($0) } ?? .null), ("outputs", .array(program.outputs.map { .string($0) })),
            ("isCorked", .bool(program.isCorked)),
        ])
    }
}
