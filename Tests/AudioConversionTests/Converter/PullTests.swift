// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioConversion
import AudioPrimitives
import TestSupport
import Testing

struct PullTests {
    /// An error of a callback.
    enum SourceError: Error, Equatable {
        case unplugged(Int)
    }

    static let input = AudioFormat(.int16, sampleRate: 48_000, channelCount: 2)
    static let output = AudioFormat(.float32, sampleRate: 48_000, channelCount: 2)

    @Test("Without input, available output is returned and the next call asks again; the end is final until a reset")
    func noneNow() throws {
        let converter = try AudioConverter(from: .pcm(Self.input), to: .pcm(Self.output))
        var bytes: [UInt8] = []
        var answers: [AudioConverter.Supply] = [.bytes([UInt8](repeating: 1, count: 40)), .noneNow]
        var asked: [Int] = []
        let first = converter.fill(&bytes, frameCount: 30) { wanted in
            asked.append(wanted)
            return answers.removeFirst()
        }
        #expect(first.count == 10 && bytes.count == 80 && !first.hasEnded)
        guard case .inputRanDry = first.status else { throw SourceError.unplugged(0) }
        #expect(asked == [30, 20])
        answers = [.bytes([UInt8](repeating: 2, count: 160)), .end]
        let second = converter.fill(&bytes, frameCount: 40) { _ in answers.removeFirst() }
        guard case .filled = second.status else { throw SourceError.unplugged(1) }
        #expect(second.count == 40 && answers.count == 1)
        let third = converter.fill(&bytes, frameCount: 40) { _ in answers.removeFirst() }
        #expect(third.count == 0 && third.hasEnded && bytes.isEmpty)
        let fourth = converter.fill(&bytes, frameCount: 40) { _ in
            Issue.record("a stream that has ended needs no input")
            return .end
        }
        #expect(fourth.hasEnded)
        try converter.reset()
        let fifth = converter.fill(&bytes, frameCount: 1) { _ in .bytes([0, 0, 0, 0]) }
        #expect(fifth.count == 1)
    }

    @Test("All output can be requested at once, at any sample rate", arguments: [8_000, 48_000, 192_000])
    func everything(sampleRate: Int) throws {
        let output = AudioFormat(.float32, sampleRate: sampleRate, channelCount: 2)
        let converter = try AudioConverter(from: .pcm(Self.input), to: .pcm(output))
        var bytes: [UInt8] = []
        var answers: [AudioConverter.Supply] = [.bytes([UInt8](repeating: 1, count: 4 * 4800)), .end]
        let all = converter.fill(&bytes, frameCount: .max) { _ in answers.removeFirst() }
        #expect(all.hasEnded && all.count == sampleRate / 10)

        let encoder = try AudioConverter(
            from: .pcm(Self.input), to: .packets(.aac(AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2))))
        var packets: [AccessUnit] = []
        answers = [.bytes([UInt8](repeating: 1, count: 4 * 4800)), .end]
        #expect(encoder.fill(&packets, packetCount: .max) { _ in answers.removeFirst() }.hasEnded && packets.count > 4)
    }

    @Test("A callback's error is rethrown unchanged without losing output")
    func errors() throws {
        let converter = try AudioConverter(from: .pcm(Self.input), to: .pcm(Self.output))
        var bytes: [UInt8] = []
        var calls = 0
        do throws(SourceError) {
            _ = try converter.fill(&bytes, frameCount: 100) { _ throws(SourceError) in
                calls += 1
                if calls == 2 { throw .unplugged(17) }
                return .bytes([UInt8](repeating: 0, count: 4 * 60))
            }
            Issue.record("an error is thrown")
        } catch {
            #expect(error == .unplugged(17))
        }
        let rest = converter.fill(&bytes, frameCount: 100) { _ in .end }
        #expect(rest.count == 60 && rest.hasEnded)
    }

    @Test("Unsupported input fails with its values, after the earlier output")
    func failures() throws {
        let converter = try AudioConverter(from: .pcm(Self.input), to: .pcm(Self.output))
        var bytes: [UInt8] = []
        var answers: [AudioConverter.Supply] = [.bytes([0, 0, 0, 0]), .bytes([0])]
        let fill = converter.fill(&bytes, frameCount: 10) { _ in answers.removeFirst() }
        guard case .failed(let error) = fill.status else { throw SourceError.unplugged(0) }
        #expect(error == .incompleteFrame(byteCount: 1, bytesPerFrame: 4) && fill.count == 1)
        answers = [.packet([1, 2, 3])]
        guard case .failed(let second) = converter.fill(&bytes, frameCount: 10, from: { _ in answers.removeFirst() }).status else {
            throw SourceError.unplugged(1)
        }
        #expect(second == .pcmExpected)
    }

    @Test("One packet requests only the frames of one packet")
    func noReadAhead() throws {
        let configuration = AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2)
        let converter = try AudioConverter(from: .pcm(Self.input), to: .packets(.aac(configuration)))
        var packets: [AccessUnit] = []
        for _ in 0..<20 {
            let fill = converter.fill(&packets, packetCount: 1) { wanted in
                #expect(wanted == 1024)
                return .bytes([UInt8](repeating: 0, count: 4 * wanted))
            }
            #expect(fill.count == 1 && converter.availablePacketCount == 0)
        }
        let times = packets.map(\.presentationTime.value)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 1024 })
    }

    @Test("A callback may use the converter")
    func reentrancy() throws {
        let converter = try AudioConverter(from: .pcm(Self.input), to: .pcm(Self.output))
        var bytes: [UInt8] = []
        let fill = converter.fill(&bytes, frameCount: 10) { _ in
            #expect(converter.maximumOutputPacketByteCount == 8)
            return .bytes([UInt8](repeating: 0, count: 4 * 10))
        }
        #expect(fill.count == 10)
    }

    @Test("Pushed and pulled output are equal for random supplies")
    func equality() throws {
        let seed: UInt64 = 77
        var random = SeededRandom(seed: seed)
        let bytes = ReferenceSamples.random(2 * 10_000, .int16, &random)
        let output = AudioFormat(.int24, sampleRate: 44_100, channelCount: 2)
        let pushed = try AudioConverter.convert(bytes, from: Self.input, to: output, &random)
        let converter = try AudioConverter(from: .pcm(Self.input), to: .pcm(output))
        var pulled: [UInt8] = []
        var block: [UInt8] = []
        var position = 0
        var hasEnded = false
        while !hasEnded {
            let fill = converter.fill(&block, frameCount: Int.random(in: 1...2000, using: &random)) { wanted in
                if Int.random(in: 0..<4, using: &random) == 0 { return .noneNow }
                let count = min(bytes.count - position, 4 * Int.random(in: 0...2 * wanted, using: &random))
                defer { position += count }
                return position == bytes.count ? .end : .bytes(Array(bytes[position..<position + count]))
            }
            #expect(block.count == fill.count * 6)
            pulled += block
            hasEnded = fill.hasEnded
        }
        #expect(pulled == pushed, "seed \(seed)")
    }
}
