// SPDX-License-Identifier: Apache-2.0

public import AudioDevices

/// One of several sources of a recording.
///
/// ```swift
/// let recorder = Recorder(
///     sources: [RecorderSource("microphone"), RecorderSource("system", capture: CaptureConfiguration(device: "system"))],
///     sinks: RecorderSink.tracks("meeting.m4a", names: ["microphone", "system"]))
/// ```
public struct RecorderSource: Sendable {
    /// The name in events, in the summary and in file names.
    public var name: String

    /// The audio system, or a replacement for a device.
    public var source: CaptureSource

    /// The device, the requested format and the gain.
    ///
    /// Gaps are always filled.
    public var capture: CaptureConfiguration

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - name: The name in events, in the summary and in file names.
    ///   - source: The audio system, or a replacement for a device.
    ///   - capture: The device, the requested format and the gain.
    public init(_ name: String, source: CaptureSource = .system, capture: CaptureConfiguration = CaptureConfiguration()) {
        self.name = name
        self.source = source
        self.capture = capture
    }
}

/// The part of a recording's sources that a sink receives.
public enum RecordedSignal: Hashable, Sendable {
    /// One channel per source, in the order of the sources; a single source keeps its channels.
    case channels
    /// The sum of all sources. A limiter keeps true peaks below -1 dBFS.
    case mix
    /// The source with this name.
    case source(String)
}
