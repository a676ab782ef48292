// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import TestSupport
import Testing
import TransformCoding

/// Streams of every kind with random damage, decoded: nothing may trap, take longer or give more than a sound unit, or leave
/// anything but numbers; and what follows the damage is soon exact again.
///
/// ``RandomDamage`` says how many.
@Suite struct VectorMutationTests {
    @Test("The decoder takes damage of every kind, and gets over it", arguments: MutationStream.all)
    func damage(stream: MutationStream) throws {
        let decoder = try AACDecoder(stream.configuration)
        let reference = try reference(of: stream)
        var random = RandomDamage.generator(stream.units.reduce(0) { $0 + $1.count })
        var buffer = AACDecoderTests.emptyBuffer
        for index in 0..<RandomDamage.unitCount {
            // One unit before the damage, one or two damaged, three sound ones behind.
            let damaged = Int.random(in: 1...2, using: &random)
            let start = Int.random(in: 0...stream.units.count - 4 - damaged, using: &random)
            decoder.reset()
            for place in start..<start + 4 + damaged {
                let isDamaged = place > start && place <= start + damaged
                let unit = isDamaged ? random.damaged(stream.units[place], among: stream.units) : stream.units[place]
                let result = decoder.decode(unit.span, into: &buffer)
                guard isPlausible(buffer), result.byteCount <= unit.count else {
                    Issue.record(
                        "mutation \(index), unit \(place): \(buffer.frameCount) frames, \(result.byteCount) of \(unit.count) bytes")
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

    /// What comes out of each unit of a sound stream.
    private func reference(of stream: MutationStream) throws -> [PCMBuffer] {
        let decoder = try AACDecoder(stream.configuration)
        var buffer = AACDecoderTests.emptyBuffer
        return stream.units.map { unit in
            let result = decoder.decode(unit.span, into: &buffer)
            #expect(result.damage == nil)
            return buffer
        }
    }

    /// Whether there are as many frames as a unit can have, and nothing in them but numbers.
    private func isPlausible(_ buffer: PCMBuffer) -> Bool {
        buffer.frameCount <= 2048 && buffer.channelCount <= 8 && buffer.hasOnlyNumbers
    }
}
