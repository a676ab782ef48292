// SPDX-License-Identifier: Apache-2.0

/// A group of options under a heading in the help of subcommands with many options.
package enum OptionGroup: String, CaseIterable {
    case output = "Output"
    case input = "Input"
    case capture = "Capture"
    case files = "Several files, start and end"
    case rate = "Bit rate and quality"
    case encoder = "AAC encoder"
    case signal = "Samples and loudness"
    case batch = "Batch"
    case cluster = "Slurm cluster"
    case servers = "Live servers"
    case tags = "Tags"
    case dab = "DAB+"
    case opus = "Opus"
    case general = "General"

    /// The names of the group's options; the last group has all that no other group names.
    package var names: [String] {
        switch self {
        case .input: ["audio-track", "raw", "range", "latency", "loop", "at-rate", "recursive", "join", "input", "keep-delay"]
        case .capture:
            [
                "device", "source", "layout", "backend", "seconds", "pick", "buffer", "echo-cancel", "noise", "level", "mute-at",
                "gaps",
            ]
        case .files:
            ["split", "split-at", "start-level", "pre-roll", "stop-silence", "silence-level", "stop-at", "stop-size"]
        case .output: ["output", "also", "format", "force", "codec", "no-delay", "crc", "mpeg2"]
        case .rate:
            ["bitrate", "quality", "cbr", "abr", "peak-bitrate", "scale-bitrate", "preset", "profile", "effort", "adaptive"]
        case .encoder:
            [
                "signaling", "low-delay", "frame-length", "sbr", "bandwidth", "no-noise-substitution", "silence-invalid",
                "stated-loudness", "access-points",
            ]
        case .signal:
            [
                "sample-format", "rate", "rate-quality", "channels", "channel-map", "dither", "gain", "normalize", "true-peak", "loudness",
                "album-gain", "target-loudness", "drc",
            ]
        case .batch:
            [
                "results", "verify", "noise-limit", "dry-run", "prune", "checksum", "any-version", "memory", "open-files", "grace", "parts",
                "contribute",
            ]
        case .cluster: ["slurm", "status", "merge", "array", "partition", "account", "time", "work"]
        case .servers: ["queue", "timeout", "title-file", "hls-type", "hls-format", "hls-segment", "hls-part", "hls-rates", "hls-window"]
        case .tags: TagOptions.options.map(\.name) + ["tags-from"]
        case .dab: ["dab", "dab-pad", "dab-labels"]
        case .opus: OpusOptions.options.map(\.name)
        case .general: []
        }
    }

    /// The largest number of options that are listed without groups.
    private static let ungroupedLimit = 16

    /// Returns options by group, in the order of the groups, or one list titled "Options" if there are only a few.
    ///
    /// Options that no group names are in the last one, so that help omits none.
    package static func grouped(_ options: [CommandOption]) -> [(title: String, options: [CommandOption])] {
        guard options.count > ungroupedLimit else { return [("Options", options)] }
        var rest = options
        return allCases.compactMap { group in
            let names = group.names
            let members = group == .general ? rest : rest.filter { names.contains($0.name) }
            rest.removeAll { names.contains($0.name) }
            return members.isEmpty ? nil : (group.rawValue, members)
        }
    }
}
