// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

struct ResidualReader {
    private var state: ResidualCode
    /// The size of an uncoded residual, in bits.
    private let residualBits: Int

    /// Creates a reader for a channel of an element.
    ///
    /// - Parameter residualBits: The size of an uncoded residual in bits, 1 to 32.
    init(_ configuration: ALACConfiguration, _ parameters: PredictorParameters, residualBits: Int) {
        state = ResidualCode(configuration, historyFactor: parameters.historyFactor)
        self.residualBits = residualBits
    }

    /// Reads the residuals of a range, with bits beyond the end of the packet as zeros.
    mutating func read(_ reader: inout BitReader, into residuals: inout MutableSpan<Int32>, _ range: Range<Int>) throws(CodecError) {
        var index = range.lowerBound
        var offset: Int64 = 0
        while index < range.upperBound {
            let parameter = state.parameter
            let code = Self.readCode(&reader, parameter, divisor: 1 << parameter - 1, escapeBits: residualBits)
            let number = code + offset
            // Odd numbers stand for negative residuals.
            residuals[index] = Int32(truncatingIfNeeded: number >> 1 ^ -(number & 1))
            index += 1
            offset = 0
            state.update(number: number, code: code)
            guard state.startsRun, index < range.upperBound else { continue }
            let (runParameter, divisor) = state.run
            let run = Int(Self.readCode(&reader, runParameter, divisor: divisor, escapeBits: ResidualCode.runBits))
            guard run <= range.upperBound - index else { throw .runTooLong(run, remaining: range.upperBound - index) }
            for zero in index..<index + run { residuals[zero] = 0 }
            index += run
            offset = state.endRun(length: run)
        }
    }

    /// Reads a number.
    ///
    /// - Parameters:
    ///   - parameter: The size of a remainder in bits, 1 to 31.
    ///   - divisor: The factor of the quotient.
    ///   - escapeBits: The size of an uncoded number in bits, which follows nine ones.
    @inline(__always)
    private static func readCode(_ reader: inout BitReader, _ parameter: Int, divisor: Int64, escapeBits: Int) -> Int64 {
        let window = reader.peekWindow()
        let quotient = (~window).leadingZeroBitCount
        guard quotient < ResidualCode.escapeLength else {
            reader.skip(ResidualCode.escapeLength)
            return Int64(reader.read(escapeBits))
        }
        let remainder = Int64((window &<< UInt64(quotient + 1)) &>> UInt64(64 - parameter))
        reader.skip(remainder > 1 ? quotient + 1 + parameter : quotient + parameter)
        return Int64(quotient) * divisor + max(remainder - 1, 0)
    }
}
