// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinnetAVFAudio
import Testing

@Suite struct FileTests {
    /// Temporary files, removed with the test.
    private let folder = TemporaryFolder()

    @Test("WAV, AIFF and CAF store 16-bit samples exactly, at every position")
    func pcmFiles() throws {
        for name in ["a.wav", "a.aiff", "a.caf"] {
            let url = folder.url(name)
            let settings: [String: Any] = [
                AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 44_100.0, AVNumberOfChannelsKey: 2, AVLinearPCMBitDepthKey: 16,
                AVLinearPCMIsFloatKey: false, AVLinearPCMIsBigEndianKey: false,
            ]
            let written = try AVAudioFile(forWriting: url, settings: settings, commonFormat: .pcmFormatInt16, interleaved: true)
            let buffer = try #require(AVAudioPCMBuffer(pcmFormat: written.processingFormat, frameCapacity: 5000))
            buffer.frameLength = 5000
            let data = try #require(buffer.int16ChannelData)
            for frame in 0..<5000 {
                data[0][frame * 2] = Int16(truncatingIfNeeded: frame &* 7919)
                data[1][frame * 2] = Int16(truncatingIfNeeded: frame &* 104_729)
            }
            try written.write(from: buffer)
            #expect(written.length == 5000)
            written.close()
            #expect(!written.isOpen)

            let file = try AVAudioFile(forReading: url, commonFormat: .pcmFormatInt16, interleaved: true)
            #expect(file.length == 5000)
            #expect(file.fileFormat.streamDescription.pointee.mBitsPerChannel == 16)
            #expect(file.fileFormat.channelCount == 2)
            let read = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 777))
            for position in [0, 4999, 4321, 1] as [AVAudioFramePosition] {
                file.framePosition = position
                try file.read(into: read)
                let count = min(777, 5000 - Int(position))
                #expect(Int(read.frameLength) == count)
                #expect(file.framePosition == position + AVAudioFramePosition(count))
                let found = try #require(read.int16ChannelData)
                for frame in 0..<count * 2 { #expect(found[0][frame] == data[0][Int(position) * 2 + frame]) }
            }
        }
    }

    @Test("A bit rate per channel whose sum exceeds 64 bits is refused", arguments: ["a.m4a", "a.opus"])
    func absurdBitRate(name: String) throws {
        let settings: [String: Any] = [
            AVFormatIDKey: name == "a.opus" ? kAudioFormatOpus : kAudioFormatMPEG4AAC, AVSampleRateKey: 48_000,
            AVNumberOfChannelsKey: 2, AVEncoderBitRatePerChannelKey: 1 << 62,
        ]
        #expect(throws: NSError.self) { try AVAudioFile(forWriting: folder.url(name), settings: settings) }
    }

    @Test("32-bit integers and 64-bit floats are lossless; CAF in both byte orders")
    func longSamples() throws {
        var random = SeededGenerator(seed: 14)
        for (name, format, isFloat, isBigEndian) in [
            ("a.wav", AVAudioCommonFormat.pcmFormatInt32, false, false), ("a.caf", .pcmFormatFloat64, true, true),
            ("b.caf", .pcmFormatFloat64, true, false), ("a.aiff", .pcmFormatInt32, false, true),
        ] {
            let url = folder.url(name)
            let settings: [String: Any] = [
                AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 96_000, AVNumberOfChannelsKey: 1,
                AVLinearPCMBitDepthKey: isFloat ? 64 : 32, AVLinearPCMIsFloatKey: isFloat, AVLinearPCMIsBigEndianKey: isBigEndian,
            ]
            let written = try AVAudioFile(forWriting: url, settings: settings, commonFormat: format, interleaved: false)
            let buffer = try #require(AVAudioPCMBuffer(pcmFormat: written.processingFormat, frameCapacity: 1000))
            buffer.frameLength = 1000
            let memory = try #require(UnsafeMutableAudioBufferListPointer(buffer.mutableAudioBufferList)[0].mData)
            for frame in 0..<1000 {
                if isFloat {
                    memory.storeBytes(of: Double.random(in: -1...1, using: &random), toByteOffset: frame * 8, as: Double.self)
                } else {
                    memory.storeBytes(of: Int32.random(in: .min ... .max, using: &random), toByteOffset: frame * 4, as: Int32.self)
                }
            }
            try written.write(from: buffer)
            written.close()
            let isFlagged = written.fileFormat.streamDescription.pointee.mFormatFlags & kAudioFormatFlagIsBigEndian != 0
            #expect(isFlagged == isBigEndian)
            let file = try AVAudioFile(forReading: url, commonFormat: format, interleaved: false)
            let read = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 1000))
            try file.read(into: read)
            #expect(read.frameLength == 1000)
            let found = UnsafeMutableAudioBufferListPointer(read.mutableAudioBufferList)[0].mData
            #expect(memcmp(try #require(found), memory, isFloat ? 8000 : 4000) == 0, "\(name)")
        }
    }

    @Test("AAC in M4A, CAF and ADTS, with exact lengths if the container stores them")
    func codedFiles() throws {
        for (name, length) in [("a.m4a", 30_000), ("a.caf", 30_000), ("a.aac", 32_768)] {
            let url = folder.url(name)
            let settings: [String: Any] = [
                AVFormatIDKey: Int(kAudioFormatMPEG4AAC), AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 1,
                AVEncoderBitRateKey: 96_000, AVEncoderAudioQualityKey: AVAudioQuality.high.rawValue,
            ]
            do {
                let file = try AVAudioFile(forWriting: url, settings: settings)
                #expect(file.processingFormat == AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
                try file.write(from: tone(file.processingFormat, frameCount: 30_000))
            }
            let file = try AVAudioFile(forReading: url)
            #expect(file.length == length, "\(name)")
            #expect(file.fileFormat.settings[AVFormatIDKey] as? UInt32 == kAudioFormatMPEG4AAC)
            #expect(file.fileFormat.streamDescription.pointee.mFramesPerPacket == 1024)
            let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: AVAudioFrameCount(file.length)))
            try file.read(into: buffer)
            #expect(Int(buffer.frameLength) == length)
            #expect(level(buffer, from: 10_000, count: 8000) > 0.3)
        }
    }

    @Test("Opus in Ogg, CAF and M4A, and iLBC in CAF; other files reject them")
    func otherCodecs() throws {
        for (name, formatID, rate) in [
            ("a.opus", kAudioFormatOpus, 48_000), ("a.caf", kAudioFormatOpus, 48_000), ("a.m4a", kAudioFormatOpus, 48_000),
            ("b.caf", kAudioFormatiLBC, 8000),
        ] {
            let url = folder.url(name)
            let settings: [String: Any] = [AVFormatIDKey: formatID, AVSampleRateKey: rate, AVNumberOfChannelsKey: 1]
            do {
                let file = try AVAudioFile(forWriting: url, settings: settings)
                try file.write(from: tone(file.processingFormat, frameCount: rate))
            }
            let file = try AVAudioFile(forReading: url)
            #expect(file.fileFormat.streamDescription.pointee.mFormatID == formatID, "\(name)")
            #expect(file.length == AVAudioFramePosition(rate), "\(name)")
            let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: AVAudioFrameCount(rate)))
            try file.read(into: buffer)
            #expect(abs(level(buffer, from: rate / 4, count: rate / 2) - 0.3536) < 0.06, "\(name)")
            #expect(throws: NSError.self) { try AVAudioFile(forWriting: folder.url("a.aac"), settings: settings) }
        }
    }

    @Test("Unsupported format leaves an existing file unchanged and creates none")
    func unsupportedFormats() throws {
        let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | 10))
        let channels = AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: layout)
        var flac = channels.settings
        flac[AVFormatIDKey] = kAudioFormatFLAC
        let opus: [String: Any] = [AVFormatIDKey: kAudioFormatOpus, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 1]
        let manyChannels = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | 1025))
        let pcm = AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: manyChannels).settings
        for (name, settings) in [("a.aac", opus), ("a.flac", flac), ("a.aiff", pcm), ("a.caf", pcm)] {
            let url = folder.url(name)
            #expect(throws: NSError.self) { try AVAudioFile(forWriting: url, settings: settings) }
            #expect(!FileManager.default.fileExists(atPath: url.path))
            try Data([1, 2, 3]).write(to: url)
            #expect(throws: NSError.self) { try AVAudioFile(forWriting: url, settings: settings) }
            #expect(try Data(contentsOf: url) == Data([1, 2, 3]))
        }
    }

    @Test("Reads FFmpeg's files: Apple Lossless, FLAC, MP3, Opus and Vorbis")
    func filesOfOthers() throws {
        for (name, codec, formatID) in [
            ("a.m4a", "alac", kAudioFormatAppleLossless), ("a.flac", "flac", kAudioFormatFLAC),
            ("a.mp3", "libmp3lame", kAudioFormatMPEGLayer3),
            ("a.opus", "libopus", kAudioFormatOpus), ("a.ogg", "libvorbis", kAudioFormatLinearPCM),
        ] {
            let url = folder.url(name)
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = [
                "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=441:sample_rate=48000:duration=1", "-c:a", codec, url.path,
            ]
            try process.run()
            process.waitUntilExit()
            try #require(process.terminationStatus == 0, "ffmpeg failed; it is one of the test packages")
            let file = try AVAudioFile(forReading: url)
            #expect(file.fileFormat.streamDescription.pointee.mFormatID == formatID, "\(name)")
            #expect(file.processingFormat.sampleRate == 48_000 && file.processingFormat.channelCount == 1)
            let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 60_000))
            try file.read(into: buffer)
            #expect(AVAudioFramePosition(buffer.frameLength) == file.length, "\(name)")
            #expect((48_000...51_000).contains(buffer.frameLength), "\(name) \(buffer.frameLength)")
            // FFmpeg's tone is at an eighth of full scale.
            #expect(abs(level(buffer, from: 12_000, count: 24_000) - 0.0884) < 0.005, "\(name)")
        }
    }

    @Test("Damage of a file is concealed, and its warnings name it")
    func damage() throws {
        let url = folder.url("damaged.aac")
        do {
            let file = try AVAudioFile(
                forWriting: url, settings: [AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 1])
            try file.write(from: tone(file.processingFormat, frameCount: 48_000))
        }
        for isDamaged in [false, true] {
            if isDamaged {
                var bytes = try Data(contentsOf: url)
                for index in bytes.count / 2..<bytes.count / 2 + 200 { bytes[index] = 0xFF }
                try bytes.write(to: url)
            }
            let file = try AVAudioFile(forReading: url)
            let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 60_000))
            try file.read(into: buffer)
            #expect(file.warnings.count == (isDamaged ? 1 : 0), "\(file.warnings)")
            file.close()
            #expect(file.warnings.isEmpty)
        }
    }

    @Test("Reading after the last frame throws, as in Core Audio")
    func readingAfterTheEnd() throws {
        let url = folder.url("short.wav")
        do {
            let file = try AVAudioFile(
                forWriting: url, settings: [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 8000, AVNumberOfChannelsKey: 1])
            try file.write(from: tone(file.processingFormat, frameCount: 100))
        }
        let file = try AVAudioFile(forReading: url)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 60))
        try file.read(into: buffer)
        try file.read(into: buffer)
        #expect(buffer.frameLength == 40)
        #expect(throws: (any Error).self) { try file.read(into: buffer) }
        #expect(buffer.frameLength == 0)
    }

    @Test("Errors have Core Audio's domain and codes")
    func errors() throws {
        let missing = error { _ = try AVAudioFile(forReading: folder.url("missing.wav")) }
        #expect(missing?.domain == "com.apple.coreaudio.avfaudio")
        #expect(missing?.code == 2_003_334_207)
        let text = folder.url("text.wav")
        try Data("not audio, but a text".utf8).write(to: text)
        #expect(error { _ = try AVAudioFile(forReading: text) }?.code == Int(kAudioFileUnsupportedFileTypeError))
        let aac: [String: Any] = [AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2]
        #expect(error { _ = try AVAudioFile(forWriting: folder.url("a.wav"), settings: aac) }?.code == 1_718_449_215)
        #expect(
            error { _ = try AVAudioFile(forWriting: folder.url("a.xyz"), settings: aac) }?.code == Int(kAudioFileUnsupportedFileTypeError))
        #expect(error { _ = try AVAudioFile(forWriting: folder.url("a.m4a"), settings: [:]) } != nil)
        let file = try AVAudioFile(forWriting: folder.url("a.m4a"), settings: aac)
        let other = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
        #expect(error { try file.write(from: try tone(other, frameCount: 10)) }?.code == -50)
    }

    private func error(_ body: () throws -> Void) -> NSError? {
        do {
            try body()
            return nil
        } catch {
            return error as NSError
        }
    }
}
