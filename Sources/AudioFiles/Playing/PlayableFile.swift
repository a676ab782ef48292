// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioPrimitives
internal import PCMFiles
internal import SystemFiles

/// A file of PCM or of coded audio that can be played, whatever its format.
///
/// The first bytes decide how the file is read, never its name. A file belongs to one thread at a time.
public final class PlayableFile: PlayableSource {
    private let source: any PlayableSource

    /// Opens a file of PCM or of coded audio.
    ///
    /// - Parameter path: The file's path. `-` is standard input, which is read as coded audio if it begins as that does, else as PCM.
    /// - Throws: ``AudioFileError`` if the file can't be read, or holds neither.
    public init(path: String) throws(AudioFileError) {
        let input = try FileInput(opening: path)
        if let file = try CodedAudioFile.opening(input) { source = file } else { source = try PCMAudioFile(input) }
    }

    /// The sample rate in hertz.
    public var sampleRate: Int { source.sampleRate }
    /// The number of channels.
    public var channelCount: Int { source.channelCount }
    /// The speakers of the channels, or nil if they are unknown.
    public var channelLayout: ChannelLayout? { source.channelLayout }
    /// The number of sample frames, or nil if it is unknown.
    public var frameCount: Int? { source.frameCount }
    /// The index of the sample frame that is read next.
    public var position: Int { source.position }

    /// Replaces the contents of `buffer` by the next sample frames: none at the end.
    ///
    /// - Throws: ``AudioFileError`` if the file can't be read or decoded.
    public func read(into buffer: inout PCMBuffer) throws { try source.read(into: &buffer) }

    /// Moves to a sample frame.
    ///
    /// - Returns: False if the file can't be read from there, as a pipe.
    /// - Throws: ``AudioFileError`` if the file can't be read.
    public func seek(toFrame frame: Int) throws -> Bool { try source.seek(toFrame: frame) }
}
