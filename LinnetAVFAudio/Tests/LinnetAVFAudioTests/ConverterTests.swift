// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinnetAVFAudio
import Testing

@Suite struct ConverterTests {
    /// Temporary files, removed with the test.
    private let folder = TemporaryFolder()

    @Test("Integer samples survive conversion to floating point and back, interleaved or not")
    func exactConversion() throws {
        var random = SeededGenerator(seed: 20_261_121)
        let layouts: [(AVAudioCommonFormat, AVAudioCommonFormat)] = [
            (.pcmFormatInt16, .pcmFormatFloat32), (.pcmFormatInt16, .pcmFormatInt32), (.pcmFormatInt32, .pcmFormatFloat64),
        ]
        for (first, second) in layouts {
            for (isFirstInterleaved, isSecondInterleaved) in [(true, false), (false, true), (false, false), (true, true)] {
                let a = try #require(AVAudioFormat(commonFormat: first, sampleRate: 48_000, channels: 2, interleaved: isFirstInterleaved))
                let b = try #require(AVAudioFormat(commonFormat: second, sampleRate: 48_000, channels: 2, interleaved: isSecondInterleaved))
                let source = try #require(AVAudioPCMBuffer(pcmFormat: a, frameCapacity: 1000))
                source.frameLength = 1000
                for part in UnsafeMutableAudioBufferListPointer(source.mutableAudioBufferList) {
                    let bytes = UnsafeMutableBufferPointer<UInt8>(part)
                    for index in bytes.indices { bytes[index] = UInt8.random(in: 0...255, using: &random) }
                }
                let middle = try #require(AVAudioPCMBuffer(pcmFormat: b, frameCapacity: 1000))
                let result = try #require(AVAudioPCMBuffer(pcmFormat: a, frameCapacity: 1000))
                try #require(AVAudioConverter(from: a, to: b)).convert(to: middle, from: source)
                try #require(AVAudioConverter(from: b, to: a)).convert(to: result, from: middle)
                #expect(middle.frameLength == 1000)
                #expect(bytes(result) == bytes(source), "\(a) \(b)")
            }
        }
    }

    @Test("Converts a stream in parts, with the right status for each and an exact length")
    func streaming() throws {
        let input = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        let output = try #require(AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 16_000, channels: 1, interleaved: true))
        let converter = try #require(AVAudioConverter(from: input, to: output))
        let result = try #require(AVAudioPCMBuffer(pcmFormat: output, frameCapacity: 1000))
        let piece = try tone(input, frameCount: 960)
        var calls = 0
        var total = 0
        var error: NSError?

        // Four buffers, each followed by no data now.
        for _ in 0..<4 {
            var isGiven = false
            let status = converter.convert(to: result, error: &error) { needed, status in
                calls += 1
                #expect(needed >= 1)
                status.pointee = isGiven ? .noDataNow : .haveData
                defer { isGiven = true }
                return isGiven ? nil : piece
            }
            #expect(status == .inputRanDry)
            #expect(error == nil)
            total += Int(result.frameLength)
        }
        #expect(calls == 8)
        #expect(total < 1280)

        // The end flushes the filter, and is reported once there is no more output.
        let last = converter.convert(to: result, error: &error) { _, status in
            status.pointee = .endOfStream
            return nil
        }
        #expect(last == .haveData)
        total += Int(result.frameLength)
        #expect(total == 1280)
        let after = converter.convert(to: result, error: &error) { _, status in
            Issue.record("the block was called after the end")
            status.pointee = .haveData
            return piece
        }
        #expect(after == .endOfStream)
        #expect(result.frameLength == 0)

        converter.reset()
        var isGiven = false
        let again = converter.convert(to: result, error: &error) { _, status in
            status.pointee = isGiven ? .endOfStream : .haveData
            defer { isGiven = true }
            return isGiven ? nil : piece
        }
        #expect(again == .haveData)
        #expect(result.frameLength == 320)
    }

    @Test("Fills an output smaller than the input and keeps the remaining input")
    func smallOutputs() throws {
        let input = try #require(AVAudioFormat(standardFormatWithSampleRate: 8000, channels: 2))
        let output = try #require(AVAudioFormat(commonFormat: .pcmFormatFloat32, sampleRate: 8000, channels: 2, interleaved: true))
        let converter = try #require(AVAudioConverter(from: input, to: output))
        let source = try tone(input, frameCount: 1000)
        let result = try #require(AVAudioPCMBuffer(pcmFormat: output, frameCapacity: 300))
        var isGiven = false
        var all: [Float] = []
        var statuses: [AVAudioConverterOutputStatus] = []
        repeat {
            statuses.append(
                converter.convert(to: result, error: nil) { _, status in
                    status.pointee = isGiven ? .endOfStream : .haveData
                    defer { isGiven = true }
                    return isGiven ? nil : source
                })
            let data = try #require(result.floatChannelData)
            all += UnsafeBufferPointer(start: data[0], count: Int(result.frameLength) * 2)
        } while statuses.last == .haveData
        #expect(statuses == [.haveData, .haveData, .haveData, .haveData, .endOfStream])
        let data = try #require(source.floatChannelData)
        #expect(all == (0..<2000).map { data[$0 % 2][$0 / 2] })
    }

    @Test("Mono can be called interleaved or not")
    func singleChannel() throws {
        let planes = try #require(AVAudioFormat(commonFormat: .pcmFormatFloat32, sampleRate: 8000, channels: 1, interleaved: false))
        let frames = try #require(AVAudioFormat(commonFormat: .pcmFormatFloat32, sampleRate: 8000, channels: 1, interleaved: true))
        let short = try #require(AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 8000, channels: 1, interleaved: true))
        #expect(planes != frames)
        let converter = try #require(AVAudioConverter(from: planes, to: short))
        let result = try #require(AVAudioPCMBuffer(pcmFormat: short, frameCapacity: 100))
        try converter.convert(to: result, from: try tone(frames, frameCount: 100))
        #expect(result.frameLength == 100)
    }

