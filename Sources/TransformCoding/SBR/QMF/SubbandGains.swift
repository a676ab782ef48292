// SPDX-License-Identifier: Apache-2.0

/// The dynamic range control of one channel's QMF subbands (ISO/IEC 14496-3:2009, 4.5.2.7).
package struct SubbandGains: ~Copyable {
    private struct Frame {
        var scheme = 0
        var first: Int
    }

    /// The delay between the core's samples and the QMF slots that are synthesized: 6 slots of the high frequency generator, and 4.5 of
    /// the analysis filter bank.
    private static let delay: Float = 10.5
    private static let subbandCount = 64

    /// The factors of three frames.
    private var factors = FixedArray<Float>(repeating: 1, count: 3 * subbandCount)
    /// The frames from the second last to the current, as parts of ``factors``.
    private var older = Frame(first: 0)
    private var previous = Frame(first: subbandCount)
    private var current = Frame(first: 2 * subbandCount)

    package init() {}

    /// Starts a frame.
    ///
    /// - Parameter scheme: `drc_interpolation_scheme`: the transition from the previous frame. Reserved values are linear.
    package mutating func startFrame(scheme: Int) {
        (older, previous, current) = (previous, current, older)
        current.scheme = scheme
    }

    /// Sets the factor of subbands of the current frame.
    package mutating func set(_ factor: Float, _ subbands: Range<Int>) {
        for subband in subbands { factors[current.first + subband] = factor }
    }

    /// Multiplies four QMF slots, one per lane, by the factors.
    ///
    /// The core overlaps the frames, so that its output changes from the previous gain to the current one within a frame.
    ///
    /// - Parameters:
    ///   - qmfSlot: The first of the four slots.
    ///   - qmfSlotCount: The number of slots per frame.
    package func apply(to slots: inout MutableSpan<ComplexVector>, qmfSlot: Int, qmfSlotCount: Int) {
        var weights = (SIMD4<Float>(), SIMD4<Float>(), SIMD4<Float>())
        for lane in 0..<4 {
            let time = Float(qmfSlot + lane) + 0.5 - Self.delay
            if time < 0 {
                weights.1[lane] = Self.weight(time + Float(qmfSlotCount), previous.scheme, qmfSlotCount)
                weights.0[lane] = 1 - weights.1[lane]
            } else {
                weights.2[lane] = Self.weight(time, current.scheme, qmfSlotCount)
                weights.1[lane] = 1 - weights.2[lane]
            }
        }
        for subband in 0..<Self.subbandCount {
            let factor =
                weights.0 * factors[older.first + subband] + weights.1 * factors[previous.first + subband]
                + weights.2 * factors[current.first + subband]
            slots[subband].real *= factor
            slots[subband].imaginary *= factor
        }
    }

    /// Returns the weight of a frame's gain at a time in slots after its start.
    private static func weight(_ time: Float, _ scheme: Int, _ qmfSlotCount: Int) -> Float {
        guard 1...8 ~= scheme else { return time / Float(qmfSlotCount) }
        return time * 8 >= Float((scheme - 1) * qmfSlotCount) ? 1 : 0
    }
}
