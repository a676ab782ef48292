// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioPrimitives

/// Something that decodes one PCM file forwards: what a platform's own file reader has to offer to be used here.
///
/// A source belongs to one reader and is used from one thread at a time.
protocol PCMSource: AnyObject {
    /// What the file holds, fixed once the source exists.
    var properties: PCMFileProperties { get }

    /// Replaces the content of `buffer` by the next frames: as many as fit, fewer only at the end, none after it.
    func read(into buffer: inout PCMBuffer) throws(PCMFileError)

    /// Goes to a frame counted from the first.
    func seek(toFrame frame: Int) throws(PCMFileError)

    /// Whether another source of the same file gives the same samples after it went to a frame as it does from the start.
    var seeksExactly: Bool { get }

    /// What turned out to be wrong with the file though it could be read; complete after the last frame.
    var warnings: [PCMFileWarning] { get }
}

/// What a PCM file holds.
public struct PCMFileProperties: Hashable, Sendable {
    /// The container, as people write it: `WAV`, `FLAC`.
    public var containerName: String
    /// Rate, channels, and how a sample is stored (once decompressed).
    public var streamDescription: StreamDescription
    /// Sample rate in hertz.
    public var sampleRate: Int
    /// Channels, at least 1.
    public var channelCount: Int
    /// Where the channels belong, as far as the file says so.
    public var channelLayout: ChannelLayout?
    /// Sample frames, as far as the file says so.
    public var frameCount: Int?
}

/// What is wrong with a file that could be read nevertheless.
public enum PCMFileWarning: Hashable, Sendable {
    /// The file ends before the length in its header.
    case endsEarly(path: String, declaredFrames: Int, foundFrames: Int)
    /// More samples follow than the header says; all of them were read.
    case goesOn(path: String, declaredFrames: Int, foundFrames: Int)
}

extension PCMFileWarning: CustomStringConvertible {
    /// One line for people.
    public var description: String {
        switch self {
        case .endsEarly(let path, let declared, let found):
            "\(path) ends after \(found) of the \(declared) frames in its header"
        case .goesOn(let path, let declared, let found):
            "\(path) has \(found) frames where its header says \(declared); all were read"
        }
    }
}
