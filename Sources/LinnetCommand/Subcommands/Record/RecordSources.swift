// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import LiveAudio

/// The sources of `linnet record` and `linnet stream`, from `--source`.
struct RecordSources {
    static let options = [
        CommandOption(
            "source", value: "[NAME=]SOURCE",
            """
            record this source (repeatable): mic, mic:DEVICE, system (what the default output plays), app:PROGRAM, or a device of linnet \
            devices
            """),
        CommandOption(
            "layout", value: "LAYOUT,...",
            """
            several sources in each output, in the order of the outputs: channels (side by side), tracks (of one M4A), files (one each) or mix; \
            the last one is repeated (default: channels for two sources, otherwise mix)
            """),
    ]

    /// The arrangement of several sources in an output.
    enum Layout: String, CaseIterable {
        case channels, tracks, files, mix
    }

    /// The name and the device of each source; empty without `--source`.
    let sources: [(name: String, device: String?)]
    private let layouts: [Layout]

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        var sources: [(name: String, device: String?)] = []
        for text in arguments.texts("source") {
            let source = try Self.source(text, arguments)
            var name = source.name
            var number = 1
            while sources.contains(where: { $0.name == name }) {
                number += 1
                name = "\(source.name)-\(number)"
            }
            sources.append((name, source.device))
        }
        self.sources = sources
        layouts = try (arguments.text("layout") ?? "").split(separator: ",").map { (text) throws(CommandFailure) in
            guard let layout = Layout(rawValue: String(text)) else {
                throw arguments.failure("invalid --layout value '\(text)'; use channels, tracks, files or mix")
            }
            return layout
        }
        for option in ["input", "device"] { try arguments.exclude("source", option) }
        guard sources.count > 1 else {
            if !layouts.isEmpty { throw arguments.failure("--layout needs several sources; use --source for each") }
            return
        }
        try arguments.exclude("source", "pick")
        if arguments.text("gaps") == "skip" { throw arguments.failure("--gaps skip needs a single source; several keep their time") }
    }

    var areSeveral: Bool { sources.count > 1 }

    /// Returns a source of the form `name=device`, `mic`, `mic:device` or `device`.
    private static func source(_ text: String, _ arguments: ParsedArguments) throws(CommandFailure) -> (name: String, device: String?) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let (name, device) = parts.count == 2 ? (parts[0], parts[1]) : ("", text)
        guard !device.isEmpty, !name.contains("/"), parts.count == 1 || !name.isEmpty else {
            throw arguments.failure("invalid --source value '\(text)'; use mic, system, app:PROGRAM or a device, like mic or guest=mic:usb")
        }
        if device == "mic" { return (name.isEmpty ? "mic" : name, nil) }
        if device.hasPrefix("mic:") { return (name.isEmpty ? "mic" : name, String(device.dropFirst(4))) }
        let own = device.hasPrefix("app:") ? String(device.dropFirst(4)) : device
        return (name.isEmpty ? String(own.map { $0 == "/" ? "-" : $0 }) : name, device)
    }

    func layout(ofOutput index: Int) -> Layout {
        if layouts.isEmpty { return sources.count == 2 ? .channels : .mix }
        return layouts[min(index, layouts.count - 1)]
    }

    /// Returns the recorder's sources.
    ///
    /// - Parameters:
    ///   - gains: One factor per source, or none.
    ///   - makeSource: Returns the audio system for a device.
    func recorderSources(
        _ capture: CaptureConfiguration, gains: [Float], _ makeSource: (_ device: String?) throws -> CaptureSource
    ) rethrows -> [RecorderSource] {
        try sources.enumerated().map { index, source in
            var capture = capture
            capture.device = source.device
            if gains.indices.contains(index) { capture.gain = gains[index] }
            return RecorderSource(source.name, source: try makeSource(source.device), capture: capture)
        }
    }
}
