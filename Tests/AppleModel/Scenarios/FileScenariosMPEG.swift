// SPDX-License-Identifier: Apache-2.0

#if MODEL_IOS
import AppleModel
import AudioPrimitives
import PCMFiles

/// An MPEG Layer III file of 128 kbit/s whose frames carry numbers instead of audio.
private struct MPEGFile {
    private(set) var bytes: [UInt8] = []
    /// The format of the next frames, with the sample rate in hertz.
    var (sampleRate, isMono) = (44_100, false)

    mutating func append(_ number: Int, isPadded: Bool = false) {
        let rates: UInt8 = (sampleRate == 48_000 ? 0x94 : 0x90) | (isPadded ? 2 : 0)
        var frame: [UInt8] = [0xFF, 0xFB, rates, isMono ? 0xC4 : 0x04]
        frame += [UInt8](repeating: 0, count: 144 * 128_000 / sampleRate + (isPadded ? 1 : 0) - 4)
        frame[frame.count - 2] = UInt8(number >> 8)
        frame[frame.count - 1] = UInt8(number & 0xFF)
        bytes += frame
    }

    mutating func append(_ numbers: Range<Int>) { for number in numbers { append(number, isPadded: number % 3 == 1) } }

    mutating func appendTag(frameCount: Int, priming: Int, padding: Int) {
        append(0)
        let start = bytes.count - 417 + 36
        let packed = priming << 12 | padding
        let tag =
            Array("Info".utf8) + [0, 0, 0, 1] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: frameCount >> $0) } + Array("LAME3.100".utf8)
            + [UInt8](repeating: 0, count: 12) + [16, 8, 0].map { UInt8(truncatingIfNeeded: packed >> $0) }
        bytes.replaceSubrange(start..<start + tag.count, with: tag)
    }

    /// Appends bytes that are not a frame.
    mutating func appendNoise(_ count: Int) { bytes += [UInt8](repeating: 0x55, count: count) }

    /// Returns the decoded samples of numbered frames; nil is a silent frame.
    static func samples(_ numbers: [Int?]) -> [Float] {
        numbers.flatMap { number in (0..<1152).map { frame in number.map { Float($0) + Float(frame) / 2048 } ?? 0 } }
    }
}

/// Reads all samples of both channels.
private func readChannels(_ reader: PCMFileReader) throws -> [[Float]] {
    var channels: [[Float]] = [[], []]
    var buffer = PCMBuffer(sampleRate: 44_100, channelCount: 2, frameCapacity: 1999)
    repeat {
        try reader.read(into: &buffer)
        for channel in 0..<2 { channels[channel] += buffer.samples[channel * 1999..<channel * 1999 + buffer.frameCount] }
    } while buffer.frameCount > 0
    return channels
}

/// Reads all samples of the first channel and checks that the second channel is its negative.
private func readAll(_ reader: PCMFileReader, _ report: inout Report) throws -> [Float] {
    let channels = try readChannels(reader)
    report.check(channels[1] == channels[0].map { -$0 }, "the second channel")
    return channels[0]
}

