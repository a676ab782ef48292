// SPDX-License-Identifier: Apache-2.0

/// A PCM sample encoding: all of ``SampleFormat`` in both byte orders, and 8 bits, which only occur in files.
public enum SampleEncoding: String, Hashable, Sendable, CaseIterable {
    /// 8-bit unsigned integer, with silence at 128.
    case unsigned8 = "u8"
    /// 8-bit signed integer.
    case signed8 = "s8"
    /// 16-bit signed integer, least significant byte first.
    case int16 = "s16le"
    /// 16-bit signed integer, most significant byte first.
    case int16BigEndian = "s16be"
    /// 24-bit signed integer in three bytes, least significant byte first.
    case int24 = "s24le"
    /// 24-bit signed integer in three bytes, most significant byte first.
    case int24BigEndian = "s24be"
    /// 32-bit signed integer, least significant byte first.
    case int32 = "s32le"
    /// 32-bit signed integer, most significant byte first.
    case int32BigEndian = "s32be"
    /// 32-bit floating point, least significant byte first.
    case float32 = "f32le"
    /// 32-bit floating point, most significant byte first.
    case float32BigEndian = "f32be"
    /// 64-bit floating point, least significant byte first.
    case float64 = "f64le"
    /// 64-bit floating point, most significant byte first.
    case float64BigEndian = "f64be"

    /// Creates the encoding for a sample format in memory.
    public init(_ format: SampleFormat, isBigEndian: Bool = false) {
        self =
            switch format {
            case .int16: isBigEndian ? .int16BigEndian : .int16
            case .int24: isBigEndian ? .int24BigEndian : .int24
            case .int32: isBigEndian ? .int32BigEndian : .int32
            case .float32: isBigEndian ? .float32BigEndian : .float32
            case .float64: isBigEndian ? .float64BigEndian : .float64
            }
    }

    /// Creates an encoding from its short name, where `le` can be omitted: `s16` is `s16le`.
    package init?(name: String) {
        guard let match = SampleEncoding(rawValue: name) ?? SampleEncoding(rawValue: name + "le") else { return nil }
        self = match
    }

    /// The number of bytes per sample.
    public var byteCount: Int {
        switch self {
        case .unsigned8, .signed8: 1
        case .int16, .int16BigEndian: 2
        case .int24, .int24BigEndian: 3
        case .int32, .int32BigEndian, .float32, .float32BigEndian: 4
        case .float64, .float64BigEndian: 8
        }
    }

    /// Whether samples are floating point.
    public var isFloat: Bool {
        switch self {
        case .float32, .float32BigEndian, .float64, .float64BigEndian: true
        default: false
        }
    }

    /// Whether the most significant byte is first.
    public var isBigEndian: Bool {
        switch self {
        case .int16BigEndian, .int24BigEndian, .int32BigEndian, .float32BigEndian, .float64BigEndian: true
        default: false
        }
    }

    package func streamDescription(sampleRate: Int, channelCount: Int) -> StreamDescription {
        var flags: StreamFormatFlags = .isPacked
        if isFloat {
            flags.insert(.isFloat)
        } else if self != .unsigned8 {
            flags.insert(.isSignedInteger)
        }
        if isBigEndian { flags.insert(.isBigEndian) }
        var stream = StreamDescription(
            sampleRate: Double(sampleRate), formatID: .linearPCM, formatFlags: flags, channelsPerFrame: channelCount,
            bitsPerChannel: byteCount * 8)
        stream.fillOut()
        return stream
    }
}
