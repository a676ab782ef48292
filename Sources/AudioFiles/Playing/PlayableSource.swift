// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives
internal import PCMFiles
internal import SystemFiles

/// PCM that can be read from the first sample frame to the last, and perhaps from any other.
///
/// A source belongs to one thread at a time.
public protocol PlayableSource: AnyObject {
    /// The sample rate in hertz.
    var sampleRate: Int { get }
    /// The number of channels.
    var channelCount: Int { get }
    /// The speakers of the channels; nil if they are unknown, as by default.
    var channelLayout: ChannelLayout? { get }
    /// The number of sample frames, or nil if it is unknown.
    var frameCount: Int? { get }
    /// The index of the sample frame that is read next.
    var position: Int { get }

    /// Replaces the contents of `buffer`, which has the channel count of the source, by the next sample frames: none at the end.
    ///
    /// - Throws: ``AudioFileError`` if the audio can't be read or decoded.
    func read(into buffer: inout PCMBuffer) throws(AudioFileError)

    /// Moves to a sample frame.
    ///
    /// - Returns: False if the source can't seek.
    /// - Throws: ``AudioFileError`` if the audio can't be read.
    func seek(toFrame frame: Int) throws(AudioFileError) -> Bool
}

extension PlayableSource {
    /// Nil.
    public var channelLayout: ChannelLayout? { nil }
}

/// A PCM file as a playable source.
final class PCMAudioFile: PlayableSource {
    private let reader: PCMFileReader
    private let path: String

    /// Reads an open file from its current position on.
    init(_ input: FileInput, raw: AudioFormat? = nil) throws(AudioFileError) {
        path = input.path
        reader = try AudioFileError.attempt(path) { try PCMFileReader.reading(input, raw: raw) }
    }

    /// The sample rate in hertz.
    var sampleRate: Int { reader.properties.sampleRate }
    /// The number of channels.
    var channelCount: Int { reader.properties.channelCount }
    /// The speakers of the channels, or nil if the file does not name them.
    var channelLayout: ChannelLayout? { reader.properties.channelLayout }
    /// The number of sample frames, or nil for a pipe.
    var frameCount: Int? { reader.properties.frameCount }
    /// The index of the sample frame that is read next.
    var position: Int { reader.position }
    /// Problems of the file that did not prevent reading; complete once everything is read.
    var warnings: [PCMFileWarning] { reader.warnings }

    /// Replaces the contents of `buffer` by the next sample frames: none at the end.
    ///
    /// - Throws: ``AudioFileError`` if the file can't be read or decoded.
    func read(into buffer: inout PCMBuffer) throws(AudioFileError) {
        do throws(PCMFileError) { try reader.read(into: &buffer) } catch { throw AudioFileError(error, path: path) }
    }

    /// Moves to a sample frame, at most to the end.
    ///
    /// - Returns: False for a pipe.
    /// - Throws: ``AudioFileError`` if the file can't be read.
    func seek(toFrame frame: Int) throws(AudioFileError) -> Bool {
        guard let frameCount else { return false }
        do throws(PCMFileError) {
            try reader.seek(toFrame: max(0, min(frame, frameCount)))
        } catch {
            guard error.code == .notSeekable else { throw AudioFileError(error, path: path) }
            return false
        }
        return true
    }
}
