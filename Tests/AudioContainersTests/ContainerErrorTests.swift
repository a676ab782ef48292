// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import MPEG4Audio
import Testing

@Suite struct ContainerErrorTests {
    @Test("The reasons for which a configuration can't be used are sentences")
    func configuration() {
        let cases: [(MPEG4AudioError, String)] = [
            (.truncated(availableBits: 16, neededBits: 64), "the configuration has 16 bits, but needs 64"),
            (.reservedChannelConfiguration(8), "channel configuration 8 is reserved"),
            (.reservedSamplingFrequencyIndex(13), "sampling frequency index 13 is reserved"),
            (.unsupportedObjectType(.aacLC), "AAC LC is not supported"),
        ]
        for (error, reason) in cases {
            #expect(ContainerError.configuration(error).description == "the codec configuration is not usable: " + reason)
        }
    }
}
