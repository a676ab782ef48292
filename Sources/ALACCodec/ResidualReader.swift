// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// Reads the residuals of one channel: Golomb codes whose parameter follows a running mean, and runs of zeros.
struct ResidualReader {
    /// The running mean of the residuals' magnitude, with nine bits after the point.
    private var mean: Int
    /// The weight of a residual in the mean.
    private let multiplier: Int
    /// The largest parameter of a code.
    private let parameterLimit: Int
    /// The number of bits of a residual that has no code.
    private let residualBits: Int

    /// The number of bits after the point of the mean.
    private static let meanFractionBits = 9
    /// The number of ones that introduces a value without a code.
    private static let escapeLength = 9
    /// The number of bits of a run without a code.
    private static let runBits = 16
    /// The largest code that takes part in the mean, and the mean after a larger one.
    private static let largestCode = 0xFFFF
    /// The mean below which a run of zeros follows each residual.
    private static let runThreshold = 128

    /// Creates a reader for a channel of an element.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the stream.
    ///   - parameters: The parameters of the channel.
    ///   - residualBits: The number of bits of a residual without a code, 1 to 32.
    init(_ configuration: ALACConfiguration, _ parameters: PredictorParameters, residualBits: Int) {
        mean = configuration.initialHistory
        multiplier = configuration.historyMultiplier * parameters.historyFactor / 4
        parameterLimit = max(1, configuration.parameterLimit)
        self.residualBits = residualBits
    }

    /// Reads as many residuals as a range has room for; bits after the end of the packet count as zeros.
    ///
    /// - Parameters:
    ///   - reader: The bits of the packet.
    ///   - residuals: The room for the residuals.
    ///   - range: The range of them.
    mutating func read(_ reader: inout BitReader, into residuals: inout MutableSpan<Int32>, _ range: Range<Int>) throws(CodecError) {
        var index = range.lowerBound
        // 1 after a run of zeros, which has the longest length it can have, so that no zero follows it.
        var offset = 0
        while index < range.upperBound {
            let parameter = min(parameterLimit, 63 - (mean >> Self.meanFractionBits + 3).leadingZeroBitCount)
            let code = Self.readCode(&reader, parameter, divisor: 1 << parameter - 1, escapeBits: residualBits)
            let number = code + offset
            // Odd numbers are negative residuals.
            residuals[index] = Int32(truncatingIfNeeded: number >> 1 ^ -(number & 1))
            index += 1
            offset = 0
            mean += multiplier * number - (multiplier * mean) >> Self.meanFractionBits
            if code > Self.largestCode { mean = Self.largestCode }
            guard mean < Self.runThreshold, index < range.upperBound else { continue }
            let run = readRun(&reader)
            guard run <= range.upperBound - index else { throw .runTooLong(run, remaining: range.upperBound - index) }
            for zero in index..<index + run { residuals[zero] = 0 }
            index += run
            offset = run < Self.largestCode ? 1 : 0
            mean = 0
        }
    }

    /// Reads the length of a run of zeros.
    private func readRun(_ reader: inout BitReader) -> Int {
        let parameter = UInt32(mean).leadingZeroBitCount - 24 + (mean + 16) >> 6
        let divisor = (1 << parameter - 1) & (1 << min(parameterLimit, 32) - 1)
        return Self.readCode(&reader, parameter, divisor: divisor, escapeBits: Self.runBits)
    }

    /// Reads a number: a quotient of up to eight ones and a zero, then a remainder, whose values 0 and 1 are one bit shorter and both mean 0.
    ///
    /// - Parameters:
    ///   - reader: The bits of the packet.
    ///   - parameter: The number of bits of a remainder, 1 to 31.
    ///   - divisor: The factor of the quotient.
    ///   - escapeBits: The number of bits of a number that follows nine ones as it is.
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
