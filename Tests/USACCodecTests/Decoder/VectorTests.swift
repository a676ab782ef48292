// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing

@testable import USACCodec

@Suite struct VectorTests {
    @Test("A stream decodes to the samples of another decoder", arguments: USACVector.bounds.indices)
    func accuracy(index: Int) throws {
        let vector = USACVector.all[index]
        let decoder = try USACDecoder(vector.configuration)
        var (signal, error) = (0.0, 0.0)
        let frameSize = decoder.frameLength * decoder.channelCount
        for (frame, unit) in vector.units.enumerated() {
            let buffer = try decoder.decode(AccessUnit(unit))
            guard frame >= vector.firstFrame, frame < vector.firstFrame + vector.frameCount else { continue }
            for index in 0..<decoder.frameLength {
                for channel in 0..<decoder.channelCount {
                    let place = (frame - vector.firstFrame) * frameSize + index * decoder.channelCount + channel
                    let expected = Double(vector.reference[place])
                    signal += expected * expected
                    error += (expected - Double(buffer.channels[channel][index])) * (expected - Double(buffer.channels[channel][index]))
                }
            }
        }
        // Decibels without a logarithm of the library: the ratio against a power of ten.
        let bound = USACVector.bounds[index].decibels
        #expect(signal >= error * decibels(bound), "\(vector.name): \(signal / error) times the error")
    }

    /// Returns the ratio of energies of whole decibels.
    private func decibels(_ count: Double) -> Double {
        var result = 1.0
        for _ in 0..<Int(count) { result *= 1.258925411794167 }
        return result
    }

    @Test("A stream decodes to the same samples after a reset", arguments: USACVector.bounds.indices)
    func reset(index: Int) throws {
        let vector = USACVector.all[index]
        let decoder = try USACDecoder(vector.configuration)
        let first = try vector.units.map { try decoder.decode(AccessUnit($0)) }
        decoder.reset()
        let second = try vector.units.map { try decoder.decode(AccessUnit($0)) }
        #expect(first == second)
    }

    @Test("A buffer of the right format keeps its storage", arguments: USACVector.bounds.indices)
    func storage(index: Int) throws {
        let vector = USACVector.all[index]
        let decoder = try USACDecoder(vector.configuration)
        var buffer = PCMBuffer(
            sampleRate: decoder.sampleRate, channelCount: decoder.channelCount, frameCapacity: decoder.frameLength, frameCount: 0)
        for unit in vector.units {
            let result = decoder.decode(unit.span, into: &buffer)
            #expect(result.damage == nil && !result.hasNewFormat)
            #expect(buffer.frameCount == decoder.frameLength)
        }
    }

    @Test("Another codec's configuration is refused")
    func otherCodec() {
        let configuration = AudioSpecificConfig(objectType: .aacLC, sampleRate: 48_000, channelConfiguration: .init(rawValue: 2))
        #expect(throws: USACError.unsupportedObjectType(2)) { try USACDecoder(configuration) }
    }
}
