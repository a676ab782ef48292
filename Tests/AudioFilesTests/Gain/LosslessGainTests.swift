// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioContainers
import AudioFiles
import AudioLoudness
import AudioMetadata
import AudioPrimitives
import Foundation
import MPEG4Audio
import PCMFiles
import TestSupport
import Testing

@Suite struct LosslessGainTests {
    /// A stream of noise, by profile and container.
    struct Stream: CustomTestStringConvertible {
        let name: String
        var profile = AACProfile.lowComplexity
        var channelCount = 2
        var bitRate = 128_000
        var hasCRC = false
        /// The frequency that separates core and SBR, as a fraction of the bandwidth.
        var crossover = 0.25
        var sbr = LowDelaySBR.automatic

        var testDescription: String { "\(profile), \(name), \(channelCount) channels, SBR \(sbr)" }
    }

    private static let streams = [
        Stream(name: "a.m4a"), Stream(name: "a.aac", channelCount: 1, bitRate: 64_000), Stream(name: "a.aac", hasCRC: true),
        Stream(name: "a.caf", channelCount: 6, bitRate: 300_000), Stream(name: "a.loas"),
        Stream(name: "a.m4a", profile: .highEfficiency, bitRate: 48_000), Stream(name: "a.aac", profile: .highEfficiency, bitRate: 48_000),
        Stream(name: "a.mp4", profile: .highEfficiencyV2, bitRate: 32_000), Stream(name: "a.m4a", profile: .lowDelay),
        Stream(name: "a.caf", profile: .enhancedLowDelay, bitRate: 96_000, sbr: .off),
        Stream(name: "a.m4a", profile: .enhancedLowDelay, bitRate: 64_000, sbr: .singleRate),
        Stream(name: "a.loas", profile: .enhancedLowDelay, bitRate: 48_000, sbr: .dualRate),
    ]

    /// Encodes half a second of noise of -26 dBFS.
    private static func encode(_ stream: Stream, to path: String, _ folder: TemporaryFolder, tags: AudioTags = AudioTags()) throws {
        var random = SeededRandom(seed: 58)
        var bytes: [UInt8] = []
        for _ in 0..<22_050 * stream.channelCount {
            let sample = Int16.random(in: -2800...2800, using: &random)
            bytes += [UInt8(truncatingIfNeeded: sample), UInt8(truncatingIfNeeded: sample >> 8)]
        }
        var configuration = ChordFile(sampleRate: 44_100, channelCount: stream.channelCount, frameCount: 0).configuration
        configuration.settings.rateControl = .constant(bitRate: stream.bitRate)
        configuration.settings.profile = stream.profile
        configuration.settings.lowDelaySBR = stream.sbr
        configuration.adts.hasCRC = stream.hasCRC
        configuration.tags = tags
        _ = try FileEncoder(input: try folder.write(bytes, to: "in.pcm"), output: path, configuration: configuration).run()
    }

    /// Returns the energies below and above a frequency, given as a fraction of the bandwidth, of all channels.
    private static func energies(_ path: String, crossover: Double) throws -> [Double] {
        var result = [0.0, 0.0]
        for channel in try decodedChannels(path) {
            let bands = bandEnergies(channel.map { Double($0) }, bandCount: 64)
            // The bands around the crossover contain both.
            let limit = Int(64 * crossover)
            result[0] += bands[..<(limit - 2)].reduce(0, +)
            result[1] += bands[(limit + 2)...].reduce(0, +)
        }
        return result
    }