let mpegScenarios: [Scenario] = [
    Scenario(
        name: "file-read-mp3",
        expectation: "each frame once and in order; priming and padding are removed as the LAME tag specifies; seeking is exact"
    ) {
        report in
        for looksAhead in [false, true] {
            machine.files.decodersLookAhead = looksAhead
            attempt(&report) { report in
                var file = MPEGFile()
                file.append(1..<101)
                for reader in [try PCMFileReader(bytes: file.bytes), try PCMFileReader(path: try store(file.bytes, "a.mp3"))] {
                    report.check(reader.properties.frameCount == 100 * 1152, "\(String(describing: reader.properties.frameCount)) frames")
                    report.check(try readAll(reader, &report) == MPEGFile.samples(Array(1..<101)), "other samples")
                    try reader.seek(toFrame: 50_000)
                    let rest = try readAll(reader, &report)
                    report.check(rest == Array(MPEGFile.samples(Array(1..<101)).dropFirst(50_000)), "other samples from frame 50000 on")
                    report.check(reader.warnings.isEmpty, "\(reader.warnings)")
                }
                var tagged = MPEGFile()
                tagged.appendTag(frameCount: 40, priming: 576, padding: 1000)
                tagged.append(1..<41)
                let reader = try PCMFileReader(bytes: tagged.bytes)
                // A Layer III decoder delays its output by 529 frames.
                let expected = MPEGFile.samples(Array(1..<41))[576 + 529..<40 * 1152 - 1000 + 529]
                report.check(
                    reader.properties.frameCount == expected.count, "\(String(describing: reader.properties.frameCount)) frames by the tag")
                report.check(try readAll(reader, &report) == Array(expected), "other samples by the tag")
                report.check(reader.properties.gaplessInfo?.primingFrames == 1105, "\(String(describing: reader.properties.gaplessInfo))")
            }
        }
    },
    Scenario(
        name: "file-damaged-mp3",
        expectation: "lost frames become silence with a warning, and so do frames that the decoder rejects"
    ) {
        report in
        for looksAhead in [false, true] {
            machine.files.decodersLookAhead = looksAhead
            attempt(&report) { report in
                var file = MPEGFile()
                file.append(1..<31)
                // Two frames are lost.
                file.appendNoise(836)
                file.append(33..<61)
                let reader = try PCMFileReader(bytes: file.bytes)
                let samples = try readAll(reader, &report)
                report.check(samples == MPEGFile.samples((1..<61).map { 31...32 ~= $0 ? nil : $0 }), "\(samples.count) samples, or others")
                report.check(reader.warnings.map(\.isDamage) == [true], "\(reader.warnings)")
                report.note(reader.warnings.map(\.description).joined(separator: "; "))

                var refused = MPEGFile()
                refused.append(1..<21)
                refused.append(0xFFFF)
                refused.append(22..<31)
                let other = try readAll(try PCMFileReader(bytes: refused.bytes), &report)
                report.check(
                    other == MPEGFile.samples((1..<31).map { $0 == 21 ? nil : $0 }),
                    "\(other.count) samples with a refused frame, or others")
            }
        }
    },
    Scenario(
        name: "file-mp3-parts",
        expectation: "parts with another sample rate or channel count keep their duration and are reported, also the last one"
    ) { report in
        for looksAhead in [false, true] {
            machine.files.decodersLookAhead = looksAhead
            attempt(&report) { report in
                var file = MPEGFile()
                file.append(1..<21)
                file.isMono = true
                file.append(21..<41)
                file.isMono = false
                file.append(41..<61)
                file.sampleRate = 48_000
                file.append(61..<81)
                let path = try store(file.bytes, "parts.mp3")
                let reader = try PCMFileReader(path: path)
                let converted = MPEGFile.samples(Array(61..<81))
                let left = MPEGFile.samples(Array(1..<61)) + (0..<1152 * 20 * 147 / 160).map { converted[$0 * 160 / 147] }
                let right = left.indices.map { 20 * 1152..<40 * 1152 ~= $0 ? left[$0] : -left[$0] }
                let channels = try readChannels(reader)
                report.check(channels == [left, right], "\(channels[0].count) samples instead of \(left.count), or others")
                report.check(
                    reader.warnings == [.converted(path: path, partCount: 2, sampleRate: 44_100, channelCount: 1)], "\(reader.warnings)")
                report.note(reader.warnings.map(\.description).joined(separator: "; "))
                try reader.seek(toFrame: 15_000)
                let rest = try readChannels(reader)
                report.check(rest == [left, right].map { Array($0.dropFirst(15_000)) }, "other samples from frame 15000 on")

                let layer2 = (0..<8).flatMap { _ in [0xFF, 0xFD, 0x84, 0x04] + [UInt8](repeating: 0, count: 380) }
                let error = fileError { _ = try readChannels(PCMFileReader(bytes: file.bytes + layer2)) }
                report.check("\(error as Any)".contains("no decoder for MPEG audio layer 2"), "\(error as Any)")
            }
        }
    },
    Scenario(
        name: "file-mp3-layers", expectation: "unsupported layers and free bit rates are errors that name an alternative"
    ) { report in
        let layer2 = (0..<8).flatMap { _ in [0xFF, 0xFD, 0x84, 0x04] + [UInt8](repeating: 0, count: 380) }
        let error = fileError { _ = try PCMFileReader(bytes: layer2) }
        report.check("\(error as Any)".contains("no decoder for MPEG audio layer 2 ('fmt?')"), "\(error as Any)")
        let free = (0..<8).flatMap { _ in [0xFF, 0xFB, 0x00, 0x04] + [UInt8](repeating: 0, count: 200) }
        let other = fileError { _ = try PCMFileReader(bytes: free) }
        report.check("\(other as Any)".contains("free-format"), "\(other as Any)")
    },
]
#endif
