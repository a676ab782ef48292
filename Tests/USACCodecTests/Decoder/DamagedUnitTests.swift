// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioPrimitives
import Foundation
import MPEG4Audio
import TestSupport
import Testing

@testable import USACCodec

/// Streams of every kind with random damage, decoded: nothing may trap or hang, or leave anything but numbers.
///
/// `LINNET_DECODER_MUTATIONS` says how many for each stream.
@Suite struct DamagedUnitTests {
    static let count: Int = {
        #if DEBUG
        let usual = 3
        #else
        let usual = 150
        #endif
        return ProcessInfo.processInfo.environment["LINNET_DECODER_MUTATIONS"].flatMap { Int($0) } ?? usual
    }()

    @Test("The decoder takes damage of every kind", arguments: USACVector.bounds.indices)
    func damage(index: Int) throws {
        let vector = USACVector.all[index]
        let decoder = try USACDecoder(vector.configuration)
        var random = SeededRandom(seed: UInt64(1000 + index))
        var buffer = PCMBuffer(sampleRate: 1, channelCount: 1, frameCapacity: 0)
        var damaged = 0
        while damaged < Self.count {
            // Units one after the other, every third one damaged, so that the state before is of all kinds.
            if Int.random(in: 0..<40, using: &random) == 0 { decoder.reset() }
            let place = Int.random(in: 0..<vector.units.count, using: &random)
            let sound = vector.units[place]
            _ = decoder.decode(sound.span, into: &buffer)
            // One or two damaged ones behind.
            for offset in 1...Int.random(in: 1...2, using: &random) {
                let next = mutated(vector.units[(place + offset) % vector.units.count], vector, &random)
                _ = decoder.decode(next.span, into: &buffer)
            }
            damaged += 1
            guard buffer.frameCount <= 4096, buffer.channelCount <= 8 else {
                Issue.record("\(vector.name), mutation \(damaged): \(buffer.frameCount) frames of \(buffer.channelCount) channels")
                return
            }
            // An exponent of all ones is no number.
            guard buffer.samples.allSatisfy({ $0.bitPattern & 0x7F80_0000 != 0x7F80_0000 }) else {
                Issue.record("\(vector.name), mutation \(damaged): a sample is no number")
                return
            }
        }
    }

    @Test("After damage the sound is that of a stream that begins at the next pre-roll", arguments: USACVector.bounds.indices)
    func recovery(index: Int) throws {
        let vector = USACVector.all[index]
        guard vector.configuration.usac?.hasAudioPreRoll == true else { return }
        let decoder = try USACDecoder(vector.configuration)
        let expected = try decoder.decode(AccessUnit(vector.units[0]))
        decoder.reset()
        var buffer = PCMBuffer(sampleRate: 1, channelCount: 1, frameCapacity: 0)
        for unit in vector.units.prefix(4) { _ = decoder.decode(unit.span, into: &buffer) }
        let damaged = [UInt8](repeating: 0xFF, count: 20)
        let outcome = decoder.decode(damaged.span, into: &buffer)
        #expect(outcome.damage != nil)
        let start = vector.units[0]
        let next = decoder.decode(start.span, into: &buffer)
        #expect(next.damage == nil)
        #expect(buffer.channels == expected.channels)
    }

    @Test("Lost units fade to silence, whose length is that of units", arguments: USACVector.bounds.indices)
    func loss(index: Int) throws {
        let vector = USACVector.all[index]
        let decoder = try USACDecoder(vector.configuration)
        var buffer = PCMBuffer(sampleRate: 1, channelCount: 1, frameCapacity: 0)
        for unit in vector.units { _ = decoder.decode(unit.span, into: &buffer) }
        for _ in 0..<40 { _ = decoder.conceal(into: &buffer) }
        #expect(buffer.frameCount == decoder.frameLength)
        #expect(buffer.samples.allSatisfy { abs($0) < 1e-3 })
    }

    @Test("Units without bytes, and longer than any, are damage")
    func lengths() throws {
        let decoder = try USACDecoder(USACVector.all[0].configuration)
        var buffer = PCMBuffer(sampleRate: 1, channelCount: 1, frameCapacity: 0)
        let (empty, long) = ([UInt8](), [UInt8](repeating: 0, count: 65_537))
        let first = decoder.decode(empty.span, into: &buffer)
        #expect(first.damage == .emptyAccessUnit)
        let second = decoder.decode(long.span, into: &buffer)
        #expect(second.damage == .accessUnitTooLong(byteCount: 65_537, maximum: 65_536))
    }

    private func mutated(_ unit: [UInt8], _ vector: USACVector, _ random: inout SeededRandom) -> [UInt8] {
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
                let other = vector.units.randomElement(using: &random) ?? []
                bytes.replaceSubrange(place..., with: other.dropFirst(place))
            }
        }
        return bytes
    }
}