    @Test("Core and high band change by the gain, sizes stay, and the original bytes come back", arguments: streams.indices)
    func profiles(index: Int) throws {
        let stream = Self.streams[index]
        let folder = try TemporaryFolder()
        let path = folder.path(stream.name)
        try Self.encode(stream, to: path, folder)
        let original = try bytes(ofFile: path)
        let before = try Self.energies(path, crossover: stream.crossover)
        let seed = UInt64(index + 700)
        var random = SeededRandom(seed: seed)
        // The first envelopes of SBR are so low that many negative gains are impossible.
        let hasSBR = stream.profile == .highEfficiency || stream.profile == .highEfficiencyV2 || stream.sbr != .automatic
        for request in [Double.random(in: hasSBR ? 2...6 : -40 ... -1, using: &random), Double.random(in: 2...9, using: &random)] {
            let copy = folder.path("copy-\(stream.name)")
            let result = try LosslessGain(decibels: request).run([.init(input: path, output: copy, overwrites: true)])[0]
            #expect(abs(result.gain - request) <= result.step / 2 + 1e-9, "seed \(seed)")
            #expect(result.deviatingUnitCount == 0 && result.lostByteCount == 0 && result.accessUnitCount > 10)
            for (old, new) in zip(before, try Self.energies(copy, crossover: stream.crossover)) {
                let found = 10 * log10(new / old)
                #expect(abs(found - result.gain) < 0.01, "seed \(seed), \(request): \(found) instead of \(result.gain)")
            }
            guard !stream.name.hasSuffix("loas") else {
                // Without a place for a record, the opposite gain restores the bytes, unless it is out of range.
                let changed = try bytes(ofFile: copy)
                #expect(result.total == nil && changed.count == original.count)
                _ = try LosslessGain(decibels: -result.gain).run([.init(input: copy, output: nil)])
                #expect(try bytes(ofFile: copy) == original, "seed \(seed)")
                continue
            }
            #expect(abs(try #require(result.total) - result.gain) < 1e-9)
            let restored = try LosslessGain.undo.run([.init(input: copy, output: nil)])[0]
            #expect(abs(restored.gain + result.gain) < 1e-9)
            #expect(try bytes(ofFile: copy) == original, "seed \(seed)")
        }
        #expect(try bytes(ofFile: path) == original)
    }

