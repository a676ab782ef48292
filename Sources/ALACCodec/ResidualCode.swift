// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The adaptive Golomb code of residuals, whose parameter follows a running mean.
///
/// A number is a quotient of up to eight ones and a zero, followed by a remainder. The remainders 0 and 1 both mean 0 and are one bit
/// shorter. Numbers have up to 33 bits, and their products with the multiplier more.
struct ResidualCode {
    /// The running mean of residual magnitudes, with nine fractional bits.
    private var mean: Int64
    /// The weight of a residual in the mean.
    private let multiplier: Int64
    private let parameterLimit: Int

    private static let meanFractionBits = 9
    /// The number of ones before an uncoded value.
    static let escapeLength = 9
    /// The size of an uncoded run length, in bits.
    static let runBits = 16
    /// The maximum code in the mean and the mean after a larger code; also the maximum run length.
    static let maximumCode = 0xFFFF
    /// The mean below which a zero run follows each residual.
    private static let runThreshold = 128

    init(_ configuration: ALACConfiguration, historyFactor: Int) {
        mean = Int64(configuration.initialHistory)
        multiplier = Int64(configuration.historyMultiplier * historyFactor / 4)
        parameterLimit = max(1, configuration.parameterLimit)
    }

    /// The size of a residual's remainder in bits, 1 to 31.
    @inline(__always)
    var parameter: Int { min(parameterLimit, 63 - (mean >> Self.meanFractionBits + 3).leadingZeroBitCount) }

    /// The size of a run length's remainder in bits, and the factor of its quotient.
    var run: (parameter: Int, divisor: Int64) {
        let parameter = UInt32(mean).leadingZeroBitCount - 24 + Int(mean + 16) >> 6
        return (parameter, (1 << parameter - 1) & (1 << min(parameterLimit, 32) - 1))
    }

    /// Whether a zero run follows.
    @inline(__always)
    var startsRun: Bool { mean < Self.runThreshold }

    /// Updates the mean after a residual.
    ///
    /// - Parameters:
    ///   - number: The residual as a non-negative number.
    ///   - code: The coded number, which is one less after a zero run.
    @inline(__always)
    mutating func update(number: Int64, code: Int64) {
        mean += multiplier * number - (multiplier * mean) >> Self.meanFractionBits
        if code > Int64(Self.maximumCode) { mean = Int64(Self.maximumCode) }
    }

    /// Resets the mean after a zero run, and returns the offset of the next code.
    ///
    /// The offset is 1 after a run of less than the maximum length, which cannot be followed by another zero.
    mutating func endRun(length: Int) -> Int64 {
        mean = 0
        return length < Self.maximumCode ? 1 : 0
    }
}
