// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioPrimitives
import Testing

struct AudioConversionErrorTests {
    @Test("The error of a bit rate lists those to choose from, and the step that refused it")
    func bitRate() {
        let step = AudioConversionError(.systemCodec(step: "bit rate", status: 0x2164_6174))
        let error = AudioConversionError(.unsupportedBitRate(192_000, applicable: [64_000...64_000, 96_000...160_000]), underlying: step)
        #expect(
            error.description
                == "the bit rate of 192000 bit/s is unsupported; choose 64000, 96000 to 160000: the system's codec failed: bit rate, '!dat'"
        )
        let plain = AudioConversionError(.unsupportedBitRate(9000, applicable: []))
        #expect(plain.description == "the bit rate of 9000 bit/s is unsupported")
    }

    @Test("The error of a channel layout names the number of channels and the setting")
    func channelLayout() {
        #expect(
            AudioConversionError(.unsupportedChannelLayout(channelCount: 7)).description
                == "AAC has no layout for the speakers of these 7 channels; set the input's layout to one of its own")
    }

    @Test("A converter throws the error of an encoder's bit rate as it is")
    func converter() throws {
        let converter = try AudioConverter(
            from: .pcm(AudioFormat(.int16, sampleRate: 8000, channelCount: 1)), to: .packets(.ilbc(.milliseconds20)))
        let error = #expect(throws: AudioConversionError.self) { try converter.setBitRate(9000) }
        #expect(error?.code == .unsupportedBitRate(9000, applicable: [15_200...15_200]) && error?.underlying == nil)
    }
}