    @Test("A second gain adds to the first, and undo restores the file from before both")
    func twice() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.m4a")
        try Self.encode(Self.streams[0], to: path, folder)
        let original = try bytes(ofFile: path)
        for (gain, total) in [(-3.0, -2), (4.6, 1), (-1.5, 0), (-6, -4)] {
            let result = try LosslessGain(decibels: gain).run([.init(input: path, output: nil)])[0]
            #expect(abs(try #require(result.total) - Double(total) * LosslessGain.step) < 1e-9)
            let isOriginal = try bytes(ofFile: path) == original
            #expect(isOriginal == (total == 0))
        }
        _ = try LosslessGain.undo.run([.init(input: path, output: nil)])
        #expect(try bytes(ofFile: path) == original)
        let error = #expect(throws: AudioFileError.self) { try LosslessGain.undo.run([.init(input: path, output: nil)]) }
        #expect(error?.underlyingError as? GainProblem == .noRecord)
    }

    @Test("Loudness tags change by the gain and come back", arguments: ["a.m4a", "a.aac", "a.caf"])
    func tags(name: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path(name)
        var tags = AudioTags()
        tags[.title] = ["Noise"]
        tags.replayGain = AudioTags.ReplayGain(gain: 8.25, peak: 0.125)
        tags.albumReplayGain = AudioTags.ReplayGain(gain: -1.5, peak: 0.5)
        if name == "a.aac" {
            try Self.encode(Self.streams[2], to: path, folder)
            _ = try folder.write(ID3v2Tag.serialized(tags) + bytes(ofFile: path), to: name)
        } else {
            try Self.encode(Stream(name: name), to: path, folder, tags: tags)
        }
        let original = try bytes(ofFile: path)
        let stated = try AccessUnitReader(path: path).metadata
        #expect(stated.tags.replayGain?.gain == 8.25)
        let gain = try LosslessGain(decibels: -6).run([.init(input: path, output: nil)])[0].gain
        let changed = try AccessUnitReader(path: path).metadata
        #expect(changed.tags[.title] == ["Noise"] && changed.tags.unreadNames.isEmpty)
        #expect(abs(try #require(changed.tags.replayGain).gain - 8.25 + gain) < 0.006)
        #expect(abs(try #require(changed.tags.replayGain?.peak) - 0.125 * pow(10, gain / 20)) < 1e-5)
        #expect(abs(try #require(changed.tags.albumReplayGain).gain + 1.5 + gain) < 0.006)
        if let old = stated.loudness?.integratedLoudness {
            #expect(abs(try #require(changed.loudness?.integratedLoudness) - old - gain) <= 0.125)
        }
        _ = try LosslessGain.undo.run([.init(input: path, output: nil)])
        #expect(try bytes(ofFile: path) == original)
    }

    @Test("Gains that clip or leave the range of a level are refused and change nothing")
    func limits() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.aac")
        try Self.encode(Self.streams[1], to: path, folder)
        let original = try bytes(ofFile: path)
        for (change, isClipping) in [
            (LosslessGain(decibels: 40), true), (LosslessGain(loudness: 0), true), (LosslessGain(decibels: -390), false),
        ] {
            let error = #expect(throws: AudioFileError.self) { try change.run([.init(input: path, output: nil)]) }
            #expect(error?.code == .gainNotPossible)
            switch error?.underlyingError as? GainProblem {
            case .clipping(_, let truePeak, let largest):
                #expect(isClipping && truePeak + largest <= 0 && truePeak + largest > -1.6)
                #expect(throws: Never.self) {
                    try LosslessGain(decibels: largest).run([.init(input: path, output: folder.path("loud.aac"), overwrites: true)])
                }
            case .outOfRange(_, let possible): #expect(!isClipping && possible.lowerBound < -30 && possible.lowerBound > -390)
            default: Issue.record("\(String(describing: error))")
            }
        }
        #expect(try bytes(ofFile: path) == original)
    }

    @Test("A target loudness is reached within half a step, in an album by one gain")
    func loudness() throws {
        let folder = try TemporaryFolder()
        let paths = ["a.aac", "b.m4a"].map { folder.path($0) }
        for path in paths { try Self.encode(Self.streams[0], to: path, folder) }
        _ = try LosslessGain(decibels: -9).run([.init(input: paths[1], output: nil)])
        let before = try paths.map { try #require(try FileLoudness(of: .file($0)).run().integrated) }
        var album = LosslessGain(loudness: -30)
        album.isAlbum = true
        let outputs = ["c.aac", "d.m4a"].map { folder.path($0) }
        let shared = try album.run(zip(paths, outputs).map { .init(input: $0, output: $1) })
        #expect(shared[0].gain == shared[1].gain && before[0] + shared[0].gain > -30 && before[1] + shared[1].gain < -30)
        for result in try LosslessGain(loudness: -30).run(paths.map { .init(input: $0, output: nil) }) {
            #expect(abs(try #require(result.loudness?.integrated) + result.gain + 30) <= result.step / 2)
        }
    }

    @Test("A file that was changed after its gain keeps its bytes, and a further gain starts a new record")
    func changedFile() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.m4a")
        try Self.encode(Self.streams[0], to: path, folder)
        _ = try LosslessGain(decibels: -3).run([.init(input: path, output: nil)])
        var changed = try bytes(ofFile: path)
        let brand = try #require(changed.firstIndex(of: UInt8(ascii: "M")))
        changed[brand] = UInt8(ascii: "m")
        _ = try folder.write(changed, to: "a.m4a")
        let error = #expect(throws: AudioFileError.self) { try LosslessGain.undo.run([.init(input: path, output: nil)]) }
        #expect(error?.underlyingError as? GainProblem == .changedFile)
        #expect(try bytes(ofFile: path) == changed)
        let result = try LosslessGain(decibels: -3).run([.init(input: path, output: nil)])[0]
        #expect(result.total == result.gain)
    }

    @Test("Damaged files and records never trap", arguments: 0..<3)
    func damage(stream: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder.path(Self.streams[[2, 5, 3][stream]].name)
        try Self.encode(Self.streams[[2, 5, 3][stream]], to: path, folder)
        _ = try LosslessGain(decibels: 3).run([.init(input: path, output: nil)])
        let intact = try bytes(ofFile: path)
        var random = SeededRandom(seed: UInt64(stream + 900))
        for _ in 0..<12 {
            var damaged = intact
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                damaged[.random(in: damaged.indices, using: &random)] = .random(in: 0...255, using: &random)
            }
            if Bool.random(using: &random) { damaged.removeLast(.random(in: 0..<damaged.count / 2, using: &random)) }
            let copy = try folder.write(damaged, to: "damaged-" + Self.streams[[2, 5, 3][stream]].name)
            for change in [LosslessGain.undo, LosslessGain(decibels: -1.5)] {
                do throws(AudioFileError) {
                    _ = try change.run([.init(input: copy, output: nil)])
                } catch {
                    #expect(!error.description.isEmpty)
                }
            }
        }
    }
}
