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
import TransformCoding

/// AAC as xHE-AAC, with the same quantized spectra.
@Suite struct RecodingTests {
    /// Writes an encoded file of tones, noise and clicks, and returns its path.
    func encode(
        _ name: String, in folder: TemporaryFolder, sampleRate: Int, channelCount: Int, frameCount: Int,
        _ change: (inout FileConverterConfiguration) -> Void = { _ in }
    ) throws -> String {
        let signals = (0..<2).map { TestSignal.changing(frameCount, sampleRate: sampleRate, seed: UInt64($0)) }
        var bytes: [UInt8] = []
        for frame in 0..<frameCount {
            for channel in 0..<channelCount {
                // Half of the time mostly a centre signal, for M/S stereo.
                let width: Float = frame < frameCount / 2 ? 0.1 : 0.9
                let sample = signals[0][frame] + (channel == 0 ? width : -width) * signals[1][frame]
                withUnsafeBytes(of: Int16(clamping: Int(sample * 16_000)).littleEndian) { bytes += $0 }
            }
        }
        var configuration = FileConverterConfiguration()
        configuration.raw = AudioFormat(.int16, sampleRate: sampleRate, channelCount: channelCount)
        configuration.settings.effort = .fast
        configuration.settings.rateControl = .variable(quality: 80)
        configuration.settings.usesNoiseSubstitution = false
        configuration.overwrites = true
        change(&configuration)
        let input = try folder.write(bytes, to: "in.pcm")
        try FileEncoder(input: input, output: folder.path(name), configuration: configuration).run()
        return folder.path(name)
    }

    @discardableResult
    func recode(_ input: String, to output: String, range: Range<Duration>? = nil) throws(AudioFileError) -> RemuxingSummary {
        var configuration = FileRemuxerConfiguration()
        configuration.recodesToXHEAAC = true
        configuration.overwrites = true
        configuration.range = range
        return try FileRemuxer(input: input, output: output, configuration: configuration).run()
    }

