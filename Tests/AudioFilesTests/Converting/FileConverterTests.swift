// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioContainers
import AudioConversion
import AudioFiles
import AudioPrimitives
import Foundation
import PCMFiles
import TestSupport
import Testing

/// Default settings, notes, damage and errors of ``FileConverter``.
@Suite struct FileConverterTests {
    @Test("Dithers by default only when reducing to 16 bits or fewer")
    func dither() throws {
        let folder = try TemporaryFolder()
        let bytes = randomSamples(.int24, count: 3000, seed: 4)
        try folder.writePCM(bytes, to: "a.wav", PCMOutputFormat(.wav, encoding: .int24, sampleRate: 44_100, channelCount: 1))
        let cases: [(encoding: SampleEncoding?, rate: Int?, asked: Dither?, used: Dither)] = [
            (nil, nil, nil, .none), (.int16, nil, nil, .triangular), (.unsigned8, nil, nil, .triangular), (.int24, 48_000, nil, .none),
            (.float32, 48_000, nil, .none), (.int16, 48_000, Dither.none, .none), (.int16, nil, .noiseShaped, .noiseShaped),
            (.int32, nil, .triangular, .none),
        ]
        for (encoding, rate, asked, used) in cases {
            let summary = try folder.convert("a.wav", "b.wav") {
                $0.encoding = encoding
                $0.sampleRate = rate
                $0.dither = asked
            }
            #expect(summary.dither == used, "\(String(describing: encoding)) \(String(describing: rate))")
        }
    }

