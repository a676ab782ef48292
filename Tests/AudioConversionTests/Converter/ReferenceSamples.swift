// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioPrimitives
import TestSupport

/// An independent model of sample encodings, one sample at a time in double precision.
enum ReferenceSamples {
    /// Returns the value of a sample; full scale is ±1.
    static func value(_ bytes: ArraySlice<UInt8>, _ encoding: SampleEncoding) -> Double {
        let ordered = encoding.isBigEndian ? Array(bytes) : bytes.reversed()
        let bits = ordered.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        if encoding == .unsigned8 { return (Double(bits) - 128) / 128 }
        if encoding.isFloat { return bytes.count == 4 ? Double(Float(bitPattern: UInt32(bits))) : Double(bitPattern: bits) }
        let shift = UInt64(64 - 8 * bytes.count)
        return Double(Int64(bitPattern: bits << shift) >> Int64(shift)) / Double(UInt64(1) << UInt64(8 * bytes.count - 1))
    }

    /// Returns the bytes of a value, rounded to nearest (ties to even) and clipped.
    static func bytes(_ value: Double, _ encoding: SampleEncoding) -> [UInt8] {
        let count = encoding.byteCount
        var bits: UInt64
        if encoding.isFloat {
            bits = count == 4 ? UInt64(Float(value).bitPattern) : value.bitPattern
        } else {
            let scale = Double(UInt64(1) << UInt64(8 * count - 1))
            let integer = Int64(min(max((value * scale).rounded(.toNearestOrEven), -scale), scale - 1))
            bits = UInt64(bitPattern: encoding == .unsigned8 ? integer + 128 : integer)
        }
        let little = (0..<count).map { UInt8(truncatingIfNeeded: bits >> UInt64(8 * $0)) }
        return encoding.isBigEndian ? little.reversed() : little
    }

    /// Returns random samples: random bits for integers, values up to 1.2 for floating point, and the extremes.
    static func random(_ count: Int, _ encoding: SampleEncoding, _ random: inout SeededRandom) -> [UInt8] {
        (0..<count).flatMap { index -> [UInt8] in
            if encoding.isFloat {
                return bytes(index % 7 == 0 ? [1, -1, 0][index % 3] : Double.random(in: -1.2...1.2, using: &random), encoding)
            }
            if index % 11 == 0 { return bytes(index % 2 == 0 ? 1 : -1, encoding) }
            return (0..<encoding.byteCount).map { _ in UInt8.random(in: 0...255, using: &random) }
        }
    }

    /// Converts interleaved samples to planar ones.
    static func planar(_ bytes: [UInt8], _ encoding: SampleEncoding, channelCount: Int) -> [UInt8] {
        let size = encoding.byteCount
        var result: [UInt8] = []
        for channel in 0..<channelCount {
            for first in stride(from: channel * size, to: bytes.count, by: channelCount * size) { result += bytes[first..<first + size] }
        }
        return result
    }
}

extension AudioConverter {
    /// Converts an input in memory in runs of random lengths.
    ///
    /// Returns all output.
    static func convert(
        _ bytes: [UInt8], from input: AudioFormat, to output: AudioFormat, options: AudioConverterOptions = AudioConverterOptions(),
        _ random: inout SeededRandom
    ) throws -> [UInt8] {
        let converter = try AudioConverter(from: .pcm(input), to: .pcm(output), options: options)
        var result: [UInt8] = []
        var block: [UInt8] = []
        var position = 0
        while position < bytes.count {
            let count = min(bytes.count - position, Int.random(in: 1...3000, using: &random) * input.bytesPerFrame)
            let run = Array(bytes[position..<position + count])
            try converter.append(run.span.bytes)
            position += count
            while converter.read(Int.random(in: 1...4000, using: &random), into: &block) > 0 { result += block }
        }
        try converter.finish()
        while converter.read(Int.random(in: 1...4000, using: &random), into: &block) > 0 { result += block }
        return result
    }
}
