// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The bit reservoir of a constant rate, as the decoder's buffer sees it (ISO/IEC 14496-3:2009, subpart 4).
public struct ReservoirModel: Sendable {
    /// Bits a frame at the mean.
    public let meanBits: Double
    /// The most bits that can be saved up.
    public let capacity: Double
    /// The lowest and the highest sum of savings so far, from the start's 0.
    public private(set) var range: ClosedRange<Double> = 0...0
    private var level = 0.0

    /// Makes the model; `channelCount` without low-frequency channels.
    public init(bitRate: Int, sampleRate: Int, channelCount: Int, frameLength: Int = 1024) {
        meanBits = Double(bitRate) * Double(frameLength) / Double(sampleRate)
        capacity = Double(6144 * channelCount) - meanBits
    }

    /// Takes the next access unit; returns whether a reservoir of the capacity, full to any degree at the start, bears it.
    public mutating func add(bitCount: Int) -> Bool {
        level += meanBits - Double(bitCount)
        range = min(range.lowerBound, level)...max(range.upperBound, level)
        // One byte: units are whole bytes, the mean isn't.
        return range.upperBound - range.lowerBound <= capacity + 8
    }
}
