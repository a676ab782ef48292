// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioPrimitives
public import PCMFiles

/// Sound that can be read from its first frame to its last, and perhaps from anywhere.
public protocol PlayableSource: AnyObject {
    /// Sample rate in hertz.
    var sampleRate: Int { get }
    /// The number of channels.
    var channelCount: Int { get }
    /// The number of frames, or nil where it isn't known.
    var frameCount: Int? { get }
    /// The frame that is read next.
    var position: Int { get }

    /// Replaces the content of `buffer` by the next frames: none at the end.
    func read(into buffer: inout PCMBuffer) throws

    /// Goes to a frame; false where the source can't.
    func seek(toFrame frame: Int) throws -> Bool
}

/// A PCM file as sound to play.
public final class PCMAudioFile: PlayableSource {
    private let reader: PCMFileReader
    private let path: String

    /// Opens a file; `-` is standard input.
    ///
    /// `head` is what has been read of standard input already. Throws ``/PCMFiles/PCMFileError``.
    public init(path: String, raw: RawPCMInput? = nil, head: [UInt8] = []) throws(PCMFileError) {
        self.path = path
        reader = try PCMFileReader(path: path, raw: raw, head: head)
    }

    /// Sample rate in hertz.
    public var sampleRate: Int { reader.properties.sampleRate }
    /// The number of channels.
    public var channelCount: Int { reader.properties.channelCount }
    /// The number of frames, or nil for a pipe.
    public var frameCount: Int? { reader.properties.frameCount }
    /// The frame that is read next.
    public var position: Int { reader.position }

    /// Reads the next frames.
    public func read(into buffer: inout PCMBuffer) throws { try reader.read(into: &buffer) }

    /// Goes to a frame, at most to the end; false for a pipe.
    public func seek(toFrame frame: Int) throws -> Bool {
        guard let frameCount else { return false }
        do {
            try reader.seek(toFrame: max(0, min(frame, frameCount)))
        } catch PCMFileError.notSeekable {
            return false
        }
        return true
    }
}
