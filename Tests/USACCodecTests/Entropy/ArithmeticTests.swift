// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioPrimitives
import TestSupport
import Testing

@testable import TransformCoding
@testable import USACCodec

@Suite struct ArithmeticTests {
    @Test("Any bits decode to lines within range, or are damage", arguments: 0..<200 as Range<UInt64>)
    func randomBits(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let bytes = (0..<400).map { _ in UInt8.random(in: 0...255, using: &random) }
        var reader = BitReader(bytes)
        var context = SpectralContext(frameLength: 1024)
        context.reset(lineCount: 1024)
        var lines = [Int16](repeating: 0, count: 1024)
        var span = lines.mutableSpan
        let isIntact = SpectralArithmeticDecoder.decode(lineCount: 800, into: &span, context: &context, from: &reader)
        guard isIntact else { return }
        #expect(lines.allSatisfy { abs(Int($0)) <= 8191 } && lines[800...].allSatisfy { $0 == 0 }, "seed \(seed)")
    }

    @Test("The magnitudes of a context keep their place when windows change their length")
    func resizing() {
        var context = SpectralContext(frameLength: 1024)
        context.reset(lineCount: 1024)
        do {
            var magnitudes = context.magnitudes()
            for pair in 0..<512 { magnitudes[pair] = UInt8(pair / 64) }
        }
        context.resize(lineCount: 128)
        #expect((0..<64).allSatisfy { context.values[$0] == UInt8($0 / 8) })
        context.resize(lineCount: 1024)
        #expect((0..<512).allSatisfy { context.values[$0] == UInt8($0 / 64) })
        #expect(context.values[512] == 0)
    }
}
