// SPDX-License-Identifier: Apache-2.0

public import AudioDevices
internal import AudioPrimitives
public import PCMFiles
internal import SystemLibrary

extension CaptureSource {
    /// Returns a source that reads a file or pipe instead of a device, from its current position.
    ///
    /// ```swift
    /// let recorder = Recorder(source: .file(try AudioFile(path: "jingle.wav"), repeats: true), sinks: [.file("loop.m4a")])
    /// ```
    ///
    /// - Parameters:
    ///   - file: The file. It must not be used elsewhere meanwhile.
    ///   - pace: The reading pace.
    ///   - repeats: Whether to loop the audio without a gap. The file must be seekable.
    public static func file(_ file: sending any PlayableSource, pace: CapturePace = .realTime, repeats: Bool = false) -> CaptureSource {
        .program(AudioFileSource(file, pace: pace, repeats: repeats))
    }

    /// Whether the source can wait for a slow sink.
    var canWait: Bool {
        switch self {
        case .program(let source): !((source as? any PacedSource)?.followsClock ?? false)
        case .rawFile(_, let pace): pace == .unpaced
        default: false
        }
    }
}

/// A source of this package that may be tied to a clock, as a device is.
package protocol PacedSource: PCMSource {
    /// Whether audio is late or lost unless it is read when due.
    var followsClock: Bool { get }
}

/// The audio of a file or pipe, in real time or as fast as it is read.
private final class AudioFileSource: PacedSource, @unchecked Sendable {
    private static let buffersPerSecond = 50
    /// The delay, in seconds, beyond which the clock restarts: missed audio of a slow pipe is not caught up.
    private static let maximumDelay = 1.0

    private let pace: CapturePace
    private let repeats: Bool
    // Used by one thread at a time (see `PCMSource`).
    private let file: any PlayableSource
    private var start: ContinuousClock.Instant?
    private var frameCount = 0

    init(_ file: any PlayableSource, pace: CapturePace, repeats: Bool) {
        self.file = file
        self.pace = pace
        self.repeats = repeats
        sampleRate = file.sampleRate
        channelCount = file.channelCount
    }

    var followsClock: Bool { pace == .realTime }
    let sampleRate: Int
    let channelCount: Int

    /// Returns the next 20 ms when they are due; `nil` at the end.
    ///
    /// - Throws: ``/PCMFiles/AudioFileError`` if the file cannot be read.
    func next() throws(AudioFileError) -> PCMBuffer? {
        var buffer = PCMBuffer(
            sampleRate: sampleRate, channelCount: channelCount, frameCapacity: max(1, sampleRate / Self.buffersPerSecond))
        try file.read(into: &buffer)
        if buffer.frameCount == 0, repeats, frameCount > 0, file.canSeek {
            try file.seek(toFrame: 0)
            try file.read(into: &buffer)
        }
        guard buffer.frameCount > 0 else { return nil }
        frameCount += buffer.frameCount
        if pace == .realTime { waitUntilDue() }
        return buffer
    }

    /// Waits until the audio read so far would have been captured.
    private func waitUntilDue() {
        let now = ContinuousClock.now
        let first = start ?? now
        let due = first + .seconds(Double(frameCount) / Double(sampleRate))
        let wait = now.duration(to: due) / .seconds(1)
        start = wait < -Self.maximumDelay ? first + .seconds(-wait) : first
        if wait > 0 { usleep(useconds_t(wait * 1e6)) }
    }
}
