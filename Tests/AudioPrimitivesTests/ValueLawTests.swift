// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import TestSupport
import Testing

/// Tests of the laws of types with custom comparison.
///
/// One type with compiler-generated comparison stands for all others.
@Suite struct ValueLawTests {
    @Test(arguments: 1...5 as ClosedRange<UInt64>) func `Media times are ordered as fractions`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let extremes: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
        let times = (0..<40).map { index in
            MediaTime(
                value: index % 4 == 0 ? extremes.randomElement(using: &random) ?? 0 : .random(in: -6...6, using: &random),
                timescale: [1, 2, 3, 6, 48_000, .max].randomElement(using: &random) ?? 1)
        }
        let violations = ValueLaws.hashViolations(times) + ValueLaws.orderViolations(times)
        #expect(violations.isEmpty, "seed \(seed): \(violations.prefix(3))")
        #expect(times.sorted() == times.reversed().sorted(), "seed \(seed)")
    }

    /// A NaN makes a buffer differ from itself, as in an array of numbers.
    @Test(arguments: 1...5 as ClosedRange<UInt64>) func `Buffers are equal by the audio in use`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let buffers = (0..<40).map { _ in
            let capacity = Int.random(in: 0...3, using: &random)
            var buffer = PCMBuffer(
                sampleRate: [44_100, 48_000].randomElement(using: &random) ?? 0, channelCount: .random(in: 1...2, using: &random),
                frameCapacity: capacity)
            for index in buffer.samples.indices { buffer.samples[index] = [0, -0.0, 1].randomElement(using: &random) ?? 0 }
            buffer.frameCount = .random(in: 0...min(1, capacity), using: &random)
            return buffer
        }
        let violations = ValueLaws.hashViolations(buffers)
        #expect(violations.isEmpty, "seed \(seed): \(violations.prefix(3))")
        // Two rates, with no frame, or with one of two values in one or two channels.
        #expect(Set(buffers).count <= 16, "seed \(seed): samples or capacity that are not in use count")
    }

    @Test func `Type with synthesized comparison obeys the laws`() {
        let values = (0..<27).map { GaplessInfo(primingFrames: $0 % 3, validFrames: $0 / 3 % 3, remainderFrames: $0 / 9 % 2) }
        #expect(ValueLaws.hashViolations(values + values).isEmpty)
    }

    /// A type that breaks every law.
    private struct Broken: Hashable, Comparable {
        let number: Int

        static func == (left: Broken, right: Broken) -> Bool { right.number - left.number < 2 }
        static func < (left: Broken, right: Broken) -> Bool { left.number != right.number }
        static func <= (left: Broken, right: Broken) -> Bool { false }
        func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }

    @Test func `Broken laws are detected`() {
        let values = [Broken(number: 0), Broken(number: 1), Broken(number: 2)]
        for text in ["in one direction", "not transitive", "hashes differ"] {
            #expect(ValueLaws.hashViolations(values).contains { $0.contains(text) }, "\(text)")
        }
        for text in ["not one of", "disagree with <"] {
            #expect(ValueLaws.orderViolations(values).contains { $0.contains(text) }, "\(text)")
        }
    }
}
