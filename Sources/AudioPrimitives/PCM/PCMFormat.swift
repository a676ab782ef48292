// SPDX-License-Identifier: Apache-2.0

/// A PCM sample format.
public enum SampleFormat: Hashable, Sendable, CaseIterable {
    /// 16-bit signed integer.
    case int16
    /// 24-bit signed integer in three bytes.
    case int24
    /// 32-bit signed integer.
    case int32
    /// 32-bit floating point, full scale ±1.
    case float32
    /// 64-bit floating point, full scale ±1.
    case float64

    /// The number of bytes per sample.
    public var byteCount: Int {
        switch self {
        case .int16: 2
        case .int24: 3
        case .int32, .float32: 4
        case .float64: 8
        }
    }

    /// Whether samples are floating point.
    public var isFloat: Bool { self == .float32 || self == .float64 }
}

/// A PCM format in memory.
public struct PCMFormat: Hashable, Sendable {
    /// The sample format.
    public var sampleFormat: SampleFormat

    /// The channel count.
    public var channelCount: Int

    /// Whether samples are stored frame by frame (`LRLR…`) instead of channel by channel (`LL…RR…`).
    public var isInterleaved: Bool

    /// Whether the most significant byte of a sample is first.
    public var isBigEndian: Bool

    /// Creates a PCM format.
    public init(_ sampleFormat: SampleFormat, channelCount: Int, isInterleaved: Bool = true, isBigEndian: Bool = false) {
        self.sampleFormat = sampleFormat
        self.channelCount = channelCount
        self.isInterleaved = isInterleaved
        self.isBigEndian = isBigEndian
    }

    /// The number of bytes per frame, for all channels.
    public var bytesPerFrame: Int { sampleFormat.byteCount * channelCount }
}
