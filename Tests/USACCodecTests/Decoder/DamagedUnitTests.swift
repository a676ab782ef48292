// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing
import USACCodec

/// Decodes streams of every kind with random damage.
///
/// Decoding must not trap or hang, and all samples must be finite.
///
/// ``RandomDamage`` sets their number.
@Suite struct DamagedUnitTests {
    @Test("Decodes every kind of damage", arguments: USACVector.bounds.indices)
    func damage(index: Int) throws {
        let vector = USACVector.all[index]
        let decoder = try USACDecoder(vector.configuration)
        var random = RandomDamage.generator(1000 + index)
        var buffer = PCMBuffer(sampleRate: 1, channelCount: 1, frameCapacity: 0)
        var damaged = 0
        while damaged < RandomDamage.accessUnitCount {
            // Consecutive access units, every third one damaged, so that all kinds of previous state occur.
            if Int.random(in: 0..<40, using: &random) == 0 { decoder.reset() }
            let place = Int.random(in: 0..<vector.accessUnits.count, using: &random)
            let sound = vector.accessUnits[place]
            _ = decoder.decode(sound.span, into: &buffer)
            // One or two damaged access units follow.
            for offset in 1...Int.random(in: 1...2, using: &random) {
                let next = random.damaged(vector.accessUnits[(place + offset) % vector.accessUnits.count], among: vector.accessUnits)
                _ = decoder.decode(next.span, into: &buffer)
            }
            damaged += 1
            guard buffer.frameCount <= 4096, buffer.channelCount <= 8 else {
                Issue.record("\(vector.name), mutation \(damaged): \(buffer.frameCount) frames of \(buffer.channelCount) channels")
                return
            }
            // An exponent of all ones is not finite.
            guard buffer.hasOnlyNumbers else {
                Issue.record("\(vector.name), mutation \(damaged): a sample is not finite")
                return
            }
        }
    }

    /// The streams that have an audio pre-roll.
    private static let streamsWithPreRoll = [
        "fd-48k-st-nf", "fd-48k-st-rap", "fd-768-44k-st-cpi", "rw-24k-cplx", "rw-768-32k-cplx-shapes", "sw-24k-m-music", "sbr83-44k-st",
        "sbr41-48k-m", "sbr21-44k-st-tes", "sbr21-48k-st-harm-hq", "sbr21-44k-st-mps", "sbr21-32k-m-pvc",
    ]

    @Test("After damage decoding recovers at the next pre-roll", arguments: streamsWithPreRoll)
    func recovery(name: String) throws {
        let vector = USACVector(name)
        try #require(vector.configuration.usac?.hasAudioPreRoll == true)
        let decoder = try USACDecoder(vector.configuration)
        let expected = try decoder.decode(AccessUnit(vector.accessUnits[0]))
        decoder.reset()
        var buffer = PCMBuffer(sampleRate: 1, channelCount: 1, frameCapacity: 0)
        for accessUnit in vector.accessUnits.prefix(4) { _ = decoder.decode(accessUnit.span, into: &buffer) }
        let damaged = [UInt8](repeating: 0xFF, count: 20)
        let outcome = decoder.decode(damaged.span, into: &buffer)
        #expect(outcome.damage != nil)
        let start = vector.accessUnits[0]
        let next = decoder.decode(start.span, into: &buffer)
        #expect(next.damage == nil)
        // The first samples are a crossfade from the concealed audio.
        #expect(buffer.channels.map { $0.dropFirst(128) } == expected.channels.map { $0.dropFirst(128) })
    }

    @Test("A lost access unit affects the next ones like a damaged one")
    func lossBeforeReference() throws {
        var damageCount = 0
        for name in Self.streamsWithPreRoll {
            let vector = USACVector(name)
            let decoders = try [USACDecoder(vector.configuration), USACDecoder(vector.configuration)]
            var buffer = PCMBuffer(sampleRate: 1, channelCount: 1, frameCapacity: 0)
            for decoder in decoders {
                for accessUnit in vector.accessUnits.prefix(4) { _ = decoder.decode(accessUnit.span, into: &buffer) }
            }
            let damaged = [UInt8](repeating: 0xFF, count: 20)
            _ = decoders[0].decode(damaged.span, into: &buffer)
            _ = decoders[1].conceal(into: &buffer)
            for accessUnit in vector.accessUnits[5..<8] {
                let outcomes = decoders.map { $0.decode(accessUnit.span, into: &buffer).damage }
                #expect(outcomes[0] == outcomes[1], "\(name)")
                if outcomes[1] != nil { damageCount += 1 }
            }
        }
        #expect(damageCount > 0)
    }

    @Test("The audio after a loss continues the concealed audio without a jump", arguments: ["our-48k-st-96", "our-48k-m-24"])
    func continuity(name: String) throws {
        let file = USACVectorFile(name)
        let decoder = try USACDecoder(AudioSpecificConfig(parsing: file.configuration))
        var buffer = PCMBuffer(sampleRate: 1, channelCount: 1, frameCapacity: 0)
        for lost in 3..<file.accessUnits.count {
            decoder.reset()
            var (largest, last): (Float, Float) = (0, 0)
            for accessUnit in file.accessUnits[..<lost] {
                _ = decoder.decode(accessUnit.span, into: &buffer)
                for sample in buffer.channels[0] { (largest, last) = (max(largest, abs(sample - last)), sample) }
            }
            decoder.conceal(into: &buffer)
            for accessUnit in file.accessUnits[(lost + 1)...] {
                last = try #require(buffer.channels[0].last)
                let result = decoder.decode(accessUnit.span, into: &buffer)
                guard result.damage == nil else { continue }
                #expect(abs(buffer.channels[0][0] - last) < largest / 2, "unit \(lost)")
                break
            }
        }
    }

    @Test("Lost access units fade to silence of the same length", arguments: USACVector.bounds.indices)
    func loss(index: Int) throws {
        let vector = USACVector.all[index]
        let decoder = try USACDecoder(vector.configuration)
        var buffer = PCMBuffer(sampleRate: 1, channelCount: 1, frameCapacity: 0)
        for accessUnit in vector.accessUnits { _ = decoder.decode(accessUnit.span, into: &buffer) }
        for _ in 0..<40 { _ = decoder.conceal(into: &buffer) }
        #expect(buffer.frameCount == decoder.framesPerPacket)
        #expect(buffer.samples.allSatisfy { abs($0) < 1e-3 })
    }

    @Test("Empty and oversized access units are reported as damage")
    func lengths() throws {
        let decoder = try USACDecoder(USACVector.all[0].configuration)
        var buffer = PCMBuffer(sampleRate: 1, channelCount: 1, frameCapacity: 0)
        let (empty, long) = ([UInt8](), [UInt8](repeating: 0, count: 65_537))
        let first = decoder.decode(empty.span, into: &buffer)
        #expect(first.damage == .emptyAccessUnit)
        let second = decoder.decode(long.span, into: &buffer)
        #expect(second.damage == .accessUnitTooLong(byteCount: 65_537, maximum: 65_536))
    }
}
