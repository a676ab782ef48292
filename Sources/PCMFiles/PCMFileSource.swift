// SPDX-License-Identifier: Apache-2.0

public import AudioMetadata
public import AudioPrimitives

/// Decodes one file forwards; the interface between ``PCMFileReader`` and the readers of formats.
///
/// A source belongs to one reader and is used from one thread at a time. It throws ``AudioFileError`` and the errors of
/// `FileInput`.
package protocol PCMFileSource: AnyObject {
    /// The format and length of the file; they don't change.
    var properties: PCMFileProperties { get }

    /// Replaces the contents of `buffer` by the next sample frames: as many as fit, fewer only at the end, none after it.
    func read(into buffer: inout PCMBuffer) throws

    /// The encoding that holds all samples of the file.
    var encoding: SampleEncoding { get }

    /// Replaces bytes by the next sample frames, interleaved, in ``encoding``.
    ///
    /// - Parameters:
    ///   - frameCount: The frames to read; fewer are read only at the end, none after it.
    ///   - bytes: The array to replace.
    func read(_ frameCount: Int, into bytes: inout [UInt8]) throws

    /// Whether ``seek(toFrame:)`` is possible; true unless the source says otherwise.
    var canSeek: Bool { get }

    /// Moves to a sample frame counted from the first.
    func seek(toFrame frame: Int) throws

    /// Whether samples after ``seek(toFrame:)`` are those of a source that read from the start.
    var seeksExactly: Bool { get }

    /// Problems of the file that did not prevent reading; complete after the last frame.
    var warnings: [PCMFileWarning] { get }
}

extension PCMFileSource {
    /// True.
    package var canSeek: Bool { true }

    /// Replaces bytes by the next sample frames of a source that decodes to floating point.
    ///
    /// - Parameters:
    ///   - frameCount: The frames to read; fewer are read only at the end, none after it.
    ///   - buffer: Working space, kept from one call to the next.
    ///   - bytes: The array to replace.
    ///   - read: Replaces a buffer by the next sample frames; nil for those of the source.
    package func readFloats(
        _ frameCount: Int, by buffer: inout PCMBuffer?, into bytes: inout [UInt8], from read: ((inout PCMBuffer) throws -> Void)? = nil
    ) throws {
        if buffer?.frameCapacity != frameCount {
            buffer = PCMBuffer(sampleRate: properties.sampleRate, channelCount: properties.channelCount, frameCapacity: frameCount)
        }
        guard var frames = buffer.take() else { return }
        defer { buffer = frames }
        if let read { try read(&frames) } else { try self.read(into: &frames) }
        encoding.encode(frames, into: &bytes)
    }
}

/// The format and length of a PCM file.
public struct PCMFileProperties: Hashable, Sendable {
    /// The usual name of the container: `WAV`, `FLAC`.
    public var containerName: String
    /// Sample rate, channel count and format of a decompressed sample.
    public var streamDescription: StreamDescription
    /// The sample rate in hertz.
    public var sampleRate: Int
    /// The number of channels, at least 1.
    public var channelCount: Int
    /// The speakers of the channels, if the file names them.
    public var channelLayout: ChannelLayout?
    /// The number of sample frames, if it is known.
    public var frameCount: Int?
    /// The frames that an encoder put before and after the signal, which are removed, if the file tells them as MP3 of lame does.
    public var gaplessInfo: GaplessInfo?
    /// Whether the samples were coded with loss: they have no width that would keep all of them.
    package var isLossy = false
    /// Title, artist and so on.
    public var tags = AudioTags()
    /// The audio tracks of a file that can have several; empty for others.
    public var audioTracks: [AudioTrack] = []

    /// Creates the properties of a file.
    package init(
        containerName: String, streamDescription: StreamDescription, sampleRate: Int, channelCount: Int,
        channelLayout: ChannelLayout? = nil, frameCount: Int?
    ) {
        self.containerName = containerName
        self.streamDescription = streamDescription
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.channelLayout = channelLayout
        self.frameCount = frameCount
    }
}

/// A problem of a file that did not prevent reading.
public enum PCMFileWarning: Hashable, Sendable {
    /// The file ends before the length in its header is reached.
    case endsEarly(path: String, declaredFrames: Int, foundFrames: Int)
    /// More samples follow than the header says; all of them were read.
    case continues(path: String, declaredFrames: Int, foundFrames: Int)
    /// Parts of the file could not be decoded; there is silence in their place.
    case silenced(path: String, loss: PCMLoss, sampleRate: Int)
    /// Access units of coded audio are damaged and concealed, or missing, and bytes belong to none.
    case damaged(path: String, unitCount: Int, byteCount: Int)
    /// Bytes before the first frame or after the last one belong to no frame and no chunk, and were left out; of a pipe those that have arrived.
    case skipped(path: String, byteCount: Int)
    /// Parts of the file have another format than the first, and were left out; `sampleRate`, in hertz, and `channelCount` are those of the first
    /// such part, 0 if it can't be read.
    case formatChange(path: String, partCount: Int, sampleRate: Int, channelCount: Int)
    /// The file ends before its first sample frame, although it is not one without samples.
    case empty(path: String)

    /// Whether something of the audio is missing: the file is damaged, or cut off.
    public var isDamage: Bool {
        switch self {
        case .continues, .skipped: false
        case .endsEarly, .silenced, .damaged, .formatChange, .empty: true
        }
    }
}

extension PCMFileWarning: CustomStringConvertible {
    /// One line that names the file and the problem.
    public var description: String {
        switch self {
        case .endsEarly(let path, let declared, let found):
            "\(path) ends after \(found) of the \(declared) frames in its header"
        case .continues(let path, let declared, let found):
            "\(path) holds \(found) frames although its header says \(declared); all were read"
        case .silenced(let path, let loss, let sampleRate):
            "\(path) is damaged: \(loss.frameCount) sample frames are lost and silent, "
                + (loss.partCount == 1 ? "from" : "in \(loss.partCount) places, the first at")
                + " \(Self.seconds(loss.firstFrame, sampleRate)) s" + (loss.partCount == 1 ? " on" : "")
        case .damaged(let path, let units, let bytes):
            "\(path) is damaged: \(units) damaged or missing access units, \(bytes) bytes that belong to none"
        case .formatChange(let path, let parts, let sampleRate, let channelCount):
            "\(path) has \(parts) \(parts == 1 ? "part" : "parts") of another format"
                + (sampleRate > 0 ? " (\(sampleRate) Hz, \(channelCount) \(channelCount == 1 ? "channel" : "channels"))" : "")
                + ", left out"
        case .empty(let path): "\(path) holds no audio that can be decoded"
        case .skipped(let path, let bytes):
            "\(path) has \(bytes) bytes before or after its audio that belong to nothing; they were left out"
        }
    }

    /// Returns a number of sample frames in seconds with two digits after the point.
    private static func seconds(_ frame: Int, _ sampleRate: Int) -> String {
        let hundredths = frame % sampleRate * 100 / sampleRate
        return "\(frame / sampleRate).\(hundredths < 10 ? "0" : "")\(hundredths)"
    }
}
