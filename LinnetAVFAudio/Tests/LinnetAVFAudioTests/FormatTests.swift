// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinnetAVFAudio
import Testing

@Suite struct FormatTests {
    @Test("The standard format has Core Audio's fields")
    func standardFormat() throws {
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
        let description = format.streamDescription.pointee
        #expect(description.mFormatID == 0x6C70_636D)
        #expect(description.mFormatFlags == 41)
        #expect((description.mBytesPerFrame, description.mBytesPerPacket, description.mFramesPerPacket) == (4, 4, 1))
        #expect((description.mChannelsPerFrame, description.mBitsPerChannel) == (2, 32))
        #expect(format.isStandard && !format.isInterleaved && format.commonFormat == .pcmFormatFloat32)
        #expect(format.channelLayout == nil)
        #expect(format.settings[AVNumberOfChannelsKey] as? Int == 2)
        #expect(format.settings[AVSampleRateKey] as? Double == 44_100)
        #expect(format.description == "<AVAudioFormat: 2 ch, 44100 Hz, Float32, deinterleaved>")
    }

    @Test("More than two channels require a layout")
    func layouts() throws {
        #expect(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 6) == nil)
        let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_1_A))
        #expect(layout.channelCount == 6)
        let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: layout)
        #expect(format.channelCount == 6)
        #expect(format.channelLayout == layout)
        let copy = try #require(AVAudioFormat(settings: format.settings))
        #expect(copy == format)
        #expect(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_UseChannelBitmap) == nil)
    }

    @Test("Equality compares rate, samples and channels; mono and stereo with and without layout are equal")
    func equality() throws {
        let a = try #require(AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 8000, channels: 2, interleaved: true))
        let b = try #require(AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 8000, channels: 2, interleaved: false))
        let stereo = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Stereo))
        let c = AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 8000, interleaved: true, channelLayout: stereo)
        #expect(a != b)
        #expect(a == c && a.hash == c.hash)
        #expect(AVAudioFormat(settings: a.settings) == a)
    }

    @Test("Reads settings of every number type; a recorder's settings yield its format")
    func settings() throws {
        for rate in [44_100, 44_100.0, Float(44_100), NSNumber(value: 44_100), UInt32(44_100)] as [Any] {
            let format = try #require(
                AVAudioFormat(settings: [AVFormatIDKey: Int(kAudioFormatMPEG4AAC), AVSampleRateKey: rate, AVNumberOfChannelsKey: 1]))
            #expect(format.sampleRate == 44_100)
            #expect(format.streamDescription.pointee.mFormatID == kAudioFormatMPEG4AAC)
            #expect(format.streamDescription.pointee.mFramesPerPacket == 1024)
            #expect(format.commonFormat == .otherFormat)
        }
        #expect(AVAudioFormat(settings: [AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 1]) == nil)
    }

    @Test("Settings with an impossible bit depth have no format", arguments: [-16, 0, 65, Int(UInt32.max)])
    func bitDepth(bits: Int) {
        let settings: [String: Any] = [
            AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2, AVLinearPCMBitDepthKey: bits,
        ]
        #expect(AVAudioFormat(settings: settings) == nil)
    }

    @Test("Buffers return strided channels, and lists with the sizes of length and capacity")
    func buffers() throws {
        let format = try #require(AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 8000, channels: 2, interleaved: true))
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 100))
        #expect(buffer.frameLength == 0 && buffer.frameCapacity == 100 && buffer.stride == 2)
        buffer.frameLength = 10
        #expect(buffer.audioBufferList.pointee.mBuffers.mDataByteSize == 40)
        #expect(buffer.mutableAudioBufferList.pointee.mBuffers.mDataByteSize == 400)
        #expect(buffer.floatChannelData == nil && buffer.int32ChannelData == nil)
        let data = try #require(buffer.int16ChannelData)
        data[1][5 * buffer.stride] = 77
        let list = UnsafeMutableAudioBufferListPointer(buffer.mutableAudioBufferList)
        #expect(list.count == 1 && list[0].mNumberChannels == 2)
        #expect(UnsafeMutableBufferPointer<Int16>(list[0])[11] == 77)

        let planes = try #require(AVAudioFormat(standardFormatWithSampleRate: 8000, channels: 2))
        let other = try #require(AVAudioPCMBuffer(pcmFormat: planes, frameCapacity: 7))
        #expect(UnsafeMutableAudioBufferListPointer(other.mutableAudioBufferList).map(\.mDataByteSize) == [28, 28])
        #expect(
            AVAudioPCMBuffer(
                pcmFormat: try #require(
                    AVAudioFormat(settings: [
                        AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 8000, AVNumberOfChannelsKey: 1,
                    ])), frameCapacity: 10) == nil)
    }

    @Test("A buffer over the caller's memory has its frames and calls the deallocator")
    func foreignMemory() throws {
        let format = try #require(AVAudioFormat(commonFormat: .pcmFormatFloat32, sampleRate: 8000, channels: 1, interleaved: false))
        let memory = UnsafeMutableBufferPointer<Float>.allocate(capacity: 16)
        memory.initialize(repeating: 0.25)
        defer { memory.deallocate() }
        var list = AudioBufferList(mNumberBuffers: 1, mBuffers: AudioBuffer(memory, numberOfChannels: 1))
        nonisolated(unsafe) var isReturned = false
        do {
            let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, bufferListNoCopy: &list) { _ in isReturned = true })
            #expect(buffer.frameLength == 16)
            #expect(buffer.floatChannelData?[0][15] == 0.25)
            let copy = try #require(buffer.copy() as? AVAudioPCMBuffer)
            memory[15] = 1
            #expect(copy.floatChannelData?[0][15] == 0.25)
            #expect(!isReturned)
        }
        #expect(isReturned)
    }

    @Test("Extrapolates times from an anchor with both clocks")
    func times() throws {
        let anchor = AVAudioTime(hostTime: 1_000_000_000, sampleTime: 100, atRate: 1000)
        let later = try #require(AVAudioTime(sampleTime: 600, atRate: 1000).extrapolateTime(fromAnchor: anchor))
        #expect(later.hostTime == 1_500_000_000)
        let other = try #require(AVAudioTime(hostTime: 3_000_000_000).extrapolateTime(fromAnchor: anchor))
        #expect(other.sampleTime == 2100)
        #expect(!AVAudioTime(hostTime: 5).isSampleTimeValid)
        #expect(AVAudioTime.seconds(forHostTime: AVAudioTime.hostTime(forSeconds: 1.5)) == 1.5)
        #expect(AVAudioTime(hostTime: 1).extrapolateTime(fromAnchor: AVAudioTime(hostTime: 0)) == nil)
    }

    @Test("NaN rates and times return nil or throw, and never trap")
    func invalidNumbers() throws {
        let pcm = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        for rate in [Double.nan, .infinity, -1, 0, 0.5, 1e300] {
            let other = try #require(AVAudioFormat(standardFormatWithSampleRate: rate, channels: 1))
            #expect(AVAudioConverter(from: pcm, to: other) == nil)
            #expect(!other.description.isEmpty)
            var description = AudioStreamBasicDescription()
            description.mSampleRate = rate
            description.mChannelsPerFrame = 1
            for formatID in [kAudioFormatMPEG4AAC, kAudioFormatMPEG4AAC_HE, kAudioFormatOpus, kAudioFormatiLBC] {
                description.mFormatID = formatID
                let coded = try #require(AVAudioFormat(streamDescription: &description))
                #expect(AVAudioConverter(from: pcm, to: coded) == nil)
                #expect(AVAudioConverter(from: coded, to: pcm) == nil || formatID == kAudioFormatiLBC)
            }
            let url = FileManager.default.temporaryDirectory.appendingPathComponent("never.wav")
            let settings: [String: Any] = [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: rate, AVNumberOfChannelsKey: 1]
            #expect(throws: NSError.self) { try AVAudioFile(forWriting: url, settings: settings) }
            #expect(AVAudioTime.hostTime(forSeconds: rate) >= 0)
            var stamp = AudioTimeStamp()
            stamp.mSampleTime = rate
            _ = AVAudioTime(audioTimeStamp: &stamp, sampleRate: rate).sampleTime
        }
    }

    @Test("Omits packets with descriptions outside the memory")
    func packetDescriptions() throws {
        var description = AudioStreamBasicDescription()
        description.mSampleRate = 48_000
        description.mFormatID = kAudioFormatMPEG4AAC
        description.mChannelsPerFrame = 1
        let coded = try #require(AVAudioFormat(streamDescription: &description))
        let pcm = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        let decoder = try #require(AVAudioConverter(from: coded, to: pcm))
        let packets = AVAudioCompressedBuffer(format: coded, packetCapacity: 4, maximumPacketSize: 10)
        for (index, offset) in [Int64.max, -1, 35, 0].enumerated() {
            packets.packetDescriptions?[index] = AudioStreamPacketDescription(
                mStartOffset: offset, mVariableFramesInPacket: 0, mDataByteSize: offset == 35 ? .max : 10)
        }
        packets.packetCount = 4
        packets.byteLength = 40
        let result = try #require(AVAudioPCMBuffer(pcmFormat: pcm, frameCapacity: 8192))
        var isGiven = false
        decoder.convert(to: result, error: nil) { _, status in
            status.pointee = isGiven ? .endOfStream : .haveData
            defer { isGiven = true }
            return isGiven ? nil : packets
        }
        #expect(result.frameLength == 1024, "a packet of zeros is damaged and concealed")
    }
}