    @Test("Simple conversion rejects other rates, formats and too small outputs")
    func refusals() throws {
        let a = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        let b = try #require(AVAudioFormat(standardFormatWithSampleRate: 16_000, channels: 1))
        let i = try #require(AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 48_000, channels: 1, interleaved: true))
        let source = try tone(a, frameCount: 100)
        let rate = try #require(AVAudioConverter(from: a, to: b))
        #expect(throws: NSError.self) { try rate.convert(to: try tone(b, frameCount: 100), from: source) }
        let type = try #require(AVAudioConverter(from: a, to: i))
        let small = try #require(AVAudioPCMBuffer(pcmFormat: i, frameCapacity: 99))
        #expect(throws: NSError.self) { try type.convert(to: small, from: source) }
        let other = try #require(AVAudioPCMBuffer(pcmFormat: b, frameCapacity: 100))
        #expect(throws: NSError.self) { try type.convert(to: other, from: source) }
        var error: NSError?
        let status = type.convert(to: other, error: &error) { _, _ in source }
        #expect(status == .error)
        #expect(error?.domain == "com.apple.coreaudio.avfaudio")
    }

    @Test("Keeps the first channel, downmixes all, or swaps them with a map")
    func channels() throws {
        let stereo = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
        let mono = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        let source = try #require(AVAudioPCMBuffer(pcmFormat: stereo, frameCapacity: 4))
        source.frameLength = 4
        let data = try #require(source.floatChannelData)
        for frame in 0..<4 { (data[0][frame], data[1][frame]) = (0.5, 0.25) }
        let first = try #require(AVAudioConverter(from: stereo, to: mono))
        #expect(try converted(source, first) == [0.5, 0.5, 0.5, 0.5])
        let mixed = try #require(AVAudioConverter(from: stereo, to: mono))
        mixed.downmix = true
        #expect(try converted(source, mixed) == [0.375, 0.375, 0.375, 0.375])
        let second = try #require(AVAudioConverter(from: stereo, to: mono))
        second.channelMap = [1]
        #expect(try converted(source, second) == [0.25, 0.25, 0.25, 0.25])
        let both = try #require(AVAudioConverter(from: mono, to: stereo))
        let result = try #require(AVAudioPCMBuffer(pcmFormat: stereo, frameCapacity: 4))
        let single = try #require(AVAudioPCMBuffer(pcmFormat: mono, frameCapacity: 4))
        try first.convert(to: single, from: source)
        try both.convert(to: result, from: single)
        let found = try #require(result.floatChannelData)
        #expect(found[0][3] == 0.5 && found[1][3] == 0.5)
    }

    @Test("Decodes files to 16 kHz mono with exact length and level")
    func decodingForRecognition() throws {
        for (name, format) in [("a.wav", kAudioFormatLinearPCM), ("a.m4a", kAudioFormatMPEG4AAC)] {
            let url = folder.url(name)
            do {
                let settings: [String: Any] = [AVFormatIDKey: format, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2]
                let file = try AVAudioFile(forWriting: url, settings: settings)
                try file.write(from: tone(file.processingFormat, frameCount: 44_100))
            }
            let samples = try speechSamples(url)
            #expect(samples.count == 16_000, "\(name)")
            let middle = samples[4000..<12_000]
            let level = (middle.reduce(0) { $0 + $1 * $1 } / 8000).squareRoot()
            #expect(abs(level - 0.3536) < 0.01, "\(name) \(level)")
        }
    }

    /// Returns a file as 16 kHz mono, as speech recognition programs do.
    private func speechSamples(_ url: URL) throws -> [Float] {
        let file = try AVAudioFile(forReading: url)
        let target = try #require(
            AVAudioFormat(commonFormat: .pcmFormatFloat32, sampleRate: 16_000, channels: 1, interleaved: false))
        let source = try #require(
            AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: AVAudioFrameCount(file.length)))
        try file.read(into: source)
        let converter = try #require(AVAudioConverter(from: file.processingFormat, to: target))
        let capacity = AVAudioFrameCount(Double(source.frameLength) * 16_000 / file.processingFormat.sampleRate) + 1
        let result = try #require(AVAudioPCMBuffer(pcmFormat: target, frameCapacity: capacity))
        var isGiven = false
        var error: NSError?
        let status = converter.convert(to: result, error: &error) { _, status in
            status.pointee = isGiven ? .endOfStream : .haveData
            isGiven = true
            return source
        }
        #expect(status != .error)
        return Array(UnsafeBufferPointer(start: try #require(result.floatChannelData)[0], count: Int(result.frameLength)))
    }

    /// Returns the first channel of a simple conversion.
    private func converted(_ source: AVAudioPCMBuffer, _ converter: AVAudioConverter) throws -> [Float] {
        let result = try #require(AVAudioPCMBuffer(pcmFormat: converter.outputFormat, frameCapacity: source.frameLength))
        try converter.convert(to: result, from: source)
        return Array(UnsafeBufferPointer(start: try #require(result.floatChannelData)[0], count: Int(result.frameLength)))
    }

    /// Returns the valid bytes of all buffers.
    private func bytes(_ buffer: AVAudioPCMBuffer) -> [UInt8] {
        UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: buffer.audioBufferList)).flatMap {
            Array(UnsafeBufferPointer<UInt8>($0))
        }
    }
}
