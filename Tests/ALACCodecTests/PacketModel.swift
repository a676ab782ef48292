// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import TestSupport

/// A straightforward writer of Apple Lossless packets of any kind, verified with FFmpeg's decoder.
struct PacketModel {
    struct Channel {
        var isDifferentiated = false
        var shift = 9
        var factor = 4
        var coefficients: [Int] = []
    }

    /// The type of an element and its channel parameters.
    struct Element {
        /// 0: one channel; 1: two channels; 3: low-frequency effects.
        var kind: Int
        var isUncompressed = false
        var lowByteCount = 0
        var matrixShift = 0
        var matrixWeight = 0
        var channels: [Channel]

        var channelCount: Int { kind == 1 ? 2 : 1 }
    }

    let configuration: ALACConfiguration
    private(set) var bits = BitWriter(byteCapacity: 1 << 16)

    init(_ configuration: ALACConfiguration) { self.configuration = configuration }

    /// Returns the packet, completed with an end element.
    mutating func finished() -> [UInt8] {
        bits.write(7, count: 3)
        return bits.bytes
    }

    mutating func writeData(_ bytes: [UInt8], isAligned: Bool) {
        bits.write(4, count: 3)
        bits.write(3, count: 4)
        bits.write(isAligned)
        bits.write(UInt32(min(bytes.count, 255)), count: 8)
        if bytes.count >= 255 { bits.write(UInt32(bytes.count - 255), count: 8) }
        if isAligned { bits.alignToByte() }
        for byte in bytes { bits.write(UInt32(byte), count: 8) }
    }

    /// Writes a fill element of at most 269 bytes.
    mutating func writeFill(byteCount: Int) {
        bits.write(6, count: 3)
        bits.write(UInt32(min(byteCount, 15)), count: 4)
        if byteCount >= 15 { bits.write(UInt32(byteCount - 14), count: 8) }
        for _ in 0..<byteCount { bits.write(0xA5, count: 8) }
    }

    /// Writes an audio element.
    ///
    /// - Parameters:
    ///   - element: The parameters.
    ///   - samples: The samples of each channel.
    mutating func write(_ element: Element, _ samples: [[Int]]) {
        let count = samples[0].count
        bits.write(UInt32(element.kind), count: 3)
        bits.write(0, count: 16)
        bits.write(count != configuration.frameLength)
        bits.write(UInt32(element.lowByteCount), count: 2)
        bits.write(element.isUncompressed)
        if count != configuration.frameLength { bits.write(UInt32(count), count: 32) }
        if element.isUncompressed {
            for frame in 0..<count {
                for channel in samples { writeSigned(channel[frame], count: configuration.bitDepth) }
            }
        } else {
            writeCompressed(element, samples)
        }
    }

    /// Writes a compressed element after its header.
    private mutating func writeCompressed(_ element: Element, _ samples: [[Int]]) {
        let lowBits = element.lowByteCount * 8
        let sampleBits = configuration.bitDepth - lowBits + samples.count - 1
        writeSigned(element.matrixShift, count: 8)
        writeSigned(element.matrixWeight, count: 8)
        for channel in element.channels {
            bits.write(channel.isDifferentiated ? 15 : 0, count: 4)
            bits.write(UInt32(channel.shift), count: 4)
            bits.write(UInt32(channel.factor), count: 3)
            bits.write(UInt32(channel.coefficients.count), count: 5)
            for coefficient in channel.coefficients { writeSigned(coefficient, count: 16) }
        }
        for frame in samples[0].indices where lowBits > 0 {
            for channel in samples { writeSigned(channel[frame], count: lowBits) }
        }
        var parts = samples.map { $0.map { $0 >> lowBits } }
        if samples.count == 2, element.matrixWeight != 0 {
            let (left, right) = (parts[0], parts[1])
            parts[1] = zip(left, right).map { $0 - $1 }
            parts[0] = zip(right, parts[1]).map {
                Self.wrapped($0 + Self.wrapped(element.matrixWeight * $1, 32) >> element.matrixShift, sampleBits)
            }
        }
        for (channel, part) in zip(element.channels, parts) {
            writeResiduals(Self.residuals(part, channel, sampleBits: sampleBits), channel, sampleBits: sampleBits)
        }
    }

