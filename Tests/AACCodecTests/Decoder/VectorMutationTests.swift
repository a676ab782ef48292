// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioPrimitives
import Foundation
import TestSupport
import Testing

@testable import AACCodec
@testable import TransformCoding

/// Streams of every kind with random damage, decoded: nothing may trap, take longer or give more than a sound unit, or leave
/// anything but numbers; and what follows the damage is soon exact again.
///
/// `LINNET_DECODER_MUTATIONS` says how many for each stream.
@Suite struct VectorMutationTests {
    static let count: Int = {
        #if DEBUG
        let usual = 3
        #else
        let usual = 150
        #endif
        return ProcessInfo.processInfo.environment["LINNET_DECODER_MUTATIONS"].flatMap { Int($0) } ?? usual
    }()

    @Test("The decoder takes damage of every kind, and gets over it", arguments: MutationStream.all)
    func damage(stream: MutationStream) throws {
        let decoder = try AACDecoder(stream.configuration)
        let reference = try reference(of: stream)
        var random = SeededRandom(seed: UInt64(stream.units.reduce(0) { $0 + $1.count }))
        var buffer = AACDecoderTests.emptyBuffer
        for index in 0..<Self.count {
            // One unit before the damage, one or two damaged, three sound ones behind.
            let damaged = Int.random(in: 1...2, using: &random)
            let start = Int.random(in: 0...stream.units.count - 4 - damaged, using: &random)
            decoder.reset()
            for place in start..<start + 4 + damaged {
                let isDamaged = place > start && place <= start + damaged
                let unit = isDamaged ? mutated(stream.units[place], stream, &random) : stream.units[place]
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
        guard buffer.frameCount <= 2048, buffer.channelCount <= 8 else { return false }
        // An exponent of all ones is no number.
        return buffer.samples.allSatisfy { $0.bitPattern & 0x7F80_0000 != 0x7F80_0000 }
    }

    private func mutated(_ unit: [UInt8], _ stream: MutationStream, _ random: inout SeededRandom) -> [UInt8] {
        var bytes = unit
        for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
            // Damage in front changes the meaning of everything behind it.
            let reach = [bytes.count, min(bytes.count, 24)].randomElement(using: &random) ?? 1
            let place = Int.random(in: 0..<reach, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0, 1: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
            case 2: bytes[place] = .random(in: 0...255, using: &random)
            case 3: bytes[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
            case 4: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...9, using: &random)))
            case 5: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 5)], at: place)
            case 6: bytes.removeLast(bytes.count - place)
            default:
                // The rest of another unit.
                let other = stream.units.randomElement(using: &random) ?? []
                bytes.replaceSubrange(place..., with: other.dropFirst(place))
            }
        }
        return bytes
    }
}
