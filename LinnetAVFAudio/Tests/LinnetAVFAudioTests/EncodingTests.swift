// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinnetAVFAudio
import Testing

@Suite struct EncodingTests {
    @Test("AAC round trip has the delay that primeInfo reports")
    func roundTrip() throws {
        let pcm = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
        let aac = try #require(format(kAudioFormatMPEG4AAC, sampleRate: 48_000, channels: 2))
        let encoder = try #require(AVAudioConverter(from: pcm, to: aac))
        #expect(encoder.outputFormat.streamDescription.pointee.mFramesPerPacket == 1024)
        #expect(encoder.maximumOutputPacketSize == 1536)
        let source = try tone(pcm, frameCount: 20_000)
        let packets = try encode(source, with: encoder)
        let priming = Int(encoder.primeInfo.leadingFrames)
        #expect(priming == 2112)
        #expect(packets.count == (20_000 + priming + 1023) / 1024)
        #expect(Int(encoder.primeInfo.trailingFrames) == packets.count * 1024 - priming - 20_000)

        let coded = try #require(format(kAudioFormatMPEG4AAC, sampleRate: 48_000, channels: 2))
        let decoder = try #require(AVAudioConverter(from: coded, to: pcm))
        decoder.magicCookie = encoder.magicCookie
        let result = try decode(packets, coded, with: decoder, frameCapacity: packets.count * 1024)
        #expect(Int(result.frameLength) == packets.count * 1024)
        let (sent, received) = (try #require(source.floatChannelData), try #require(result.floatChannelData))
        var error: Float = 0
        for frame in 1000..<19_000 {
            error += (received[1][frame + priming] - sent[1][frame]) * (received[1][frame + priming] - sent[1][frame])
        }
        #expect((error / 18_000).squareRoot() < 0.01)

        let trimming = try #require(AVAudioConverter(from: coded, to: pcm))
        trimming.primeInfo = encoder.primeInfo
        let trimmed = try decode(packets, coded, with: trimming, frameCapacity: packets.count * 1024)
        #expect(Int(trimmed.frameLength) == packets.count * 1024 - priming)
        let found = try #require(trimmed.floatChannelData)
        #expect((0..<1000).allSatisfy { found[0][$0] == received[0][$0 + priming] })
    }

    @Test("The bit rate can be set before and during encoding; inapplicable rates are ignored")
    func bitRates() throws {
        let pcm = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1))
        let aac = try #require(format(kAudioFormatMPEG4AAC, sampleRate: 44_100, channels: 1))
        let encoder = try #require(AVAudioConverter(from: pcm, to: aac))
        encoder.bitRate = 64_000
        #expect(encoder.bitRate == 64_000)
        let applicable = try #require(encoder.applicableEncodeBitRates)
        #expect(applicable.contains(96_000) && !applicable.contains(768_000))
        #expect(encoder.availableEncodeBitRates?.contains(768_000) == true)
        #expect(encoder.availableEncodeSampleRates?.contains(44_100) == true)
        #expect(encoder.availableEncodeChannelLayoutTags?.contains(NSNumber(value: kAudioChannelLayoutTag_MPEG_5_1_A)) == true)
        encoder.bitRate = 10_000_000
        #expect(encoder.bitRate == 64_000)
        encoder.bitRateStrategy = AVAudioBitRateStrategy_Constant
        #expect(encoder.bitRateStrategy == AVAudioBitRateStrategy_Constant)
        let packets = try encode(try tone(pcm, frameCount: 44_100), with: encoder)
        let bits = packets.reduce(0) { $0 + $1.count * 8 }
        #expect(abs(bits - 65_000) < 8000, "\(bits)")
        encoder.bitRate = 96_000
        #expect(encoder.bitRate == 96_000)
        #expect(AVAudioConverter(from: pcm, to: pcm)?.applicableEncodeBitRates == nil)
        let speech = try #require(AVAudioFormat(standardFormatWithSampleRate: 8000, channels: 1))
        let iLBC = try #require(format(kAudioFormatiLBC, sampleRate: 8000, channels: 1))
        #expect(AVAudioConverter(from: speech, to: iLBC)?.applicableEncodeBitRates == [13_333, 15_200])
    }

    @Test("Returns packets as input arrives; distinguishes a full output from one too small for a packet")
    func packetCapacity() throws {
        let pcm = try #require(AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 48_000, channels: 1, interleaved: true))
        let aac = try #require(format(kAudioFormatMPEG4AAC, sampleRate: 48_000, channels: 1))
        let encoder = try #require(AVAudioConverter(from: pcm, to: aac))
        let block = try #require(AVAudioPCMBuffer(pcmFormat: pcm, frameCapacity: 1024))
        block.frameLength = 1024
        let samples = try #require(block.int16ChannelData)
        for frame in 0..<1024 { samples[0][frame] = Int16(truncatingIfNeeded: frame &* 31_337) }
        let single = AVAudioCompressedBuffer(format: aac, packetCapacity: 1, maximumPacketSize: encoder.maximumOutputPacketSize)
        var calls = 0
        #expect(
            encoder.convert(to: single, error: nil) { _, status in
                calls += 1
                status.pointee = .haveData
                return block
            } == .haveData)
        #expect(single.packetCount == 1)
        #expect(single.byteLength == single.packetDescriptions?[0].mDataByteSize)
        #expect(calls <= 3, "the delay is \(calls) packets instead of two or three")

        let tiny = AVAudioCompressedBuffer(format: aac, packetCapacity: 1, maximumPacketSize: 4)
        var error: NSError?
        let status = encoder.convert(to: tiny, error: &error) { _, status in
            status.pointee = .haveData
            return block
        }
        #expect(status == .error)
        #expect(error?.code == Int(kAudioConverterErr_InvalidOutputSize))
        // The packet is not lost.
        #expect(
            encoder.convert(to: single, error: nil) { _, status in
                Issue.record("a packet waits")
                status.pointee = .noDataNow
                return nil
            } == .haveData)
    }

    @Test("HE-AAC, Opus and iLBC round trips")
    func otherCodecs() throws {
        for (formatID, rate, channels) in [
            (kAudioFormatMPEG4AAC_HE, 44_100.0, 2), (kAudioFormatMPEG4AAC_HE_V2, 44_100, 2), (kAudioFormatiLBC, 8000, 1),
            (kAudioFormatOpus, 48_000, 2),
        ] as [(AudioFormatID, Double, AVAudioChannelCount)] {
            let pcm = try #require(AVAudioFormat(standardFormatWithSampleRate: rate, channels: channels))
            let coded = try #require(format(formatID, sampleRate: rate, channels: channels))
            let encoder = try #require(AVAudioConverter(from: pcm, to: coded))
            let packets = try encode(try tone(pcm, frameCount: Int(rate)), with: encoder)
            #expect(encoder.magicCookie == encoder.outputFormat.magicCookie)
            let header = formatID == kAudioFormatOpus ? Data("OpusHead".utf8) : nil
            #expect(header == nil || encoder.magicCookie?.prefix(8) == header)
            let decoder = try #require(AVAudioConverter(from: encoder.outputFormat, to: pcm))
            let length = packets.count * Int(encoder.outputFormat.streamDescription.pointee.mFramesPerPacket)
            let result = try decode(packets, encoder.outputFormat, with: decoder, frameCapacity: length + 10_000)
            #expect(Int(result.frameLength) == length)
            #expect(abs(level(result, from: length / 3, count: length / 3) - 0.35) < 0.06)
        }
    }

    @Test("Counts damaged packets, which are concealed")
    func damage() throws {
        let pcm = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        let aac = try #require(format(kAudioFormatMPEG4AAC, sampleRate: 48_000, channels: 1))
        let encoder = try #require(AVAudioConverter(from: pcm, to: aac))
        var packets = try encode(try tone(pcm, frameCount: 20_000), with: encoder)
        let decoder = try #require(AVAudioConverter(from: encoder.outputFormat, to: pcm))
        for isDamaged in [false, true] {
            if isDamaged { packets[10] = Data(repeating: 0xFF, count: packets[10].count) }
            decoder.reset()
            #expect(decoder.damagedPacketCount == 0)
            let result = try decode(packets, encoder.outputFormat, with: decoder, frameCapacity: packets.count * 1024)
            #expect(Int(result.frameLength) == packets.count * 1024)
            #expect(decoder.damagedPacketCount == (isDamaged ? 1 : 0))
        }
    }

    @Test("The cookie overrides the format (HE-AAC in an AAC format), also as a bare AudioSpecificConfig")
    func cookies() throws {
        let pcm = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        let highEfficiency = try #require(format(kAudioFormatMPEG4AAC_HE, sampleRate: 48_000, channels: 1))
        let encoder = try #require(AVAudioConverter(from: pcm, to: highEfficiency))
        let cookie = try #require(encoder.magicCookie)
        #expect(cookie.first == 3)
        let packets = try encode(try tone(pcm, frameCount: 48_000), with: encoder)
        // The configuration is at the end of the decoder descriptor, followed by a three-byte descriptor.
        let bytes = [UInt8](cookie)
        let tag = try #require(bytes.lastIndex(of: 5))
        let bare = Data(bytes[(tag + 5)..<(tag + 5 + Int(bytes[tag + 4]))])
        for cookie in [cookie, bare] {
            let plain = try #require(format(kAudioFormatMPEG4AAC, sampleRate: 48_000, channels: 1))
            plain.magicCookie = cookie
            let decoder = try #require(AVAudioConverter(from: plain, to: pcm))
            let result = try decode(packets, plain, with: decoder, frameCapacity: packets.count * 2048 + 10)
            #expect(Int(result.frameLength) == packets.count * 2048)
        }
    }

    @Test("5.1 channels keep their positions for any order of both layouts")
    func surround() throws {
        let waveOrder = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_1_A))
        let codecOrder = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_AAC_5_1))
        let pcm = AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: waveOrder)
        var description = AudioStreamBasicDescription()
        description.mSampleRate = 48_000
        description.mFormatID = kAudioFormatMPEG4AAC
        description.mChannelsPerFrame = 6
        let aac = try #require(AVAudioFormat(streamDescription: &description, channelLayout: codecOrder))
        let encoder = try #require(AVAudioConverter(from: pcm, to: aac))
        // Channels have tones of 60, 120, 180 Hz and so on. The LFE channel, the fourth, has 240 Hz.
        let packets = try encode(try tone(pcm, frameCount: 24_000, hertz: 60), with: encoder)
        let decoder = try #require(AVAudioConverter(from: encoder.outputFormat, to: pcm))
        let result = try decode(packets, encoder.outputFormat, with: decoder, frameCapacity: packets.count * 1024 + 1)
        let data = try #require(result.floatChannelData)
        for channel in 0..<6 where channel != 3 {
            let crossings = (6001..<18_000).filter { (data[channel][$0 - 1] < 0) != (data[channel][$0] < 0) }.count
            #expect(abs(crossings - 30 * (channel + 1)) <= 2, "channel \(channel): \(crossings)")
        }
    }

    @Test("Unsupported conversions return nil")
    func unsupported() throws {
        let pcm = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        #expect(AVAudioConverter(from: pcm, to: try #require(format(kAudioFormatAppleLossless, sampleRate: 48_000, channels: 1))) == nil)
        #expect(AVAudioConverter(from: pcm, to: try #require(format(kAudioFormatMPEG4AAC, sampleRate: 47_999, channels: 1))) == nil)
    }

    /// Returns a compressed format with the fields that programs set.
    private func format(_ id: AudioFormatID, sampleRate: Double, channels: AVAudioChannelCount) -> AVAudioFormat? {
        var description = AudioStreamBasicDescription()
        description.mSampleRate = sampleRate
        description.mFormatID = id
        description.mChannelsPerFrame = channels
        return AVAudioFormat(streamDescription: &description)
    }

    /// Returns all packets of a stream.
    private func encode(_ source: AVAudioPCMBuffer, with encoder: AVAudioConverter) throws -> [Data] {
        let buffer = AVAudioCompressedBuffer(
            format: encoder.outputFormat, packetCapacity: 8, maximumPacketSize: encoder.maximumOutputPacketSize)
        var isGiven = false
        var packets: [Data] = []
        while true {
            var error: NSError?
            let status = encoder.convert(to: buffer, error: &error) { _, status in
                status.pointee = isGiven ? .endOfStream : .haveData
                defer { isGiven = true }
                return isGiven ? nil : source
            }
            guard status == .haveData else {
                #expect(status == .endOfStream)
                return packets
            }
            for index in 0..<Int(buffer.packetCount) {
                let description = try #require(buffer.packetDescriptions)[index]
                packets.append(Data(bytes: buffer.data + Int(description.mStartOffset), count: Int(description.mDataByteSize)))
            }
        }
    }

    private func decode(
        _ packets: [Data], _ format: AVAudioFormat, with decoder: AVAudioConverter, frameCapacity: Int
    ) throws -> AVAudioPCMBuffer {
        let result = try #require(AVAudioPCMBuffer(pcmFormat: decoder.outputFormat, frameCapacity: AVAudioFrameCount(frameCapacity)))
        var next = 0
        var error: NSError?
        let status = decoder.convert(to: result, error: &error) { needed, status in
            #expect(needed >= 1)
            guard next < packets.count else {
                status.pointee = .endOfStream
                return nil
            }
            status.pointee = .haveData
            let packet = packets[next]
            next += 1
            let buffer = AVAudioCompressedBuffer(format: format, packetCapacity: 1, maximumPacketSize: packet.count)
            packet.copyBytes(to: UnsafeMutableRawBufferPointer(start: buffer.data, count: packet.count))
            buffer.packetDescriptions?[0] = AudioStreamPacketDescription(
                mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: UInt32(packet.count))
            buffer.packetCount = 1
            buffer.byteLength = UInt32(packet.count)
            return buffer
        }
        #expect(status == .haveData)
        #expect(error == nil)
        return result
    }
}
