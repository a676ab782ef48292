// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// How one PCM sample is stored.
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

    /// Bytes a sample.
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

/// How a run of PCM samples lies in memory.
public struct PCMFormat: Hashable, Sendable {
    /// How one sample is stored.
    public var sampleFormat: SampleFormat

    /// Samples a frame.
    public var channelCount: Int

    /// Frame by frame (`LRLR…`) if true, else channel by channel (`LL…RR…`).
    public var isInterleaved: Bool

    /// Most significant byte first if true; the usual order of this machine's kind is least significant first.
    public var isBigEndian: Bool

    /// Makes a description of PCM in memory.
    public init(_ sampleFormat: SampleFormat, channelCount: Int, isInterleaved: Bool = true, isBigEndian: Bool = false) {
        self.sampleFormat = sampleFormat
        self.channelCount = channelCount
        self.isInterleaved = isInterleaved
        self.isBigEndian = isBigEndian
    }

    /// Bytes of one frame over all channels.
    public var bytesPerFrame: Int { sampleFormat.byteCount * channelCount }
}
