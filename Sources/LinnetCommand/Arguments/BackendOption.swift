// SPDX-License-Identifier: Apache-2.0

import AudioDevices

/// The option that selects an audio system.
enum BackendOption {
    static let option = CommandOption(
        "backend", value: "NAME", "audio system: pulse (PulseAudio or PipeWire) or alsa (default: the first available)")

    /// Returns the requested audio system; `nil` for any.
    static func named(_ arguments: ParsedArguments) throws(CommandFailure) -> (any CaptureBackend)? {
        let backends = AutomaticCaptureBackend.systems()
        return try arguments.choice("backend", backends.map { ($0.kind.rawValue, $0) })
    }
}
