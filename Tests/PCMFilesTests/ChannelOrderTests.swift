// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Foundation
import PCMFiles
import TestSupport
import Testing

/// Files whose channel order differs from WAV.
@Suite struct ChannelOrderTests {
    /// The tone of each channel in WAV order, in hertz.
    ///
    /// The fourth is the LFE channel's.
    private static let tones = [200, 300, 400, 60, 600, 700, 800, 900]

    /// Returns the strongest frequency of `tones` in samples at 48 kHz.
    private func tone(_ samples: [Float]) -> Int? {
        Self.tones.max { power($0, samples) < power($1, samples) }
    }

    private func power(_ frequency: Int, _ samples: [Float]) -> Double {
        var (real, imaginary) = (0.0, 0.0)
        // A tenth of a second contains a different number of periods of each tone.
        for (frame, sample) in samples.prefix(4800).enumerated() {
            let phase = 2 * Double.pi * Double(frequency) * Double(frame) / 48_000
            real += Double(sample) * cos(phase)
            imaginary += Double(sample) * sin(phase)
        }
        return real * real + imaginary * imaginary
    }

    @Test(arguments: [(3, "3.0"), (5, "5.0"), (6, "5.1"), (7, "6.1"), (8, "7.1")])
    func `Vorbis is reordered to WAV order, from files and pipes`(channelCount: Int, layout: String) throws {
        let folder = try TemporaryFolder()
        let signals = Self.tones.prefix(channelCount).map { "0.3*sin(2*PI*\($0)*t)" }.joined(separator: "|")
        let make = "ffmpeg -v error -f lavfi -i \"aevalsrc=\(signals):c=\(layout):s=48000:d=0.5\" -c:a libvorbis -q:a 6 a.ogg"
        let run = try ProgramRun.shell(make, folder: folder.url)
        try #require(run.exitCode == 0, "\(run.errorText)")
        for read in [try readAll(folder.path("a.ogg")), try readThroughPipe(try bytes(ofFile: folder.path("a.ogg")))] {
            #expect(read.channels.map(tone) == Self.tones.prefix(channelCount).map { $0 })
            let speakers = try #require(read.reader.properties.channelLayout?.speakers)
            #expect(speakers.map(\.rawValue) == speakers.map(\.rawValue).sorted())
        }
    }

    /// A CAF layout: the chunk's contents, the value of each channel's samples, and the speakers in WAV order.
    struct Layout {
        var tag: Int
        var bitmap = 0
        var labels: [Int] = []
        var values: [Int]
        var speakers: [Speaker]
    }

    private static let surround: [Speaker] = [.left, .right, .center, .lowFrequency, .backLeft, .backRight]

    static let layouts = [
        // MPEG 5.1 D, C and A: C L R Ls Rs LFE, L C R Ls Rs LFE, and WAV order.
        Layout(tag: 0x7C_0006, values: [3, 1, 2, 5, 6, 4], speakers: surround),
        Layout(tag: 0x7B_0006, values: [1, 3, 2, 5, 6, 4], speakers: surround),
        Layout(tag: 0x79_0006, values: [1, 2, 3, 4, 5, 6], speakers: surround),
        Layout(tag: 0, labels: [3, 1, 2, 5, 6, 4], values: [3, 1, 2, 5, 6, 4], speakers: surround),
        Layout(
            tag: 0, labels: [4, 33, 34, 6, 5, 2, 1, 3], values: [4, 5, 6, 8, 7, 2, 1, 3],
            speakers: surround + [.sideLeft, .sideRight]),
        Layout(
            tag: 1 << 16, bitmap: 0x60F, values: [1, 2, 3, 4, 5, 6],
            speakers: [.left, .right, .center, .lowFrequency, .sideLeft, .sideRight]),
    ]

    /// Returns a CAF file with a constant value per channel.
    private func file(_ layout: Layout, isFloat: Bool) -> [UInt8] {
        func number(_ value: Int, _ byteCount: Int) -> [UInt8] {
            (0..<byteCount).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        let (count, width) = (layout.values.count, isFloat ? 4 : 2)
        var chan = number(layout.tag, 4) + number(layout.bitmap, 4) + number(layout.labels.count, 4)
        for label in layout.labels { chan += number(label, 4) + number(0, 16) }
        let frame = layout.values.flatMap { isFloat ? number(Int((Float($0) / 16).bitPattern), 4) : number($0 << 11, 2) }
        let samples = (0..<1000).flatMap { _ in frame }
        var desc = number(Int(48_000.0.bitPattern), 8) + Array("lpcm".utf8) + number(isFloat ? 1 : 0, 4)
        desc += number(count * width, 4) + number(1, 4) + number(count, 4) + number(8 * width, 4)
        return Array("caff".utf8) + [0, 1, 0, 0] + Array("desc".utf8) + number(32, 8) + desc
            + Array("chan".utf8) + number(chan.count, 8) + chan + Array("data".utf8) + number(4 + samples.count, 8) + number(0, 4) + samples
    }

    @Test(arguments: layouts, [false, true]) func `CAF is reordered to WAV order`(layout: Layout, isFloat: Bool) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(file(layout, isFloat: isFloat), to: "a.caf")
        let read = try readAll(path)
        #expect(read.reader.properties.channelLayout?.speakers == layout.speakers)
        #expect(read.channels.map { $0.last } == layout.values.sorted().map { Float($0) / 16 })
        // Bytes in the file's encoding have the same order.
        let reader = try PCMFileReader(path: path)
        var frame: [UInt8] = []
        try reader.read(1, into: &frame)
        let values: [Int] = layout.values.indices.map { channel in
            let bytes = frame[channel * (isFloat ? 4 : 2)..<(channel + 1) * (isFloat ? 4 : 2)]
            let bits = bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
            return isFloat ? Int(Float(bitPattern: UInt32(bits)) * 16) : bits >> 11
        }
        #expect(values == layout.values.sorted())
    }

    @Test(arguments: [surround, [.left, .right, .center, .lowFrequency, .sideLeft, .sideRight], surround + [.sideLeft, .sideRight]])
    func `A CAF file keeps its channel layout, and FFmpeg reads it`(speakers: [Speaker]) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.caf")
        let layout = ChannelLayout(speakers)
        let format = PCMOutputFormat(.caf, sampleFormat: .int16, sampleRate: 48_000, channelCount: speakers.count, channelLayout: layout)
        let writer = try PCMFileWriter(path: path, format: format)
        try writer.append(PCMBuffer(channels: speakers.indices.map { [Float](repeating: Float($0) / 16, count: 500) }, sampleRate: 48_000))
        try writer.finish()
        let read = try readAll(path)
        #expect(read.reader.properties.channelLayout == layout)
        #expect(read.channels.map { $0.last } == speakers.indices.map { Float($0) / 16 })
        let run = try ProgramRun.shell("ffprobe -v error -show_entries stream=channel_layout -of csv=p=0 a.caf", folder: folder.url)
        #expect(["5.1", "5.1(side)", "7.1"].contains(run.text.split(separator: "\n").first.map(String.init)), "\(run.text)")
    }
}
