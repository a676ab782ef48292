// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import MPEG4Audio
import Testing

@Suite struct ContainerErrorTests {
    @Test("Configuration errors describe the problem")
    func configuration() {
        let cases: [(CodecError, String)] = [
            (.truncatedConfiguration(availableBits: 16, neededBits: 64), "the configuration has 16 bits, but needs 64"),
            (.unsupportedChannelConfiguration(8), "channel configuration 8 is not supported"),
            (.reservedSamplingFrequencyIndex(13), "sampling frequency index 13 is reserved"),
            (.unsupportedObjectType(2), "audio object type 2 is not supported"),
        ]
        for (error, reason) in cases {
            #expect(ContainerError.codec(error).description == reason)
        }
    }

    @Test("Codes of boxes are quoted once")
    func boxes() {
        #expect(ContainerError.missingPart("moov").description == "missing 'moov' box or chunk")
        #expect(ContainerError.invalidBox("trak", offset: 8).description == "invalid 'trak' box or chunk at byte 8")
        #expect(
            ContainerError.partTooLong("moov", byteCount: 9, limit: 8).description
                == "the 'moov' box or chunk of 9 bytes exceeds the limit of 8")
    }
}
