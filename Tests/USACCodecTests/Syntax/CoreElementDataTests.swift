// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing
import TransformCoding
import USACCodec

@Suite struct CoreElementDataTests {
    @Test("Rewritten core data is bit-identical in each access unit", arguments: USACVector.bounds.indices)
    func roundTrip(index: Int) throws {
        let vector = USACVector.all[index]
        let config = try #require(vector.configuration.usac)
        let (rate, length) = (config.coreSampleRate, config.coreFrameLength)
        // There is no MPEG Surround writer. It follows SBR data, so only the first element is compared there.
        let elements = config.elements.filter { $0.kind != .extension }
        var data = FixedArray(count: elements.count) { CoreElementData(elements[$0], coreRate: rate, frameLength: length) }
        var reading = FixedArray(count: elements.count) { CoreElementDataTests.contexts(elements[$0], length) }
        var writing = FixedArray(count: elements.count) { CoreElementDataTests.contexts(elements[$0], length) }
        for (number, accessUnit) in vector.accessUnits.enumerated() {
            var reader = BitReader(accessUnit)
            let isIndependent = reader.readFlag()
            var next = 0
            for element in config.elements {
                if element.kind == .extension {
                    _ = try ExtensionElement(reading: &reader, element)
                    continue
                }
                var copy = reader
                try data[next].read(from: &reader, isIndependent: isIndependent, contexts: &reading[next])
                var writer = BitWriter()
                data[next].writeAny(to: &writer, isIndependent: isIndependent, contexts: &writing[next])
                #expect(writer.bitCount == reader.bitPosition - copy.bitPosition, "\(vector.name), unit \(number)")
                var written = BitReader(writer.bytes)
                var isEqual = true
                while copy.bitPosition < reader.bitPosition { isEqual = copy.readFlag() == written.readFlag() && isEqual }
                #expect(isEqual, "\(vector.name), unit \(number)")
                next += 1
                if element.sbr != nil { break }
            }
        }
    }

    /// Returns the contexts for an element's channels.
    private static func contexts(_ element: USACElementConfig, _ length: Int) -> FixedArray<SpectralContext> {
        FixedArray(count: element.coreChannelCount) { _ in SpectralContext(frameLength: length) }
    }
}
