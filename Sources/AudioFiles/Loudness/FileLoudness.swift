// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioLoudness
internal import AudioPrimitives

/// Measures the loudness of files.
public enum FileLoudness {
    /// Sample frames read at a time.
    private static let readFrames = 16_384

    /// Measures the loudness and the true peaks of a whole file of PCM or of coded audio.
    ///
    /// - Parameters:
    ///   - path: The file's path; `-` is standard input.
    ///   - progress: Called after every read with the playing time so far.
    /// - Throws: ``AudioFileError``: ``AudioFileError/Code/loudnessNotMeasurable`` if libebur128 is not installed.
    public static func measure(_ path: String, _ progress: (Duration) -> Void = { _ in }) throws(AudioFileError) -> LoudnessSummary {
        try AudioFileError.reading(path) {
            let file = try AudioFile(path: path)
            let meter = try LoudnessMeter(sampleRate: file.sampleRate, channelCount: file.channelCount, layout: file.channelLayout)
            var buffer = PCMBuffer(sampleRate: file.sampleRate, channelCount: file.channelCount, frameCapacity: readFrames)
            while true {
                try file.read(into: &buffer)
                guard buffer.frameCount > 0 else { return try meter.summary() }
                try meter.add(buffer)
                progress(Duration(frameCount: file.position, sampleRate: file.sampleRate))
            }
        }
    }
}