    @Test("Counts samples beyond full scale when clipping; keeps them in floating point")
    func clipping() throws {
        let folder = try TemporaryFolder()
        let values: [Float] = [0, 1, -1, 1.01, -1.5, 0.999, 2, .infinity]
        let bytes = values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt32($0))) } }
        try folder.writePCM(bytes, to: "a.wav", PCMOutputFormat(.wav, encoding: .float32, sampleRate: 8000, channelCount: 2))
        #expect(try folder.convert("a.wav", "b.wav") { $0.encoding = .int16 }.clippedSampleCount == 4)
        #expect(try folder.convert("a.wav", "b.flac") { $0.encoding = .int24 }.clippedSampleCount == 4)
        #expect(try folder.convert("a.wav", "b.wav").clippedSampleCount == 0)
        #expect(try folder.readPCM("b.wav").bytes == bytes)
    }

    @Test("Lossy inputs keep their full resolution, or 16 bits in FLAC")
    func lossyInput() throws {
        let folder = try TemporaryFolder()
        try folder.writeChord(frameCount: 4000)
        try folder.convert("in.wav", "a.m4a")
        #expect(try folder.convert("a.m4a", "b.wav").encoding == .float32)
        #expect(try folder.convert("a.m4a", "b.aiff").encoding == .float32BigEndian)
        let flac = try folder.convert("a.m4a", "b.flac")
        #expect(flac.encoding == .int16 && flac.dither == .triangular && flac.notes.isEmpty)
        #expect(try folder.convert("a.m4a", "c.m4a").notes == [.remuxingCopies(.aac)])
        #expect(try folder.convert("a.m4a", "c.m4a") { $0.bitRate = 64_000 }.notes.isEmpty)
        #expect(try folder.convert("a.m4a", "c.opus").notes == [.sampleRateConverted(from: 44_100, to: 48_000, codec: .opus)])
        for name in ["d.lbc", "d.caf"] {
            let speech = try folder.convert("in.wav", name) { $0.codec = .ilbc }
            #expect(speech.notes.count == 2 && speech.sampleRate == 8000 && speech.frameCount == 726)
            // Only CAF stores the length.
            let back = try folder.convert(name, "back.wav")
            #expect(name == "d.caf" ? back.frameCount == 726 : back.frameCount >= 726)
        }
    }

    @Test("Mixes channels as requested for every codec", arguments: ["b.wav", "b.m4a", "b.opus"])
    func channels(name: String) throws {
        let folder = try TemporaryFolder()
        try folder.writeChord(sampleRate: 48_000, channelCount: 6, frameCount: 3000)
        for count in [1, 2, 6] {
            let summary = try folder.convert("in.wav", name) { $0.channelCount = count }
            #expect(summary.channelCount == count && summary.frameCount == 3000)
            #expect(try folder.convert(name, "back.wav").channelCount == count)
        }
        let mapped = try folder.convert("in.wav", name) { $0.channels = .map([2]) }
        #expect(mapped.channelCount == 1 && mapped.frameCount == 3000)
    }

    @Test("Encodes AAC like FileEncoder")
    func sameAsEncoder() throws {
        let folder = try TemporaryFolder()
        try folder.writeChord(frameCount: 60_000)
        try folder.convert("in.wav", "a.m4a") { $0.bitRate = 96_000 }
        var configuration = FileConverterConfiguration()
        configuration.settings.rateControl = .average(bitRate: 96_000)
        try FileEncoder(input: folder.path("in.wav"), output: folder.path("b.m4a"), configuration: configuration).run()
        #expect(try bytes(ofFile: folder.path("a.m4a")) == bytes(ofFile: folder.path("b.m4a")))
    }

    @Test("Converts all of a damaged input and counts the damage")
    func damage() throws {
        let folder = try TemporaryFolder()
        try folder.writeChord(frameCount: 60_000)
        try folder.convert("in.wav", "a.aac")
        let intact = try folder.convert("a.aac", "intact.wav")
        #expect(intact.decoding?.isIntact == true)
        var bytes = try bytes(ofFile: folder.path("a.aac"))
        for index in bytes.count / 2..<bytes.count / 2 + 100 { bytes[index] = 0x55 }
        _ = try folder.write(bytes, to: "a.aac")
        let summary = try folder.convert("a.aac", "b.flac")
        #expect(summary.decoding?.isIntact == false)
        #expect(summary.frameCount > intact.frameCount - 5 * 1024)
        _ = try folder.write(Array(try TestSupport.bytes(ofFile: folder.path("in.wav")).prefix(10_000)), to: "cut.wav")
        #expect(try folder.convert("cut.wav", "cut.flac").warnings.count == 1)
    }

    @Test(arguments: AudioFileFormat.allCases.filter { !$0.isPCM && !$0.isWritable })
    func `A format that cannot be written throws`(format: AudioFileFormat) throws {
        let folder = try TemporaryFolder()
        try folder.writeChord(frameCount: 500)
        let error = #expect(throws: AudioFileError.self) { try folder.convert("in.wav", "out") { $0.format = format } }
        #expect(error?.code == .codecNotStorable(.aac, format))
        #expect(error?.description.hasSuffix("\(format.name) output is not supported") == true)
        #expect(try folder.contents == ["in.wav"])
    }

    @Test("Errors leave no output and name the file")
    func failures() throws {
        let folder = try TemporaryFolder()
        try folder.writeChord(frameCount: 5000)
        let wav = try #require(AudioFileFormat(fileExtension: "wav"))
        /// Expects a conversion to throw.
        func expect(_ code: AudioFileError.Code, _ path: String, _ output: String, _ change: (inout FileConverterConfiguration) -> Void) {
            #expect(
                performing: { try folder.convert("in.wav", output, change) },
                throws: { error in
                    guard let error = error as? AudioFileError else { return false }
                    return error.code == code && error.path == folder.path(path)
                })
        }
        expect(.codecNotStorable(.aac, wav), "x.wav", "x.wav") { $0.codec = .aac }
        expect(.unknownExtension("xyz"), "x.xyz", "x.xyz") { _ in }
        expect(.unsupportedContainer, "x.flac", "x.flac") { $0.encoding = .float32 }
        expect(.unsupportedConfiguration, "in.wav", "x.opus") { $0.sampleRate = 44_100 }
        expect(.unsupportedConfiguration, "in.wav", "x.wav") { $0.channels = .map([5]) }
        expect(.outputIsInput, "in.wav", "in.wav") { _ in }
        #expect(try folder.contents == ["in.wav"])
    }

    @Test("Stopping leaves no output")
    func cancelling() throws {
        let folder = try TemporaryFolder()
        try folder.writeChord(frameCount: 100_000)
        for name in ["x.wav", "x.flac", "x.opus", "x.m4a"] {
            let converter = FileConverter(input: folder.path("in.wav"), output: folder.path(name))
            var calls = 0
            #expect(throws: AudioFileError(.cancelled, path: folder.path("in.wav"))) {
                try converter.run { progress in
                    calls += 1
                    #expect(progress.framesRead > 0 && progress.totalFrames == 100_000)
                    return false
                }
            }
            #expect(calls == 1)
        }
        #expect(try folder.contents == ["in.wav"])
    }

    @Test("Full disk throws noSpace", arguments: ["wav", "raw"])
    func fullDisk(format: String) throws {
        let folder = try TemporaryFolder()
        try folder.writeChord(frameCount: 100_000)
        var configuration = FileConverterConfiguration()
        configuration.format = AudioFileFormat(fileExtension: format)
        #expect(
            throws: AudioFileError(.noSpace, path: "/dev/full")
        ) {
            try FileConverter(input: folder.path("in.wav"), output: "/dev/full", configuration: configuration).run()
        }
    }
}
