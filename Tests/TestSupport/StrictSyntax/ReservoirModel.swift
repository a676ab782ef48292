// SPDX-License-Identifier: Apache-2.0

/// The bit reservoir of a constant rate, as the decoder's buffer sees it (ISO/IEC 14496-3:2009, subpart 4).
public struct ReservoirModel: Sendable {
    /// The mean number of bits per frame.
    public let meanBits: Double
    /// The capacity of the reservoir in bits.
    public let capacity: Double
    /// The lowest and the highest level so far, relative to the level at the start.
    public private(set) var range: ClosedRange<Double> = 0...0
    private var level = 0.0

    /// Makes the model; `channelCount` without low-frequency channels.
    public init(bitRate: Int, sampleRate: Int, channelCount: Int, frameLength: Int = 1024) {
        meanBits = Double(bitRate) * Double(frameLength) / Double(sampleRate)
        capacity = Double(6144 * channelCount) - meanBits
    }

    /// Adds an access unit; returns whether there is a level at the start with which the reservoir neither underflows nor overflows.
    public mutating func add(bitCount: Int) -> Bool {
        level += meanBits - Double(bitCount)
        range = min(range.lowerBound, level)...max(range.upperBound, level)
        // Access units are whole bytes, the mean isn't: a tolerance of one byte.
        return range.upperBound - range.lowerBound <= capacity + 8
    }
}
