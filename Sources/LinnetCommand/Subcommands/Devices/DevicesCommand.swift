// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioFiles
import JSONText

/// `linnet devices`: lists capture and playback devices.
enum DevicesCommand: Subcommand {
    static let name = "devices"
    static let summary = "list capture and playback devices"
    static let usage = "[--json]"
    static let options = [
        BackendOption.option,
        .json,
    ]
    static let details = """
        The first column is the NAME for --device; * marks the default. A monitor is an input that records an output.
        """
    static let examples = [
        (command: "linnet devices", meaning: "inputs and outputs, with their rates and channels"),
        (command: "linnet devices --json", meaning: "the same as JSON"),
    ]

    /// Prints the devices of all audio systems, or of the requested one.
    static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        guard arguments.operands.isEmpty else { throw arguments.failure("unexpected argument \(arguments.operands[0])") }
        let found = try BackendOption.named(arguments).map { try AudioDevice.all([$0]) } ?? AudioDevice.all()
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
}
