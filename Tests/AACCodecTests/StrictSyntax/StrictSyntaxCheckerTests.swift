// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import TestSupport
import Testing
import TransformCoding

@Suite struct StrictSyntaxCheckerTests {
    /// The bits of a mono or stereo access unit, built field by field.
    struct Block {
        var fields: [(value: Int, count: Int)] = []

        /// The start of a single channel element with long windows, up to the end of `ics_info`.
        static func single(sequence: Int = 0, maxSFB: Int = 0, gain: Int = 100, grouping: Int = 0) -> Block {
            let tail = sequence == 2 ? [(maxSFB, 4), (grouping, 7)] : [(maxSFB, 6), (0, 1)]
            return Block(fields: [(0, 3), (0, 4), (gain, 8), (0, 1), (sequence, 2), (0, 1)] + tail)
        }

        func adding(_ more: (Int, Int)...) -> Block { Block(fields: fields + more) }

        /// No pulses, no TNS, no gain control, no spectrum.
        var finished: Block { adding((0, 3)).ended }
        var ended: Block { adding((7, 3)) }

        var bytes: [UInt8] {
            var writer = BitWriter()
            for field in fields {
                writer.write(UInt32(field.value), count: field.count)
            }
            return writer.bytes
        }
    }

    private func violation(_ block: Block, configuration: Int = 1) throws -> SyntaxViolation? {
        var checker = try StrictSyntaxChecker(frequencyIndex: 3, channelConfiguration: configuration)
        do throws(SyntaxViolation) {
            _ = try checker.check(block.bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test("Accepts a silent block")
    func silence() throws {
        #expect(try violation(.single().finished) == nil)
        #expect(try violation(.single(sequence: 2).finished) == nil)
        #expect(try violation(.single().adding((0, 3)).adding((6, 3), (2, 4), (0x1234, 16)).ended) == nil)
    }

    @Test("Reports invalid element structure")
    func elements() throws {
        let silent = Block.single().adding((0, 3))
        #expect(try violation(Block(fields: [(0, 3), (0, 4), (0, 1)])) == .truncated(bitPosition: 7))
        #expect(try violation(Block().ended) == .missingElements(expected: 1, found: 0))
        #expect(try violation(silent.adding((0, 3))) == .unexpectedElement(index: 1, identifier: 0))
        #expect(try violation(.single().finished, configuration: 2) == .unexpectedElement(index: 0, identifier: 0))
        #expect(try violation(silent.ended.adding((1, 1))) == .trailingData(bitPosition: 32))
        #expect(try violation(silent.ended.adding((0, 16))) == .trailingData(bitPosition: 32))
        let pair = [(1, 3), (3, 4), (0, 1)] + (0..<2).flatMap { _ in Block.single().fields.dropFirst(2) + [(0, 3)] }
        let twice = Block(fields: [(0, 3), (0, 4)] + Block.single().fields.dropFirst(2) + [(0, 3)] + pair + pair)
        #expect(try violation(twice.ended, configuration: 5) == .repeatedTag(identifier: 1, tag: 3))
        let reserved = Block(fields: [(0, 3), (0, 4), (100, 8), (1, 1)])
        #expect(try violation(reserved.ended) == .reservedBit)
        #expect(try violation(.single(maxSFB: 50).finished) == .maxSFB(found: 50, limit: 49))
        #expect(try violation(.single(sequence: 2, maxSFB: 15).finished) == .maxSFB(found: 15, limit: 14))
        let prediction = Block(fields: Block.single().fields.dropLast() + [(1, 1)])
        #expect(try violation(prediction.finished) == .toolOutsideProfile)
        #expect(try violation(Block.single().adding((1, 3)).ended) == .toolOutsideProfile)
        let mask = Block(fields: [(1, 3), (0, 4), (1, 1), (0, 1), (0, 2), (0, 1), (0, 6), (0, 1), (3, 2)])
        #expect(try violation(mask.ended, configuration: 2) == .reservedMask)
    }

    @Test("Reports invalid sections and scale factors")
    func bands() throws {
        #expect(try violation(.single(maxSFB: 1).adding((12, 4)).ended) == .codebook(12))
        #expect(try violation(.single(maxSFB: 1).adding((15, 4)).ended) == .codebook(15))
        #expect(try violation(.single(maxSFB: 1).adding((1, 4), (0, 5)).ended) == .emptySection)
        #expect(try violation(.single(maxSFB: 1).adding((1, 4), (2, 5)).ended) == .sectionTooLong(end: 2, maxSFB: 1))
        // Index 0 of the codebook is -60, coded as 18 bits: 262120.
        let low = Block.single(maxSFB: 1, gain: 59).adding((1, 4), (1, 5), (262_120, 18))
        #expect(try violation(low.ended) == .scaleFactor(-1, allowed: 0...255))
        let noise = Block.single(maxSFB: 1, gain: 200).adding((13, 4), (1, 5), (511, 9))
        #expect(try violation(noise.ended) == .scaleFactor(365, allowed: -100...155))
        #expect(try violation(.single(sequence: 2).adding((1, 1), (0, 2), (0, 6), (0, 9)).ended) == .pulse)
        #expect(try violation(.single().adding((1, 1), (0, 2), (49, 6)).ended) == .pulse)
    }

    @Test("Reports invalid filters and escapes")
    func toolData() throws {
        let filter = Block.single().adding((0, 1), (1, 1), (1, 2), (0, 1))
        #expect(try violation(filter.adding((10, 6), (13, 5)).ended) == .tnsOrder(found: 13, limit: 12))
        #expect(try violation(filter.adding((50, 6), (0, 5)).ended) == .tnsLength(found: 50, limit: 49))
        // Codebook 11: (16, 0) has its own codeword. A scale factor difference of 0 is the single bit 0.
        let tables = try ReferenceTables.load()
        let index = 16 * 17
        let word = (tables.spectral[10].codes[index], tables.spectral[10].lengths[index])
        let escape = Block.single(maxSFB: 1).adding((11, 4), (1, 5), (0, 1), (0, 3), word, (0, 1))
        #expect(try violation(escape.adding((511, 9)).ended) == .escape(prefix: 9))
        let rest = (tables.spectral[10].codes[0], tables.spectral[10].lengths[0])
        #expect(try violation(escape.adding((510, 9), (4095, 12), rest).ended) == nil)
    }

    @Test("Reports invalid successions of window sequences")
    func succession() throws {
        for before in 0..<4 {
            for now in 0..<4 {
                var checker = try StrictSyntaxChecker(frequencyIndex: 3, channelConfiguration: 1)
                _ = try checker.check(Block.single(sequence: before).finished.bytes)
                let isLegal = [0: [0, 1], 1: [2, 3], 2: [2, 3], 3: [0, 1]][before]?.contains(now) == true
                if isLegal {
                    _ = try checker.check(Block.single(sequence: now).finished.bytes)
                } else {
                    #expect(throws: SyntaxViolation.windowSuccession(channel: 0, from: before, to: now)) {
                        try checker.check(Block.single(sequence: now).finished.bytes)
                    }
                }
            }
        }
    }

    @Test("Rejects invalid low-frequency channels and oversized blocks")
    func limits() throws {
        let silent = Block.single().adding((0, 3))
        let pair = [(1, 3), (0, 4), (0, 1)] + (0..<2).flatMap { _ in silent.fields.dropFirst(2) }
        let five = silent.fields + pair + [(1, 3), (1, 4)] + pair.dropFirst(2)
        let good = Block(fields: five + [(3, 3)] + silent.fields.dropFirst())
        #expect(try violation(good.ended, configuration: 6) == nil)
        let short = Block(fields: five + [(3, 3)] + Block.single(sequence: 2).fields.dropFirst() + [(0, 3)])
        #expect(try violation(short.ended, configuration: 6) == .lowFrequencyChannel)
        var large = silent
        for _ in 0..<3 {
            large = large.adding((6, 3), (15, 4), (255, 8))
            large.fields += [(value: Int, count: Int)](repeating: (0, 8), count: 269)
        }
        #expect(try violation(large.ended) == .tooManyBits(found: large.ended.fields.reduce(0) { $0 + $1.count }, limit: 6144))
    }

    @Test("Reads back random structures identically")
    func randomElements() throws {
        var random = SeededRandom(seed: 77)
        var readCount = 0
        for round in 0..<150 {
            let index = round % 13
            let bands = ScaleFactorBands(samplingFrequencyIndex: index, frameLength: 1024)
            var element = ChannelPairElement(frameLength: 1024)
            let info = RandomSyntax.info(bands, &random)
            element.first = RandomSyntax.stream(info: info, bands: bands, allowsIntensity: false, &random)
            var writer = BitWriter()
            writer.write(0, count: 3)
            element.writeSingle(to: &writer, bands: bands)
            writer.write(7, count: 3)
            var checker = try StrictSyntaxChecker(frequencyIndex: index, channelConfiguration: 1)
            do throws(SyntaxViolation) {
                let accessUnit = try checker.check(writer.bytes)
                let channel = accessUnit.channels[0]
                #expect(accessUnit.bitCount == writer.bitCount)
                #expect(channel.maxSFB == info.maxSFB)
                for group in 0..<info.groupCount {
                    for sfb in 0..<info.maxSFB {
                        let band = group * ICSInfo.bandStride + sfb
                        #expect(channel.codebooks[group][sfb] == Int(element.first.codebooks[band]))
                        guard element.first.codebooks[band] > 0 else { continue }
                        #expect(channel.scaleFactors[group][sfb] == Int(element.first.scaleFactors[band]))
                    }
                }
                let written = (0..<1024).map { Int(element.first.quantized[$0]) }.filter { $0 != 0 }
                #expect(channel.quantized.filter { $0 != 0 } == written)
                readCount += 1
            } catch {
                // The random structures exceed what a good encoder writes only in these three ways.
                switch error {
                case .tnsLength, .tooManyBits, .pulse: break
                default: Issue.record("round \(round): \(error)")
                }
            }
        }
        #expect(readCount > 40)
    }

    @Test("Accepts FFmpeg's output", arguments: [1, 2])
    func otherEncoder(channelCount: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("noise.aac")
        let noise = "anoisesrc=d=2:c=pink:r=44100,volume=0.3"
        let run = try ProgramRun.shell("ffmpeg -v error -f lavfi -i \(noise) -ac \(channelCount) -c:a aac -b:a 96k \(path)")
        #expect(run.exitCode == 0)
        let frames = try #require(ADTSFrames(bytes(ofFile: path)))
        #expect(frames.accessUnits.count > 80)
        var checker = try StrictSyntaxChecker(frequencyIndex: frames.frequencyIndex, channelConfiguration: channelCount)
        for accessUnit in frames.accessUnits {
            #expect(try checker.check(accessUnit).channels.count == channelCount)
        }
    }
}
