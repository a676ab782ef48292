// SPDX-License-Identifier: Apache-2.0

/// The bit reservoir at a constant rate, as seen by the decoder buffer (ISO/IEC 14496-3:2009, subpart 4).
public struct ReservoirModel: Sendable {
    /// The mean number of bits per frame.
    public let meanBits: Double
    /// The capacity of the reservoir, in bits.
    public let capacity: Double
    /// The lowest and highest level so far, relative to the start.
    public private(set) var range: ClosedRange<Double> = 0...0
    private var level = 0.0

    /// Creates the model.
    ///
    /// `channelCount` excludes LFE channels.
    public init(bitRate: Int, sampleRate: Int, channelCount: Int, frameLength: Int = 1024) {
        meanBits = Double(bitRate) * Double(frameLength) / Double(sampleRate)
        capacity = Double(6144 * channelCount) - meanBits
    }

    /// Adds an access unit.
    ///
    /// Returns whether some initial level avoids both underflow and overflow.
    public mutating func add(bitCount: Int) -> Bool {
        level += meanBits - Double(bitCount)
        range = min(range.lowerBound, level)...max(range.upperBound, level)
        // Access units are whole bytes but the mean is not: a tolerance of one byte.
        return range.upperBound - range.lowerBound <= capacity + 8
    }
}
