// SPDX-License-Identifier: Apache-2.0

public import AudioMetadata
public import AudioPrimitives

/// Decodes one file sequentially: the interface between ``PCMFileReader`` and the format readers.
///
/// A source belongs to one reader and is used from one thread at a time. It throws ``AudioFileError`` and the errors of
/// `FileInput`.
package protocol PCMFileSource: AnyObject {
    /// The format and length of the file, which are constant.
    var properties: PCMFileProperties { get }

    /// Reads the next sample frames into `buffer`, filling it except at the end. It is empty after the end.
    func read(into buffer: inout PCMBuffer) throws

    /// The encoding that represents all samples without loss.
    var encoding: SampleEncoding { get }

    /// Reads the next sample frames as interleaved bytes in ``encoding``.
    ///
    /// - Parameters:
    ///   - frameCount: The number of frames to read. Fewer are read only at the end, and none after it.
    ///   - bytes: The array to replace.
    func read(_ frameCount: Int, into bytes: inout [UInt8]) throws

    /// Whether ``seek(toFrame:)`` is supported. True by default.
    var canSeek: Bool { get }

    /// Moves to a sample frame.
    func seek(toFrame frame: Int) throws

    /// Whether seeking yields the same samples as reading from the start.
    var seeksExactly: Bool { get }

    /// Recoverable problems of the file. Complete after the last frame.
    var warnings: [PCMFileWarning] { get }
}

extension PCMFileSource {
    package var canSeek: Bool { true }

    /// Reads the next sample frames of a floating-point source as bytes.
    ///
    /// - Parameters:
    ///   - frameCount: The number of frames to read. Fewer are read only at the end, and none after it.
    ///   - buffer: Working memory, reused between calls.
    ///   - bytes: The array to replace.
    ///   - read: Reads the next sample frames into a buffer, or `nil` to read from the source.
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
    /// The container's name, such as `WAV` or `FLAC`.
    public var containerName: String
    /// The sample rate, channel count and sample format after decompression.
    public var streamDescription: StreamDescription
    /// The sample rate, in hertz.
    public var sampleRate: Int
    /// The channel count, at least 1.
    public var channelCount: Int
    /// The channel layout, if the file defines one.
    public var channelLayout: ChannelLayout?
    /// The number of sample frames, if known.
    public var frameCount: Int?
    /// The encoder's priming and padding, which are removed, if the file signals them, as MP3 from LAME does.
    public var gaplessInfo: GaplessInfo?
    /// The codec of encoded audio, or `nil` if it is unknown.
    package var codec: FourCharCode?
    /// Whether the codec is lossy.
    ///
    /// Its samples then have no inherent bit depth.
    package var isLossy = false
    /// The number of valid bits per sample, if the file signals fewer than its samples have.
    package var validBitCount: Int?
    /// Title, artist and other tags.
    public var tags = AudioTags()
    /// The audio tracks of a file that can have several.
    ///
    /// Empty for others.
    public var audioTracks: [AudioTrack] = []

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

/// A recoverable problem of a file.
public enum PCMFileWarning: Hashable, Sendable {
    /// The file ends before the length in its header.
    case endsEarly(path: String, declaredFrames: Int, foundFrames: Int)
    /// More samples follow than the header states. All of them were read.
    case continues(path: String, declaredFrames: Int, foundFrames: Int)
    /// Parts of the file could not be decoded and were replaced with silence.
    case silenced(path: String, loss: PCMLoss, sampleRate: Int)
    /// Sample frames are missing inside the file, so that the following ones are early.
    case missing(path: String, frameCount: Int)
    /// The last page of an Ogg file is incomplete (`isCutOff`), or not marked as the last.
    case unfinished(path: String, isCutOff: Bool)
    /// Access units were damaged and concealed, or are missing; `byteCount` bytes are outside of access units.
    case damaged(path: String, unitCount: Int, byteCount: Int)
    /// Bytes before the first frame or after the last frame belong to no frame or chunk and were skipped. For a pipe, the bytes received so
    /// far.
    case skipped(path: String, byteCount: Int)
    /// Parts of the file have a different format than the first and were skipped. `sampleRate`, in hertz, and `channelCount` describe the
    /// first such part, or 0 if it is unreadable.
    case formatChange(path: String, partCount: Int, sampleRate: Int, channelCount: Int)
    /// Parts of the file have a different format than the first and were converted, with less quality if the sample rate differs.
    /// `sampleRate`, in hertz, and `channelCount` describe the first such part.
    case converted(path: String, partCount: Int, sampleRate: Int, channelCount: Int)
    /// A nonempty file ends before its first sample frame.
    case empty(path: String)

