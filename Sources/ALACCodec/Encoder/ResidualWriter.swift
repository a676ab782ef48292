// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// Writes or counts the residuals of one channel.
struct ResidualWriter {
    private var state: ResidualCode
    /// The size of an uncoded residual, in bits.
    private let residualBits: Int

    /// Creates a writer for a channel of an element.
    ///
    /// - Parameter residualBits: The size of an uncoded residual in bits, which fits all residuals.
    init(_ configuration: ALACConfiguration, historyFactor: Int, residualBits: Int) {
        state = ResidualCode(configuration, historyFactor: historyFactor)
        self.residualBits = residualBits
    }

    @inline(__always)
    mutating func write<Sink: BitSink>(_ residuals: Span<Int32>, to sink: inout Sink) {
        var index = 0
        var offset: Int64 = 0
        while index < residuals.count {
            let residual = Int64(residuals[index])
            let number = residual &<< 1 ^ residual >> 63
            let code = number - offset
            let parameter = state.parameter
            Self.writeCode(code, parameter, divisor: 1 &<< parameter - 1, escapeBits: residualBits, to: &sink)
            index += 1
            offset = 0
            state.update(number: number, code: code)
            guard state.startsRun, index < residuals.count else { continue }
            let end = min(residuals.count, index + ResidualCode.maximumCode)
            let first = index
            while index < end, residuals[index] == 0 { index += 1 }
            let (runParameter, divisor) = state.run
            Self.writeCode(Int64(index - first), runParameter, divisor: divisor, escapeBits: ResidualCode.runBits, to: &sink)
            offset = state.endRun(length: index - first)
        }
    }

    /// Writes a non-negative number.
    ///
    /// - Parameters:
    ///   - parameter: The size of a remainder in bits.
    ///   - divisor: The factor of the quotient.
    ///   - escapeBits: The size of an uncoded number in bits, which follows nine ones.
    @inline(__always)
    private static func writeCode<Sink: BitSink>(
        _ number: Int64, _ parameter: Int, divisor: Int64, escapeBits: Int, to sink: inout Sink
    ) {
        guard number < Int64(ResidualCode.escapeLength) * divisor else {
            sink.write(1 << UInt32(ResidualCode.escapeLength) - 1, count: ResidualCode.escapeLength)
            return sink.write(UInt32(truncatingIfNeeded: number), count: escapeBits)
        }
        let (quotient, remainder) = UInt32(truncatingIfNeeded: number).quotientAndRemainder(dividingBy: UInt32(truncatingIfNeeded: divisor))
        let ones = (1 &<< quotient - 1) &<< 1
        if remainder == 0 {
            sink.write(ones &<< UInt32(parameter - 1), count: Int(quotient) + parameter)
        } else {
            sink.write(ones &<< UInt32(parameter) | (remainder + 1), count: Int(quotient) + 1 + parameter)
        }
    }
}
