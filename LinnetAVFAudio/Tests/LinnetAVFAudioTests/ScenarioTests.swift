// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinnetAVFAudio
import Testing

/// Complete programs as written for Apple's module.
@Suite struct ScenarioTests {
    /// Temporary files, removed with the test.
    private let folder = TemporaryFolder()

    @Test("Converts a 44.1 kHz WAV to a 48 kHz mono M4A, block by block")
    func fileToFile() throws {
        let (source, target) = (folder.url("in.wav"), folder.url("out.m4a"))
        try write(source, sampleRate: 44_100, channels: 2, frameCount: 88_200)
        do {
            let input = try AVAudioFile(forReading: source)
            let output = try AVAudioFile(
                forWriting: target,
                settings: [
                    AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 1, AVEncoderBitRateKey: 64_000,
                ])
            let converter = try #require(AVAudioConverter(from: input.processingFormat, to: output.processingFormat))
            converter.downmix = true
            let inputBuffer = try #require(AVAudioPCMBuffer(pcmFormat: input.processingFormat, frameCapacity: 4096))
            let outputBuffer = try #require(AVAudioPCMBuffer(pcmFormat: output.processingFormat, frameCapacity: 4096))
            var status = AVAudioConverterOutputStatus.haveData
            while status == .haveData {
                var error: NSError?
                status = converter.convert(to: outputBuffer, error: &error) { _, inputStatus in
                    do {
                        guard input.framePosition < input.length else {
                            inputStatus.pointee = .endOfStream
                            return nil
                        }
                        try input.read(into: inputBuffer)
                        inputStatus.pointee = .haveData
                        return inputBuffer
                    } catch {
                        Issue.record(error)
                        inputStatus.pointee = .noDataNow
                        return nil
                    }
                }
                #expect(error == nil)
                try output.write(from: outputBuffer)
            }
            #expect(status == .endOfStream)
        }
        let result = try AVAudioFile(forReading: target)
        #expect(result.length == 96_000)
        #expect(result.processingFormat.channelCount == 1)
    }

    @Test("Decodes packets as they arrive; the stream survives a lost packet")
    func packetStream() throws {
        let pcm = try #require(AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 16_000, channels: 1, interleaved: true))
        var description = AudioStreamBasicDescription()
        description.mSampleRate = 16_000
        description.mFormatID = kAudioFormatMPEG4AAC
        description.mChannelsPerFrame = 1
        let aac = try #require(AVAudioFormat(streamDescription: &description))
        let encoder = try #require(AVAudioConverter(from: pcm, to: aac))
        let decoder = try #require(AVAudioConverter(from: encoder.outputFormat, to: pcm))
        var received = 0
        for block in 0..<40 {
            let input = try #require(AVAudioPCMBuffer(pcmFormat: pcm, frameCapacity: 320))
            input.frameLength = 320
            let samples = try #require(input.int16ChannelData)
            for frame in 0..<320 { samples[0][frame] = Int16(8000 * sin(Double(block * 320 + frame) * 0.2)) }
            for packet in try convert(input, encoder) where block != 20 {
                let output = try #require(AVAudioPCMBuffer(pcmFormat: pcm, frameCapacity: 2048))
                var isGiven = false
                let status = decoder.convert(to: output, error: nil) { _, status in
                    status.pointee = isGiven ? .noDataNow : .haveData
                    defer { isGiven = true }
                    return isGiven ? nil : packet
                }
                #expect(status == .inputRanDry)
                #expect(output.frameLength == 1024)
                received += Int(output.frameLength)
            }
        }
        // 12 800 frames were encoded; twelve packets arrived, perhaps less one.
        #expect((11 * 1024...14 * 1024).contains(received))
    }

    @Test("A level meter reads a floating-point file as interleaved integers")
    func processingFormat() throws {
        let url = folder.url("float.wav")
        try write(url, sampleRate: 8000, channels: 2, frameCount: 8000, [AVLinearPCMIsFloatKey: true, AVLinearPCMBitDepthKey: 32])
        let file = try AVAudioFile(forReading: url, commonFormat: .pcmFormatInt16, interleaved: true)
        #expect(file.fileFormat.commonFormat == .pcmFormatFloat32 && file.fileFormat.isInterleaved)
        #expect(file.processingFormat.commonFormat == .pcmFormatInt16 && file.processingFormat.isInterleaved)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 8000))
        try file.read(into: buffer)
        let data = try #require(buffer.int16ChannelData)
        let peak = (0..<Int(buffer.frameLength)).map { abs(Int(data[1][$0 * buffer.stride])) }.max()
        #expect((16_200...16_384).contains(try #require(peak)))
    }

    @Test("Writes a buffer with the settings of its format")
    func bufferToFile() throws {
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
        let buffer = try tone(format, frameCount: 500)
        for name in ["buffer.wav", "buffer.caf"] {
            let url = folder.url(name)
            do { try AVAudioFile(forWriting: url, settings: buffer.format.settings).write(from: buffer) }
            let file = try AVAudioFile(forReading: url)
            let read = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 500))
            try file.read(into: read)
            let (sent, found) = (try #require(buffer.floatChannelData), try #require(read.floatChannelData))
            #expect(file.length == 500)
            #expect((0..<500).allSatisfy { sent[1][$0] == found[1][$0] })
        }
    }

    /// Writes a tone to a file.
    private func write(
        _ url: URL, sampleRate: Double, channels: Int, frameCount: Int, _ more: [String: Any] = [:]
    ) throws {
        let settings: [String: Any] = [
            AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: sampleRate, AVNumberOfChannelsKey: channels,
        ]
        let file = try AVAudioFile(forWriting: url, settings: settings.merging(more) { $1 })
        try file.write(from: tone(file.processingFormat, frameCount: frameCount))
    }

    /// Returns an encoder's packets after a buffer, each in its own buffer.
    private func convert(_ input: AVAudioPCMBuffer, _ encoder: AVAudioConverter) throws -> [AVAudioCompressedBuffer] {
        var packets: [AVAudioCompressedBuffer] = []
        var isGiven = false
        while true {
            let packet = AVAudioCompressedBuffer(
                format: encoder.outputFormat, packetCapacity: 1, maximumPacketSize: encoder.maximumOutputPacketSize)
            let status = encoder.convert(to: packet, error: nil) { _, status in
                status.pointee = isGiven ? .noDataNow : .haveData
                defer { isGiven = true }
                return isGiven ? nil : input
            }
            guard status == .haveData else { return packets }
            packets.append(packet)
        }
    }
}
