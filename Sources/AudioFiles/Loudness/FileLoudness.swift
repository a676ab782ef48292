// SPDX-License-Identifier: Apache-2.0

public import AudioLoudness
internal import AudioPrimitives
public import PCMFiles

/// Measures the loudness and true peak of a whole file of PCM or encoded audio.
///
/// ```swift
/// let loudness = try await FileLoudness(of: .file("song.m4a")).run()
/// ```
public struct FileLoudness: Sendable {
    package let input: AudioFileInput
    /// The time range to measure, or `nil` for all.
    private let range: Range<Duration>?

    /// The number of sample frames to read at a time.
    private static let readFrames = 16_384

    /// Creates a measurement without opening the file.
    public init(of input: AudioFileInput) { self.init(of: input, range: nil) }

    init(of input: AudioFileInput, range: Range<Duration>?) { (self.input, self.range) = (input, range) }

    /// Measures the file on a dedicated thread.
    ///
    /// - Parameter progress: Called on another thread after every read with the playing time so far.
    /// - Returns: The loudness and the true peak.
    /// - Throws: ``/PCMFiles/AudioFileError``, with ``/PCMFiles/AudioFileError/Code/cancelled`` if the task was cancelled.
    public func run(progress: (@Sendable (Duration) -> Void)? = nil) async throws(AudioFileError) -> LoudnessSummary {
        try await BackgroundWork.run { isCancelled throws(AudioFileError) in
            try run { time in
                progress?(time)
                return !isCancelled()
            }
        }
    }

    /// Measures the file on this thread.
    ///
    /// - Parameter progress: Called after every read with the playing time so far. Returns false to stop.
    /// - Throws: ``/PCMFiles/AudioFileError``, with ``/PCMFiles/AudioFileError/Code/cancelled`` if `progress` returned false.
    package func run(_ progress: (Duration) -> Bool = { _ in true }) throws(AudioFileError) -> LoudnessSummary {
        try meter(progress).summary()
    }

    /// Measures the file on this thread, and returns the meter.
    ///
    /// - Parameter progress: As in ``run(_:)``.
    func meter(_ progress: (Duration) -> Bool) throws(AudioFileError) -> LoudnessMeter {
        try AudioFileError.attempt(input.name) {
            let file = try AudioFile(input, range: range)
            let meter = LoudnessMeter(sampleRate: file.sampleRate, channelCount: file.channelCount, layout: file.channelLayout)
            var buffer = PCMBuffer(sampleRate: file.sampleRate, channelCount: file.channelCount, frameCapacity: Self.readFrames)
            while true {
                try file.read(into: &buffer)
                guard buffer.frameCount > 0 else { return meter }
                meter.add(buffer)
                guard progress(Duration(frameCount: file.position, sampleRate: file.sampleRate)) else {
                    throw AudioFileError(.cancelled, path: input.name)
                }
            }
        }
    }
}
