// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioContainers
import AudioFiles
import AudioLoudness
import AudioPrimitives
import MPEG4Audio
import PCMFiles
import TestSupport
import Testing

/// Files of xHE-AAC.
@Suite struct XHEAACEncodingTests {
    @discardableResult
    private func encode(
        _ chord: ChordFile, in folder: TemporaryFolder, to name: String, _ change: (inout FileConverterConfiguration) -> Void = { _ in }
    ) throws(AudioFileError) -> ConversionSummary {
        var configuration = chord.configuration
        configuration.settings.profile = .extendedHighEfficiency
        configuration.settings.rateControl = .average(bitRate: 48_000 * chord.channelCount)
        change(&configuration)
        guard let input = try? folder.write(chord.bytes, to: "in.pcm") else { preconditionFailure("the folder exists") }
        return try FileEncoder(input: input, output: folder.path(name), configuration: configuration).run()
    }

    private func stream(_ path: String) throws -> (configuration: AudioSpecificConfig, units: [AccessUnit]) {
        let reader = try AccessUnitReader(path: path)
        var (configuration, units): (AudioSpecificConfig?, [AccessUnit]) = (nil, [])
        while let event = try reader.next() {
            if case .configuration(let found) = event { configuration = found.audioSpecificConfig }
            if case .accessUnit(let unit) = event { units.append(unit.accessUnit) }
        }
        return (try #require(configuration), units)
    }

    @Test("The measured loudness is stated, the length is exact, and any number of threads writes the same bytes", arguments: [1, 2])
    func loudness(channelCount: Int) throws {
        let folder = try TemporaryFolder()
        let chord = ChordFile(sampleRate: 44_100, channelCount: channelCount, frameCount: 200_001)
        let summary = try encode(chord, in: folder, to: "a.m4a") { ($0.threadCount, $0.settings.effort) = (1, .fast) }
        try encode(chord, in: folder, to: "b.m4a") { ($0.threadCount, $0.settings.effort) = (3, .fast) }
        let first = try bytes(ofFile: folder.path("a.m4a"))
        #expect(try first == bytes(ofFile: folder.path("b.m4a")) && summary.gapless.validFrames == 200_001)
        let probe = try ProbeSummary(contentsOf: folder.path("a.m4a"), decodes: true)
        #expect(probe.profileName == "xHE-AAC" && probe.isIntact && probe.gaplessInfo?.validFrames == 200_001)
        let integrated = try #require(probe.statedLoudness?.integratedLoudness)
        let measured = try FileLoudness(of: .file(folder.path("a.m4a"))).run()
        #expect(abs(integrated - (try #require(measured.integrated))) < 0.2 && probe.statedLoudness?.peak != nil)
        #expect(try decodedChannels(folder.path("a.m4a")).map(\.count) == Array(repeating: 200_001, count: channelCount))
        // 86 access units, and one more where another encoder continues.
        let distance = try #require(probe.accessPoints).largestDistance
        #expect(86 * 1024...87 * 1024 ~= distance, "\(distance)")
    }

    @Test(
        "Low bit rates use SBR: the length and the priming are exact, and any number of threads writes the same bytes",
        arguments: [(1, 20_000), (2, 32_000)])
    func enhancedSBR(channelCount: Int, bitRate: Int) throws {
        let folder = try TemporaryFolder()
        let chord = ChordFile(sampleRate: 48_000, channelCount: channelCount, frameCount: 250_001)
        for (name, threadCount) in [("a.m4a", 1), ("b.m4a", 3)] {
            try encode(chord, in: folder, to: name) {
                ($0.threadCount, $0.settings.effort, $0.settings.rateControl) = (threadCount, .fast, .average(bitRate: bitRate))
            }
        }
        #expect(try bytes(ofFile: folder.path("a.m4a")) == bytes(ofFile: folder.path("b.m4a")))
        let probe = try ProbeSummary(contentsOf: folder.path("a.m4a"), decodes: true)
        #expect(probe.hasSBR && probe.isIntact && probe.outputSampleRate == 48_000 && probe.coreSampleRate == 24_000)
        #expect(probe.gaplessInfo?.primingFrames == 5186 && probe.gaplessInfo?.validFrames == 250_001)
        #expect(probe.accessPoints?.largestDistance == 46 * 2048)
        let wanted = stride(from: 0, to: chord.bytes.count, by: 2 * channelCount).map {
            Float(Int16(truncatingIfNeeded: Int(chord.bytes[$0]) | Int(chord.bytes[$0 + 1]) << 8)) / 32_768
        }
        let decoded = try decodedChannels(folder.path("a.m4a"))
        #expect(decoded.count == channelCount && decoded[0].count == 250_001)
        // The chord then rises into the high band.
        #expect(signalToNoise(wanted.prefix(90_000), decoded[0].prefix(90_000)) > 15)
    }

    @Test(
        "SBR starts higher if the low band needs few bits, with any number of threads",
        arguments: zip(
            [.average(bitRate: 32_000), .average(bitRate: 43_000), .constant(bitRate: 32_000), .average(bitRate: 32_000)]
                as [AACEncoderConfiguration.RateControl],
            [nil, nil, nil, 44_100] as [Int?]))
    func raisedCrossover(rateControl: AACEncoderConfiguration.RateControl, outputRate: Int?) throws {
        let folder = try TemporaryFolder()
        let chord = ChordFile(sampleRate: 48_000, channelCount: 2, frameCount: 100_000)
        var random = SeededRandom(seed: 59)
        let noise = (0..<chord.bytes.count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        func startFrequency(_ bytes: [UInt8], threadCount: Int) throws -> Int {
            var configuration = chord.configuration
            configuration.settings.profile = .extendedHighEfficiency
            configuration.settings.rateControl = rateControl
            configuration.sampleRate = outputRate
            configuration.threadCount = threadCount
            let input = try folder.write(bytes, to: "in.pcm")
            _ = try FileEncoder(input: input, output: folder.path("out.m4a"), configuration: configuration).run()
            let config = try #require(try stream(folder.path("out.m4a")).configuration.usac)
            return try #require(config.elements.lazy.compactMap(\.sbr).first).defaultHeader.startFrequency
        }
        let usual = try startFrequency(noise, threadCount: 1)
        let raised = try [1, 3].map { try startFrequency(chord.bytes, threadCount: $0) }
        #expect(raised[0] > usual && raised[1] == raised[0], "\(raised), \(usual)")
    }

    @Test(
        "Each access point decodes alone to the samples of a seek, except for noise, in each container",
        arguments: ["m4a", "caf", "loas", "ts"])
    func accessPoints(container: String) throws {
        let folder = try TemporaryFolder()
        let chord = ChordFile(sampleRate: 48_000, channelCount: 2, frameCount: 100_000)
        try encode(chord, in: folder, to: "a.\(container)") {
            ($0.settings.accessPointInterval, $0.settings.effort) = (0.5, .fast)
            // A rate that excludes SBR.
            $0.settings.rateControl = .average(bitRate: 128_000)
        }
        let (config, units) = try stream(folder.path("a.\(container)"))
        let usac = try #require(config.usac)
        let points = units.indices.filter { usac.isAccessPoint(units[$0].payload) }
        #expect(points.count == 5 && points[0] == 0)
        for point in points.dropFirst() {
            var writer = try LOASWriter(to: MemorySink(), config)
            for unit in units[point...] { try writer.append(unit) }
            let alone = try decodedChannels(folder.write(writer.sink.bytes, to: "alone.loas"))
            var options = FileDecoderConfiguration()
            options.keepsDelay = true
            let start = Double(1024 * point) / 48_000
            options.range = .seconds(start)..<Duration.seconds(10)
            let file = try AudioFile(path: folder.path("a.\(container)"), decoding: options)
            var buffer = PCMBuffer(sampleRate: 48_000, channelCount: 2, frameCapacity: 200_000)
            try file.read(into: &buffer)
            let count = min(buffer.frameCount, 20_000)
            #expect(count == 20_000 || point == points.last)
            for channel in 0..<2 {
                let (found, wanted) = (Array(buffer.channel(channel).prefix(count)), Array(alone[channel].prefix(count)))
                // The noise has other signs.
                #expect(signalToNoise(wanted, found) > 30, "from access unit \(point)")
            }
        }
    }

    @Test("MediaInfo reads the loudness and the profile, and finds no error")
    func conformance() throws {
        let program = try ProgramRun.require("mediainfo")
        let folder = try TemporaryFolder()
        try encode(ChordFile(sampleRate: 48_000, channelCount: 2, frameCount: 200_000), in: folder, to: "a.m4a")
        let run = try ProgramRun(program, ["--Full", folder.path("a.m4a")])
        #expect(run.exitCode == 0 && run.text.contains("USAC") && run.text.contains("LKFS"), "\(run.text)")
        #expect(!run.text.contains("Conformance"), "\(run.text)")
    }

    @Test("Combinations that xHE-AAC does not support are refused with a remedy, and leave no output")
    func refusals() throws {
        let folder = try TemporaryFolder()
        func message(
            _ name: String, channels: Int = 2, _ change: (inout FileConverterConfiguration) -> Void = { _ in }
        ) -> String {
            do throws(AudioFileError) {
                try encode(ChordFile(sampleRate: 48_000, channelCount: channels, frameCount: 5000), in: folder, to: name, change)
            } catch {
                return "\(error)"
            }
            return ""
        }
        #expect(message("a.aac").contains("M4A, CAF, LOAS and MPEG-TS support it"))
        #expect(message("a.m4a", channels: 6) != "")
        #expect(message("a.m4a") { $0.sampleRate = 8000 } != "")
        #expect(message("a.m4a") { $0.settings.frameLength = 960 } != "")
        #expect(message("a.m4a") { $0.settings.lowDelay = true } != "")
        #expect(try folder.contents == ["in.pcm"])
        #expect(message("a.m4a") == "" && message("b.aac") { $0.settings.statedLoudness = -20 } != "")
    }
}
