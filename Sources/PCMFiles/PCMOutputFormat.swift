// SPDX-License-Identifier: Apache-2.0

public import AudioMetadata
public import AudioPrimitives

/// The format of a PCM output file.
public struct PCMOutputFormat: Hashable, Sendable {
    /// The container format.
    public var file: AudioFileFormat
    /// The sample encoding, which the container must support.
    ///
    /// ``PCMFileWriter/append(bytes:)`` accepts samples in this encoding. In WAV, AIFF, CAF and raw PCM the file has the same byte order.
    public var encoding: SampleEncoding
    /// The sample rate, in hertz.
    public var sampleRate: Int
    /// The channel count, at least 1.
    public var channelCount: Int
    /// The channel layout for formats that store one: all channels or `nil`.
    public var channelLayout: ChannelLayout?
    /// The number of sample frames, if known.
    ///
    /// Makes the header of a pipe exact.
    public var expectedFrameCount: Int?
    /// Title, artist and other tags.
    ///
    /// Those that the container does not support are omitted.
    public var tags = AudioTags()
    /// Bytes to reserve for chapters that are known only at the end; used by FLAC.
    package var reservedTagByteCount = 0

    /// Creates an output format.
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

    /// Creates an output format with the container's default byte order.
    public init(
        _ file: AudioFileFormat, sampleFormat: SampleFormat = .int16, sampleRate: Int, channelCount: Int,
        channelLayout: ChannelLayout? = nil, expectedFrameCount: Int? = nil
    ) {
        self.init(
            file, encoding: file.encoding(of: sampleFormat), sampleRate: sampleRate, channelCount: channelCount,
            channelLayout: channelLayout, expectedFrameCount: expectedFrameCount)
    }

    /// The size of a sample frame, in bytes.
    package var bytesPerFrame: Int { encoding.byteCount * channelCount }
}

extension AudioFileFormat {
    /// Returns the encoding of a sample format in the file format's default byte order.
    package func encoding(of format: SampleFormat) -> SampleEncoding {
        SampleEncoding(format, isBigEndian: self == .aiff || self == .caf)
    }

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

    /// Returns the equivalent of an encoding in the file format's default byte order and signedness of 8-bit samples.
    ///
    /// The conversion is lossless. In raw PCM, and in CAF except for signedness, it is the encoding itself. Check ``canStore(_:)`` to find
    /// out whether the format supports that width.
    package func counterpart(of encoding: SampleEncoding) -> SampleEncoding {
        if self == .raw { return encoding }
        guard let format = encoding.sampleFormat else { return self == .wav ? .unsigned8 : .signed8 }
        return self == .caf ? encoding : SampleEncoding(format, isBigEndian: self == .aiff)
    }

    /// Returns the supported encoding that preserves most of an encoding's resolution.
    ///
    /// FLAC is limited to 24 bits.
    package func encoding(nearestTo encoding: SampleEncoding) -> SampleEncoding {
        let counterpart = counterpart(of: encoding)
        return canStore(counterpart) ? counterpart : .int24
    }
}

extension SampleEncoding {
    /// The sample format in memory, or `nil` for 8 bits, which exist only in files.
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
