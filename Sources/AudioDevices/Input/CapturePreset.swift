// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// What to ask a device for, under a name that says what it is good for.
public struct CapturePreset: Hashable, Sendable {
    /// The name on the command line.
    public let name: String
    /// What it is, in a few words.
    public let summary: String
    /// The settings.
    public let configuration: CaptureConfiguration

    /// All presets.
    public static let all = [
        CapturePreset(name: "speech", summary: "16 kHz, mono", configuration: .speech),
        CapturePreset(name: "music", summary: "48 kHz, stereo", configuration: .music),
        CapturePreset(name: "low-latency", summary: "48 kHz, stereo, 5 ms at a time", configuration: .lowLatency),
    ]
}