    /// Writes the low bits of a number.
    private mutating func writeSigned(_ value: Int, count: Int) {
        bits.write(UInt32(truncatingIfNeeded: value) & UInt32(truncatingIfNeeded: 1 << count - 1), count: count)
    }

    /// Returns a number sign-extended from its low bits.
    private static func wrapped(_ value: Int, _ bitCount: Int) -> Int { (value << (64 - bitCount)) >> (64 - bitCount) }

    static func residuals(_ samples: [Int], _ channel: Channel, sampleBits: Int) -> [Int] {
        let order = channel.coefficients.count
        func differences(_ samples: [Int], count: Int) -> [Int] {
            samples.indices.map { (1..<count).contains($0) ? wrapped(samples[$0] - samples[$0 - 1], sampleBits) : samples[$0] }
        }
        var result = differences(samples, count: order == 31 ? samples.count : min(samples.count, order + 1))
        var coefficients = channel.coefficients
        if order > 0, order < 31 {
            for index in stride(from: order + 1, to: samples.count, by: 1) {
                let oldest = samples[index - order - 1]
                var sum = channel.shift > 0 ? 1 << (channel.shift - 1) : 0
                for tap in 0..<order { sum += coefficients[tap] * (samples[index - 1 - tap] - oldest) }
                let correction = wrapped(sum, 32) >> channel.shift
                let residual = wrapped(samples[index] - oldest - correction, sampleBits)
                result[index] = residual
                var left = residual
                for tap in (0..<order).reversed() where left != 0 && (left > 0) == (residual > 0) {
                    let difference = oldest - samples[index - 1 - tap]
                    let sign = residual.signum() * difference.signum()
                    coefficients[tap] = wrapped(coefficients[tap] - sign, 16)
                    left -= (order - tap) * ((sign * difference) >> channel.shift)
                }
            }
        }
        return channel.isDifferentiated ? differences(result, count: result.count) : result
    }

    /// Writes residuals with the adaptive codes.
    private mutating func writeResiduals(_ residuals: [Int], _ channel: Channel, sampleBits: Int) {
        let multiplier = configuration.historyMultiplier * channel.factor / 4
        var mean = configuration.initialHistory
        var index = 0
        var offset = 0
        while index < residuals.count {
            let residual = residuals[index]
            let number = residual < 0 ? -2 * residual - 1 : 2 * residual
            var parameter = 0
            while 2 << parameter <= mean / 512 + 3 { parameter += 1 }
            parameter = min(parameter, configuration.parameterLimit)
            writeCode(number - offset, parameter, divisor: 1 << parameter - 1, escapeBits: sampleBits)
            mean = number - offset > 65535 ? 65535 : mean + multiplier * number - multiplier * mean / 512
            index += 1
            offset = 0
            guard mean < 128, index < residuals.count else { continue }
            let run = min(65535, residuals[index...].prefix { $0 == 0 }.count)
            parameter = UInt32(mean).leadingZeroBitCount - 24 + (mean + 16) / 64
            writeCode(run, parameter, divisor: (1 << parameter - 1) & (1 << configuration.parameterLimit - 1), escapeBits: 16)
            index += run
            offset = run < 65535 ? 1 : 0
            mean = 0
        }
    }

    /// Writes a number as a unary quotient and a remainder, or after nine ones as it is.
    private mutating func writeCode(_ number: Int, _ parameter: Int, divisor: Int, escapeBits: Int) {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        guard quotient < 9 else {
            bits.write(511, count: 9)
            return bits.write(UInt32(number), count: escapeBits)
        }
        bits.write(UInt32(1 << quotient - 1) << 1, count: quotient + 1)
        if remainder == 0 {
            bits.write(0, count: parameter - 1)
        } else {
            bits.write(UInt32(remainder + 1), count: parameter)
        }
    }
}