    private static let rates = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000]

    @Test("A recoded file decodes to identical samples at all sample rates", arguments: rates, [1, 2])
    func identity(sampleRate: Int, channelCount: Int) throws {
        let folder = try TemporaryFolder()
        let input = try encode(
            "in.m4a", in: folder, sampleRate: sampleRate, channelCount: channelCount, frameCount: max(16_000, sampleRate / 2))
        // The signal has transients, tonal parts and a changing width.
        let tools = try Self.tools(of: input)
        #expect(tools.contains { $0.channels.contains { $0.windowSequence == .eightShort } })
        #expect(sampleRate < 32_000 || tools.contains { $0.channels.contains { !$0.tnsOrders.isEmpty } })
        #expect(channelCount == 1 || tools.contains { $0.midSideBandCount > 0 })
        let summary = try recode(input, to: folder.path("out.m4a"))
        let (old, new) = (try decodedChannels(input), try decodedChannels(folder.path("out.m4a")))
        #expect(old == new && old.count == channelCount && summary.gapless?.validFrames == old[0].count)
    }

    /// Returns the tools of all access units.
    private static func tools(of path: String) throws -> [ElementTools] {
        let reader = try AccessUnitReader(path: path)
        var (decoder, buffer): (AACDecoder?, PCMBuffer?) = (nil, nil)
        var tools: [ElementTools] = []
        while let event = try reader.next() {
            if case .configuration(.aac(let config)) = event { decoder = try AACDecoder(config) }
            guard case .accessUnit(let unit) = event, let decoder else { continue }
            buffer = try decoder.decode(unit.accessUnit)
            tools += decoder.codingTools
        }
        _ = buffer
        return tools
    }

    private static func units(of path: String) throws -> [[UInt8]] {
        let reader = try AccessUnitReader(path: path)
        var units: [[UInt8]] = []
        while let event = try reader.next() { if case .accessUnit(let unit) = event { units.append(unit.accessUnit.payload) } }
        return units
    }

    @Test("Random spectra with pulses, TNS and M/S stereo decode to identical samples", arguments: 0..<24 as Range<UInt64>)
    func randomSpectra(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let rate = Self.rates[Int(seed) % Self.rates.count]
        var stream = try RandomAACStream(sampleRate: rate, channelCount: 1 + Int(seed / 12), seed: seed)
        let input = try folder.write(try stream.loas(40), to: "in.loas")
        try recode(input, to: folder.path("out.loas"))
        let (old, new) = (try decodedChannels(input), try decodedChannels(folder.path("out.loas")))
        #expect(old == new && old[0].count == 40 * 1024 && old[0].contains { $0 != 0 }, "seed \(seed)")
    }

    @Test("Sync samples are the immediate playout frames every two seconds, from which any range is exact", arguments: ["m4a", "caf"])
    func accessPoints(container: String) throws {
        let folder = try TemporaryFolder()
        let input = try encode("in.m4a", in: folder, sampleRate: 16_000, channelCount: 1, frameCount: 100_000) {
            $0.settings.rateControl = .average(bitRate: 32_000)
        }
        let output = folder.path("out.\(container)")
        try recode(input, to: output)
        let points = try Self.units(of: output).enumerated().filter { $1[0] & 0xC0 == 0xC0 }.map { $0.offset }
        // 31 access units of 64 ms.
        #expect(points == [0, 31, 62, 93])
        if container == "m4a" { #expect(try Self.syncNumbers(bytes(ofFile: output)) == points.map { $0 + 1 }) }
        let whole = try decodedChannels(input)
        for start in [100, 31_744, 50_001] {
            let range = Duration.seconds(Double(start) / 16_000)..<Duration.seconds(Double(start + 3000) / 16_000)
            let expected = Array(whole[0][start..<start + 3000])
            #expect(try decodedChannels(output, range: range) == [expected], "from \(start)")
            try recode(input, to: folder.path("part.\(container)"), range: range)
            let part = try decodedChannels(folder.path("part.\(container)"))
            #expect(part == [expected], "part from \(start)")
        }
    }

    @Test("The decoded range has the stated loudness, unless another is given, and the configuration in each pre-roll is the same")
    func loudness() throws {
        let folder = try TemporaryFolder()
        let input = try encode("in.m4a", in: folder, sampleRate: 48_000, channelCount: 2, frameCount: 200_000)
        let output = folder.path("out.m4a")
        try recode(input, to: output)
        let measured = try FileLoudness(of: .file(input)).run()
        let (integrated, peak) = (try #require(measured.integrated), try #require(measured.truePeak))
        let stated = try #require(try ProbeSummary(contentsOf: output).statedLoudness)
        #expect(abs(try #require(stated.integratedLoudness) - integrated) <= 0.126)
        #expect(abs(try #require(stated.peak) - peak) <= 1.0 / 64 + 0.001)
        let usac = try #require(try ProbeSummary(contentsOf: output).configuration.audioSpecificConfig?.usac)
        let points = try Self.units(of: output).filter { usac.isAccessPoint($0) }
        #expect(points.count == 3)
        // Independent, with an extension of explicit length, whose 16 bits follow an escape; then the size of the configuration.
        for unit in points {
            var reader = BitReader(unit)
            reader.skip(3)
            if reader.read(8) == 255 { reader.skip(16) }
            #expect(reader.readEscapedValue(4, 4, 8) == usac.bytes.count)
            #expect(reader.readBytes(bitCount: 8 * usac.bytes.count) == usac.bytes)
        }
        var configuration = FileRemuxerConfiguration()
        (configuration.recodesToXHEAAC, configuration.overwrites, configuration.statedLoudness) = (true, true, -23)
        configuration.accessPointInterval = .milliseconds(500)
        try FileRemuxer(input: input, output: output, configuration: configuration).run()
        let summary = try ProbeSummary(contentsOf: output)
        #expect(summary.statedLoudness?.integratedLoudness == -23 && summary.statedLoudness?.peak == nil)
        // 23 access units are 0.491 s. In the louder half, frames that would be too long are postponed.
        let regular = try #require(summary.accessPoints)
        #expect(regular.largestDistance >= 23 * 1024 && 6...9 ~= regular.count, "\(regular)")
        // The first second is quieter than the whole.
        try recode(input, to: output, range: .seconds(3)..<Duration.seconds(4))
        let part = try FileLoudness(of: .file(output)).run()
        let statedPart = try ProbeSummary(contentsOf: output).statedLoudness?.integratedLoudness
        #expect(abs(try #require(statedPart) - (try #require(part.integrated))) <= 0.126)
        #expect(abs(try #require(part.integrated) - integrated) > 0.3)
    }

    @Test("MediaInfo finds no error in files of all layouts")
    func conformance() throws {
        let program = try ProgramRun.require("mediainfo")
        let folder = try TemporaryFolder()
        for (rate, channelCount) in [(48_000, 2), (44_100, 1), (32_000, 2), (16_000, 1)] {
            let input = try encode("in.m4a", in: folder, sampleRate: rate, channelCount: channelCount, frameCount: 3 * rate)
            try recode(input, to: folder.path("out.m4a"))
            let run = try ProgramRun(program, ["--Full", folder.path("out.m4a")])
            #expect(run.exitCode == 0 && run.text.contains("USAC") && run.text.contains("LKFS"), "\(run.text)")
            #expect(!run.text.contains("Conformance"), "\(run.text)")
        }
    }

    /// Returns the numbers in `stss`.
    private static func syncNumbers(_ bytes: [UInt8]) -> [Int] {
        let name = Array("stss".utf8)
        guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: name) }) else { return [] }
        func word(_ offset: Int) -> Int { bytes[start + offset..<start + offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        return (0..<word(8)).map { word(12 + 4 * $0) }
    }

    /// Returns the reason for a refusal.
    func problem(_ input: String, in folder: TemporaryFolder) -> RecodingProblem? {
        do throws(AudioFileError) { try recode(input, to: folder.path("out.m4a")) } catch {
            #expect(error.code == .recodingNotPossible && !"\(error)".isEmpty)
            return error.underlyingError as? RecodingProblem
        }
        return nil
    }

    @Test("Profiles and layouts without an equivalent are refused by name, and leave no output")
    func refusedStreams() throws {
        let folder = try TemporaryFolder()
        let noisy = try encode("pns.m4a", in: folder, sampleRate: 44_100, channelCount: 1, frameCount: 20_000) {
            ($0.settings.usesNoiseSubstitution, $0.settings.rateControl) = (true, .average(bitRate: 32_000))
        }
        let noise = problem(noisy, in: folder)
        #expect((0..<25).contains { noise == .tool(.noiseSubstitution, accessUnit: $0) }, "\(String(describing: noise))")
        let parametric = try encode("he.m4a", in: folder, sampleRate: 44_100, channelCount: 2, frameCount: 20_000) {
            ($0.settings.profile, $0.settings.rateControl) = (.highEfficiencyV2, .average(bitRate: 32_000))
        }
        #expect(problem(parametric, in: folder) == .profile("HE-AAC v2"))
        let short = try encode("short.m4a", in: folder, sampleRate: 44_100, channelCount: 1, frameCount: 20_000) {
            $0.settings.frameLength = 960
        }
        #expect(problem(short, in: folder) == .frameLength(960))
        let good = try encode("in.m4a", in: folder, sampleRate: 44_100, channelCount: 1, frameCount: 20_000)
        try recode(good, to: folder.path("xhe.m4a"))
        #expect(problem(folder.path("xhe.m4a"), in: folder) == .profile("xHE-AAC"))
        var joining = FileRemuxerConfiguration()
        joining.recodesToXHEAAC = true
        #expect(throws: AudioFileError(.recodingNotPossible, path: good, underlying: RecodingProblem.join)) {
            try FileRemuxer(joining: [good, good], output: folder.path("out.m4a"), configuration: joining).run()
        }
        #expect(try !folder.contents.contains("out.m4a"))
    }

    @Test("Tools without an equivalent are refused by name, with the access unit")
    func refusedTools() throws {
        let folder = try TemporaryFolder()
        func refusal(_ stream: RandomAACStream, count: Int = 3) throws -> RecodingProblem? {
            var stream = stream
            return problem(try folder.write(try stream.loas(count), to: "in.loas"), in: folder)
        }
        var intensity = try RandomAACStream(sampleRate: 48_000, channelCount: 2, seed: 1)
        intensity.sharesWindows = true
        var channel = 0
        intensity.change = { stream in
            channel += 1
            // The second channel of a pair with a common window.
            guard channel % 2 == 0, stream.info.maxSFB > 0 else { return }
            stream.codebooks[0] = BandCodebook.intensityInPhase
            stream.scaleFactors[0] = 3
        }
        let found = try refusal(intensity, count: 9)
        #expect((0..<9).contains { found == .tool(.intensityStereo, accessUnit: $0) }, "\(String(describing: found))")
        #expect(found?.description.hasSuffix("has intensity stereo, which xHE-AAC lacks") == true)
        var order = try RandomAACStream(sampleRate: 48_000, channelCount: 1, seed: 1)
        order.sequences = [.longStart]
        #expect(try refusal(order) == .tool(.windowOrder, accessUnit: 1))
        var range = try RandomAACStream(sampleRate: 24_000, channelCount: 1, seed: 1)
        range.sequences = [.eightShort]
        range.change = { stream in
            stream.info.maxSFB = 15
            stream.info.setGrouping(127)
            for band in 0..<15 { (stream.codebooks[band], stream.scaleFactors[band]) = (11, Int16(stream.globalGain)) }
            for line in 0..<1024 { stream.quantized[line] = 1 }
            var (tns, filter) = (TNSData(), TNSFilter())
            (filter.length, filter.order, filter.coefficients) = (5, 1, SIMD32(repeating: 2))
            tns.filterCounts[0] = 1
            tns[0, 0] = filter
            stream.tns = tns
        }
        #expect(try refusal(range) == .tool(.noiseShapingRange, accessUnit: 0))
        var large = try RandomAACStream(sampleRate: 48_000, channelCount: 1, seed: 1)
        large.sequences = [.onlyLong]
        large.change = { stream in
            stream.info.maxSFB = 49
            for band in 0..<49 { (stream.codebooks[band], stream.scaleFactors[band]) = (11, Int16(stream.globalGain)) }
            for line in 0..<1024 { stream.quantized[line] = Int16(line % 2 == 0 ? 15 - line % 31 : 900 + line % 97) }
            (stream.pulse, stream.tns) = (nil, nil)
        }
        #expect(try refusal(large) == .tooLong(accessUnit: 0))
    }

    @Test("Damaged access units are refused or recoded, and recoded ones decode", arguments: [false, true])
    func damage(hasSBR: Bool) throws {
        let folder = try TemporaryFolder()
        var refusedCount = 0
        for seed in 0..<40 {
            var random = RandomDamage.generator(seed)
            var stream = try RandomAACStream(sampleRate: 22_050, channelCount: 1 + seed % 2, seed: UInt64(seed), hasSBR: hasSBR)
            let bytes = try stream.loas(6) { number, unit in
                guard number > 2 else { return }
                RandomDamage.mutate(&unit, using: &random)
                // LOAS has no empty access units.
                if unit.isEmpty { unit = [0] }
            }
            let input = try folder.write(bytes, to: "in.loas")
            do {
                try recode(input, to: folder.path("out.loas"))
            } catch {
                #expect(error.code == .recodingNotPossible, "seed \(seed): \(error)")
                refusedCount += 1
                continue
            }
            #expect(try decodedChannels(folder.path("out.loas"))[0].count == (hasSBR ? 12_288 : 6144), "seed \(seed)")
        }
        #expect(refusedCount > 10)
    }
}
