// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing
import USACCodec

/// Streams of our encoder, compared with fingerprints of fdk-aac's output, which `Scripts/Make/xhe-fingerprints` stores.
@Suite struct FingerprintTests {
    /// The streams, and the bound of the root mean square difference from fdk-aac's samples, in 16-bit steps.
    ///
    /// Rounding its output causes 0.29. With a core of 12 kHz, and in MPEG Surround, up to 1.6 are found next to the crossover, probably
    /// because of its 16-bit arithmetic.
    static let streams: [(name: String, bound: Double)] = [
        ("our-16k-m-24", 0.4), ("our-22k-st-48", 0.4), ("our-24k-st-16", 2.5), ("our-32k-m-20-best", 0.4), ("our-32k-st-40-cbr", 0.4),
        ("our-44k-st-48-fast", 0.5), ("our-44k-st-112-best", 0.4), ("our-48k-st-16", 2), ("our-48k-m-24", 0.5), ("our-48k-st-96", 0.4),
        ("our-48k-m-lc", 0.4), ("our-44k-m-he", 0.5),
    ]

    /// The streams with SBR in two channels.
    ///
    /// As in libxaac, the noise of the second one starts a frame later than in fdk-aac.
    private static let lateNoise: Set = ["our-22k-st-48", "our-24k-st-16", "our-32k-st-40-cbr", "our-44k-st-48-fast"]

    /// The number of sums per frame and channel.
    private static let sumCount = 4

    @Test("Decoding from each access point gives the samples of another decoder", arguments: streams.indices)
    func agreement(index: Int) throws {
        let (name, bound) = Self.streams[index]
        let file = USACVectorFile(name)
        let decoder = try USACDecoder(AudioSpecificConfig(parsing: file.configuration))
        let signs = Self.signs(count: decoder.framesPerPacket)
        var reader = BitReader(file.rest)
        let pointCount = Int(reader.read(16))
        #expect(pointCount > 0)
        for _ in 0..<pointCount {
            let first = Int(reader.read(16))
            let difference = try Self.difference(
                from: &reader, file.accessUnits[first...], decoder, signs, comparesAll: !Self.lateNoise.contains(name))
            #expect(difference < bound, "\(name) from access unit \(first)")
            decoder.reset()
        }
        #expect(reader.bitsRemaining == 0 && !reader.hasOverrun)
    }

    /// Returns the root mean square difference of the decoded samples, estimated from sums with random signs, in 16-bit steps.
    private static func difference(
        from reader: inout BitReader, _ units: ArraySlice<[UInt8]>, _ decoder: USACDecoder, _ signs: [[Double]], comparesAll: Bool
    ) throws -> Double {
        var (error, count) = (0.0, 0)
        for unit in units {
            let buffer = try decoder.decode(AccessUnit(unit))
            for channel in 0..<buffer.channelCount {
                for row in signs {
                    let expected = Double(Int32(bitPattern: reader.read(32)))
                    guard channel == 0 || comparesAll else { continue }
                    let sum = zip(row, buffer.channels[channel]).reduce(0) { $0 + $1.0 * Double($1.1) } * 32_768
                    error += (sum - expected) * (sum - expected)
                    count += row.count
                }
            }
        }
        return (error / Double(count)).squareRoot()
    }

    /// Returns the signs of each sum: minus for each set bit of random numbers.
    private static func signs(count: Int) -> [[Double]] {
        (0..<sumCount).map { seed in
            var random = SeededRandom(seed: UInt64(seed))
            var word: UInt64 = 0
            return (0..<count).map { index in
                word = index % 64 == 0 ? random.next() : word >> 1
                return word & 1 == 0 ? 1 : -1
            }
        }
    }
}
