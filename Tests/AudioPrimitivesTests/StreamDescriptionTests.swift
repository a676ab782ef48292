// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Testing

@Suite struct StreamDescriptionTests {
    @Test("Float stereo prints eight lines, with only the set flags")
    func printsFloatStereo() {
        let stream = StreamDescription(PCMFormat(.float32, channelCount: 2), sampleRate: 44_100)
        #expect(
            stream.description == """
                Sample Rate: 44100.0
                Format ID: lpcm
                Format Flags: kAudioFormatFlagIsFloat kAudioFormatFlagIsPacked
                Bits per Channel: 32
                Channels per Frame: 2
                Bytes per Frame: 8
                Frames per Packet: 1
                Bytes per Packet: 8
                """)
    }

    @Test("AAC is filled in from its ID, and keeps its trailing space")
    func printsAAC() {
        let stream = StreamDescription(formatID: .mpeg4AAC, sampleRate: 44_100, channelCount: 2)
        #expect(
            stream.description == """
                Sample Rate: 44100.0
                Format ID: aac\u{20}
                Format Flags:\u{20}
                Bits per Channel: 0
                Channels per Frame: 2
                Bytes per Frame: 0
                Frames per Packet: 1024
                Bytes per Packet: 0
                """)
    }

    @Test("Integer sizes follow from bits and channels", arguments: [1, 2, 3, 6, 8])
    func sizesOfIntegers(channelCount: Int) {
        let expected: [(SampleFormat, Int)] = [(.int16, 2), (.int24, 3), (.int32, 4), (.float32, 4), (.float64, 8)]
        for (format, bytes) in expected {
            let interleaved = StreamDescription(PCMFormat(format, channelCount: channelCount), sampleRate: 48_000)
            #expect(interleaved.bytesPerFrame == bytes * channelCount)
            #expect(interleaved.bytesPerPacket == bytes * channelCount)
            #expect(interleaved.bitsPerChannel == bytes * 8)
            let planar = StreamDescription(
                PCMFormat(format, channelCount: channelCount, isInterleaved: false), sampleRate: 48_000)
            #expect(planar.bytesPerFrame == bytes)
            #expect(planar.formatFlags.contains(.isNonInterleaved))
        }
    }

    @Test("Flags of other formats are named numbers, not bits")
    func flagsOfOtherFormats() {
        var lossless = StreamDescription(formatID: .appleLossless, sampleRate: 44_100, channelCount: 2)
        #expect(lossless.framesPerPacket == 4096)
        lossless.formatFlags = StreamFormatFlags(rawValue: 3)
        #expect(lossless.formatFlagNames == ["kAppleLosslessFormatFlag_24BitSourceData"])
        var aac = StreamDescription(formatID: .mpeg4AAC, sampleRate: 44_100, channelCount: 2)
        aac.formatFlags = StreamFormatFlags(rawValue: 2)
        #expect(aac.formatFlagNames == ["kMPEG4Object_AAC_LC"])
        aac.formatFlags = StreamFormatFlags(rawValue: 77)
        #expect(aac.formatFlagNames == ["0x4d"])
    }

    @Test("16-bit integers do not print as lossless flags, and fraction bits print as a number")
    func flagsOfFixedPoint() {
        var stream = StreamDescription(PCMFormat(.int16, channelCount: 1, isBigEndian: true), sampleRate: 8000)
        #expect(
            stream.formatFlagNames == [
                "kAudioFormatFlagIsBigEndian", "kAudioFormatFlagIsSignedInteger", "kAudioFormatFlagIsPacked",
            ])
        stream.formatFlags = [.isSignedInteger, StreamFormatFlags(rawValue: 24 << 7)]
        #expect(stream.formatFlags.rawValue == 0xC04)
        #expect(stream.formatFlagNames == ["kAudioFormatFlagIsSignedInteger", "fraction bits 24"])
        stream.formatFlags = StreamFormatFlags(rawValue: 0x4000_0000)
        #expect(stream.formatFlagNames == ["0x40000000"])
    }

    @Test("Unknown ID is left unchanged, and an unprintable ID prints as a number")
    func unknownID() {
        var stream = StreamDescription(sampleRate: 0, formatID: FourCharCode(rawValue: 1), channelsPerFrame: 2)
        let before = stream
        let isKnown = stream.fillOut()
        #expect(!isKnown)
        #expect(stream == before)
        #expect(stream.description.contains("Format ID: 1\n"))
    }

    @Test("HE-AAC has 2048 frames per packet, and variable formats have no fixed number")
    func framesPerPacket() {
        let expected: [(FourCharCode, Int)] = [("aach", 2048), ("aacp", 2048), ("aacl", 512), (".mp3", 1152), ("flac", 0), ("ulaw", 1)]
        for (id, frames) in expected {
            #expect(StreamDescription(formatID: id, sampleRate: 48_000, channelCount: 2).framesPerPacket == frames)
        }
    }
}