    /// Whether audio is missing, because the file is damaged or truncated.
    public var isDamage: Bool {
        switch self {
        case .continues, .skipped, .converted, .unfinished(_, false): false
        case .endsEarly, .silenced, .missing, .unfinished, .damaged, .formatChange, .empty: true
        }
    }
}

extension PCMFileWarning: CustomStringConvertible {
    /// One line with the file and the problem.
    public var description: String {
        switch self {
        case .endsEarly(let path, let declared, let found):
            "\(path) ends after \(found) of the \(declared) frames in its header"
        case .continues(let path, let declared, let found):
            "\(path) has \(found) frames although its header states \(declared); all were read"
        case .silenced(let path, let loss, let sampleRate):
            "\(path) is damaged: \(loss.frameCount) sample frames are lost and silent, "
                + (loss.partCount == 1 ? "from" : "in \(loss.partCount) places, the first at")
                + " \(Self.seconds(loss.firstFrame, sampleRate)) s" + (loss.partCount == 1 ? " on" : "")
        case .missing(let path, let frames):
            "\(path) is damaged: \(frames) sample frames are missing, and the following ones are early"
        case .unfinished(let path, let isCutOff):
            isCutOff ? "\(path) is cut off: its last page is incomplete" : "\(path) may be cut off: its last page is not marked as the last"
        case .damaged(let path, let accessUnits, let bytes):
            "\(path) is damaged: " + Self.damage(accessUnits, bytes)
        case .formatChange(let path, let parts, let sampleRate, let channelCount):
            Self.otherParts(path, parts, sampleRate, channelCount) + ", skipped"
        case .converted(let path, let parts, let sampleRate, let channelCount):
            Self.otherParts(path, parts, sampleRate, channelCount) + ", converted to the first; split the file to keep its quality"
        case .empty(let path): "\(path) has no decodable audio"
        case .skipped(let path, let bytes):
            "\(path) has \(bytes) unrelated bytes before or after its audio; they were skipped"
        }
    }

    /// Returns the counts of damaged access units and of bytes outside of them, without a zero.
    private static func damage(_ accessUnitCount: Int, _ byteCount: Int) -> String {
        let accessUnits = "\(accessUnitCount) damaged or missing access unit\(accessUnitCount == 1 ? "" : "s")"
        let bytes = "\(byteCount) byte\(byteCount == 1 ? "" : "s") outside of access units"
        return byteCount == 0 ? accessUnits : accessUnitCount == 0 ? bytes : accessUnits + ", " + bytes
    }

    /// Returns the start of a message about parts in another format.
    private static func otherParts(_ path: String, _ count: Int, _ sampleRate: Int, _ channelCount: Int) -> String {
        "\(path) has \(count) \(count == 1 ? "part" : "parts") in another format"
            + (sampleRate > 0 ? " (\(sampleRate) Hz, \(channelCount) \(channelCount == 1 ? "channel" : "channels"))" : "")
    }

    /// Returns a time in seconds with two decimal places.
    private static func seconds(_ frame: Int, _ sampleRate: Int) -> String {
        let hundredths = frame % sampleRate * 100 / sampleRate
        return "\(frame / sampleRate).\(hundredths < 10 ? "0" : "")\(hundredths)"
    }
}
