// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import TestSupport
import Testing
import TransformCoding

/// Decodes streams of every kind with random damage.
///
/// Nothing may trap, take longer or return more than an intact access unit, or produce non-finite samples. The output after the damage must
/// soon be exact again.
///
/// ``RandomDamage`` sets the number of repetitions.
@Suite struct VectorMutationTests {
    @Test("Survives damage of every kind and recovers", arguments: MutationStream.all)
    func damage(stream: MutationStream) throws {
        let decoder = try AACDecoder(stream.configuration)
        let reference = try reference(of: stream)
        var random = RandomDamage.generator(stream.accessUnits.reduce(0) { $0 + $1.count })
        var buffer = AACDecoderTests.emptyBuffer
        for index in 0..<RandomDamage.accessUnitCount {
            // One access unit before the damage, one or two damaged, three intact ones after them.
            let damaged = Int.random(in: 1...2, using: &random)
            let start = Int.random(in: 0...stream.accessUnits.count - 4 - damaged, using: &random)
            decoder.reset()
            for place in start..<start + 4 + damaged {
                let isDamaged = place > start && place <= start + damaged
                let accessUnit =
                    isDamaged ? random.damaged(stream.accessUnits[place], among: stream.accessUnits) : stream.accessUnits[place]
                let result = decoder.decode(accessUnit.span, into: &buffer)
                guard isPlausible(buffer), result.byteCount <= accessUnit.count else {
                    Issue.record(
                        "mutation \(index), unit \(place): \(buffer.frameCount) frames, \(result.byteCount) of \(accessUnit.count) bytes")
                    return
                }
            }
            guard stream.forgets else { continue }
            let last = start + 3 + damaged
            guard buffer == reference[last] else {
                Issue.record("mutation \(index): unit \(last), three behind the damage, is not exact")
                return
            }
        }
    }

    /// The output of each access unit of the intact stream.
    private func reference(of stream: MutationStream) throws -> [PCMBuffer] {
        let decoder = try AACDecoder(stream.configuration)
        var buffer = AACDecoderTests.emptyBuffer
        return stream.accessUnits.map { accessUnit in
            let result = decoder.decode(accessUnit.span, into: &buffer)
            #expect(result.damage == nil)
            return buffer
        }
    }

    /// Whether the frame count is valid and all samples are finite.
    private func isPlausible(_ buffer: PCMBuffer) -> Bool {
        buffer.frameCount <= 2048 && buffer.channelCount <= 8 && buffer.hasOnlyNumbers
    }
}
