// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import TestSupport
import Testing
import TransformCoding
import USACCodec

@Suite struct ArithmeticTests {
    @Test("Random bits decode to lines within range; after zeros (escapes) they may be rejected")
    func randomBits() {
        var outcomes = (decoded: 0, damaged: 0)
        for seed in 0..<200 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            var bytes = (0..<400).map { _ in UInt8.random(in: 0...255, using: &random) }
            for index in 0..<Int(seed % 10) { bytes[index] = 0 }
            var reader = BitReader(bytes)
            var context = SpectralContext(frameLength: 1024)
            context.reset(lineCount: 1024)
            var lines = [Int16](repeating: 0, count: 1024)
            var span = lines.mutableSpan
            let pairs = SpectralArithmeticDecoder.decode(lineCount: 800, into: &span, context: &context, from: &reader)
            guard pairs != nil else {
                outcomes.damaged += 1
                continue
            }
            outcomes.decoded += 1
            #expect(lines.allSatisfy { abs(Int($0)) <= 8191 } && lines[800...].allSatisfy { $0 == 0 }, "seed \(seed)")
        }
        #expect(outcomes.decoded >= 50 && outcomes.damaged >= 50, "\(outcomes)")
    }

    @Test("Lines survive encoding and decoding in any context", arguments: 0..<40 as Range<UInt64>)
    func roundTrip(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var writing = SpectralContext(frameLength: 1024)
        var reading = SpectralContext(frameLength: 1024)
        writing.reset(lineCount: 1024)
        reading.reset(lineCount: 1024)
        var writer = BitWriter()
        // Windows with falling levels, each in the context of the previous window.
        let windows = (0..<4).map { window in
            let pairCount = [400, 0, 399, Int.random(in: 1..<400, using: &random)][window]
            let lines = (0..<1024).map { line in
                let limit = 8191 >> Int.random(in: 0...13, using: &random)
                return line < 2 * pairCount ? Int16.random(in: Int16(-limit)...Int16(limit), using: &random) : 0
            }
            return (lines: lines, pairCount: pairCount)
        }
        for window in windows {
            SpectralArithmeticEncoder.encode(
                window.lines.span, lineCount: 800, pairCount: window.pairCount, context: &writing, to: &writer)
        }
        var reader = BitReader(writer.bytes)
        for window in windows {
            var lines = [Int16](repeating: 1, count: 1024)
            var span = lines.mutableSpan
            let pairs = SpectralArithmeticDecoder.decode(lineCount: 800, into: &span, context: &reading, from: &reader)
            #expect(pairs == window.pairCount && lines == window.lines, "seed \(seed)")
        }
        #expect(reader.bitPosition == writer.bitCount, "seed \(seed)")
    }

    @Test("Codes with many bits that only a later symbol decides are decoded")
    func pendingBits() {
        func resetContext() -> SpectralContext {
            var context = SpectralContext(frameLength: 1024)
            context.reset(lineCount: 1024)
            return context
        }
        func code(_ lines: [Int16]) -> BitWriter {
            var context = resetContext()
            var writer = BitWriter()
            let all = lines + [Int16](repeating: 0, count: 1024 - lines.count)
            SpectralArithmeticEncoder.encode(
                all.span, lineCount: lines.count, pairCount: lines.count / 2, context: &context, to: &writer)
            return writer
        }
        /// Returns the length of the run of equal bits before the sign bits, which is at least the number of pending bits.
        func pendingCount(_ lines: [Int16]) -> Int {
            let writer = code(lines)
            let (bytes, end) = (writer.bytes, writer.bitCount - lines.count { $0 != 0 })
            func bit(_ index: Int) -> Bool { bytes[index / 8] & 0x80 >> UInt8(index % 8) != 0 }
            return (0..<end).reversed().prefix { bit($0) == bit(end - 1) }.count
        }
        let pairs = (0..<17).map { [Int16($0 & 3), Int16($0 >> 2)] }
        var (lines, longest): ([Int16], Int) = ([], 0)
        for step in 0..<100 {
            let choices = pairs.map { lines + $0 }
            let counts = choices.map(pendingCount)
            let most = counts.max() ?? 0
            lines = choices[counts.firstIndex(of: most) ?? 0]
            longest = max(longest, most)
            var context = resetContext()
            var reader = BitReader(code(lines).bytes)
            var decoded = [Int16](repeating: 1, count: 1024)
            var span = decoded.mutableSpan
            let pairCount = SpectralArithmeticDecoder.decode(
                lineCount: lines.count, into: &span, context: &context, from: &reader)
            #expect(pairCount == lines.count / 2 && Array(decoded.prefix(lines.count)) == lines, "step \(step)")
        }
        #expect(longest > 64, "\(longest)")
    }

    @Test("Context magnitudes keep their relative position when the window length changes")
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
