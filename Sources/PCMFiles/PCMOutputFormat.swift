// SPDX-License-Identifier: Apache-2.0

public import AudioMetadata
public import AudioPrimitives

/// The format of a PCM file that is written.
public struct PCMOutputFormat: Hashable, Sendable {
    /// The container.
    public var file: AudioFileFormat
    /// The encoding of a sample, one that the container can store.
    ///
    /// ``PCMFileWriter/append(bytes:)`` takes samples of it, and in WAV, AIFF, CAF and raw PCM the file has its byte order.
    public var encoding: SampleEncoding
    /// The sample rate in hertz.
    public var sampleRate: Int
    /// The number of channels, at least 1.
    public var channelCount: Int
    /// The speakers of the channels, written where the format has a field for them; names every channel or is nil.
    public var channelLayout: ChannelLayout?
    /// The number of sample frames, if it is known: the header of a pipe is then exact.
    public var expectedFrameCount: Int?
    /// Title, artist and so on; those that the container can't store are left out.
    public var tags = AudioTags()

    /// Creates a description of a PCM file.
    public init(
        _ file: AudioFileFormat, encoding: SampleEncoding, sampleRate: Int, channelCount: Int, channelLayout: ChannelLayout? = nil,
        expectedFrameCount: Int? = nil
    ) {
        self.file = file
        self.encoding = encoding
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.channelLayout = channelLayout
        self.expectedFrameCount = expectedFrameCount
    }

    /// Creates a description of a PCM file, with the byte order that the container usually has.
    public init(
        _ file: AudioFileFormat, sampleFormat: SampleFormat = .int16, sampleRate: Int, channelCount: Int,
        channelLayout: ChannelLayout? = nil, expectedFrameCount: Int? = nil
    ) {
        self.init(
            file, encoding: file.encoding(of: sampleFormat), sampleRate: sampleRate, channelCount: channelCount,
            channelLayout: channelLayout, expectedFrameCount: expectedFrameCount)
    }

    /// The size of a sample frame in bytes.
    package var bytesPerFrame: Int { encoding.byteCount * channelCount }
}

extension AudioFileFormat {
    /// Returns the encoding of samples in the byte order that the format usually has.
    package func encoding(of format: SampleFormat) -> SampleEncoding {
        SampleEncoding(format, isBigEndian: self == .aiff || self == .caf)
    }

    /// Whether files of this format can have samples of an encoding.
    package func canStore(_ encoding: SampleEncoding) -> Bool {
        switch self {
        case .raw: true
        case .wav: encoding != .signed8 && !encoding.isBigEndian
        case .aiff: encoding != .unsigned8 && (encoding.isBigEndian || !encoding.isFloat)
        case .caf: encoding != .unsigned8
        case .flac, .oggFLAC: encoding != .unsigned8 && !encoding.isFloat && encoding.byteCount <= 3
        default: false
        }
    }

    /// Returns the encoding of this format that is an encoding in the format's usual byte order, with the sign that 8 bits have in it.
    ///
    /// Samples keep all bits. In raw PCM, and in CAF except for the sign, it is the encoding itself. ``canStore(_:)`` tells whether the format
    /// has one of that width at all.
    package func counterpart(of encoding: SampleEncoding) -> SampleEncoding {
        if self == .raw { return encoding }
        guard let format = encoding.sampleFormat else { return self == .wav ? .unsigned8 : .signed8 }
        return self == .caf ? encoding : SampleEncoding(format, isBigEndian: self == .aiff)
    }

    /// Returns the encoding of this format that keeps the most of the samples of an encoding: FLAC ends at 24 bits.
    package func encoding(nearestTo encoding: SampleEncoding) -> SampleEncoding {
        let counterpart = counterpart(of: encoding)
        return canStore(counterpart) ? counterpart : .int24
    }
}

extension SampleEncoding {
    /// The format in memory; nil for 8 bits, which occur in files only.
    var sampleFormat: SampleFormat? {
        switch self {
        case .unsigned8, .signed8: nil
        case .int16, .int16BigEndian: .int16
        case .int24, .int24BigEndian: .int24
        case .int32, .int32BigEndian: .int32
        case .float32, .float32BigEndian: .float32
        case .float64, .float64BigEndian: .float64
        }
    }
}
