// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// Reads the residuals of one channel, which are coded as zero runs and Golomb codes whose parameter follows a running mean.
struct ResidualReader {
    /// The running mean of residual magnitudes, with nine fractional bits.
    private var mean: Int
    /// The weight of a residual in the mean.
    private let multiplier: Int
    /// The maximum code parameter.
    private let parameterLimit: Int
    /// The size of an uncoded residual, in bits.
    private let residualBits: Int

    /// The number of fractional bits of the mean.
    private static let meanFractionBits = 9
    /// The number of ones before an uncoded value.
    private static let escapeLength = 9
    /// The size of an uncoded run length, in bits.
    private static let runBits = 16
    /// The maximum code in the mean, and the mean after a larger code.
    private static let maximumCode = 0xFFFF
    /// The mean below which a zero run follows each residual.
    private static let runThreshold = 128

    /// Creates a reader for a channel of an element.
    ///
    /// - Parameter residualBits: The size of an uncoded residual in bits, 1 to 32.
    init(_ configuration: ALACConfiguration, _ parameters: PredictorParameters, residualBits: Int) {
        mean = configuration.initialHistory
        multiplier = configuration.historyMultiplier * parameters.historyFactor / 4
        parameterLimit = max(1, configuration.parameterLimit)
        self.residualBits = residualBits
    }

    /// Reads the residuals of a range, with bits beyond the end of the packet as zeros.
    mutating func read(_ reader: inout BitReader, into residuals: inout MutableSpan<Int32>, _ range: Range<Int>) throws(CodecError) {
        var index = range.lowerBound
        // 1 after a run of less than the maximum length, which cannot be followed by another zero.
        var offset = 0
        while index < range.upperBound {
            let parameter = min(parameterLimit, 63 - (mean >> Self.meanFractionBits + 3).leadingZeroBitCount)
            let code = Self.readCode(&reader, parameter, divisor: 1 << parameter - 1, escapeBits: residualBits)
            let number = code + offset
            // Odd numbers stand for negative residuals.
            residuals[index] = Int32(truncatingIfNeeded: number >> 1 ^ -(number & 1))
            index += 1
            offset = 0
            mean += multiplier * number - (multiplier * mean) >> Self.meanFractionBits
            if code > Self.maximumCode { mean = Self.maximumCode }
            guard mean < Self.runThreshold, index < range.upperBound else { continue }
            let run = readRun(&reader)
            guard run <= range.upperBound - index else { throw .runTooLong(run, remaining: range.upperBound - index) }
            for zero in index..<index + run { residuals[zero] = 0 }
            index += run
            offset = run < Self.maximumCode ? 1 : 0
            mean = 0
        }
    }

    /// Reads the length of a zero run.
    private func readRun(_ reader: inout BitReader) -> Int {
        let parameter = UInt32(mean).leadingZeroBitCount - 24 + (mean + 16) >> 6
        let divisor = (1 << parameter - 1) & (1 << min(parameterLimit, 32) - 1)
        return Self.readCode(&reader, parameter, divisor: divisor, escapeBits: Self.runBits)
    }

    /// Reads a number, coded as a quotient of up to eight ones and a zero, followed by a remainder.
    ///
    /// The remainders 0 and 1 both mean 0 and are one bit shorter.
    ///
    /// - Parameters:
    ///   - parameter: The size of a remainder in bits, 1 to 31.
    ///   - divisor: The factor of the quotient.
    ///   - escapeBits: The size of an uncoded number in bits, which follows nine ones.
    @inline(__always)
    private static func readCode(_ reader: inout BitReader, _ parameter: Int, divisor: Int, escapeBits: Int) -> Int {
        let window = reader.peekWindow()
        let quotient = (~window).leadingZeroBitCount
        guard quotient < escapeLength else {
            reader.skip(escapeLength)
            return Int(reader.read(escapeBits))
        }
        let remainder = Int((window &<< UInt64(quotient + 1)) &>> UInt64(64 - parameter))
        reader.skip(remainder > 1 ? quotient + 1 + parameter : quotient + parameter)
        return quotient * divisor + max(remainder - 1, 0)
    }
}
