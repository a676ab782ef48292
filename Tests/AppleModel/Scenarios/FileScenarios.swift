// SPDX-License-Identifier: Apache-2.0

#if MODEL_IOS
import AppleModel
import AudioFiles
import AudioMetadata
import AudioPrimitives
import PCMFiles
import SystemFiles

/// A signal of integers and files that contain it.
struct FileSignal {
    let bitCount: Int
    let channelCount: Int
    let frameCount: Int
    static let sampleRate = 44_100

    /// Interleaved full-scale integers, different in each channel.
    let samples: [Int32]

    init(bitCount: Int = 16, channelCount: Int = 2, frameCount: Int = 20_000) {
        (self.bitCount, self.channelCount, self.frameCount) = (bitCount, channelCount, frameCount)
        var state: UInt32 = 1
        samples = (0..<frameCount * channelCount).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return Int32(bitPattern: state) >> Int32(32 - bitCount)
        }
    }

    /// The integers as little-endian bytes.
    var bytes: [UInt8] {
        samples.flatMap { sample in (0..<(bitCount + 7) / 8).map { UInt8(truncatingIfNeeded: sample >> Int32(8 * $0)) } }
    }

    /// A FLAC file from another encoder.
    var flac: [UInt8] { FLACEngine.file(samples, bitCount: bitCount, sampleRate: Self.sampleRate, channelCount: channelCount) }

    /// Checks that a reader delivers exactly the samples from a frame onwards.
    func check(_ reader: PCMFileReader, from first: Int = 0, _ what: String, _ report: inout Report) throws {
        let width = (bitCount + 7) / 8 * channelCount
        var all: [UInt8] = []
        var part: [UInt8] = []
        repeat {
            try reader.read(7001, into: &part)
            all += part
        } while !part.isEmpty
        report.check(all == Array(bytes.dropFirst(first * width)), "\(what): \(all.count / width) frames, or other samples")
    }

    func format(_ file: AudioFileFormat, _ encoding: SampleEncoding) -> PCMOutputFormat {
        PCMOutputFormat(file, encoding: encoding, sampleRate: Self.sampleRate, channelCount: channelCount)
    }
}

/// Returns a path in the run's folder.
func filePath(_ name: String) -> String { OpenFile.temporaryFolder + "/" + name }

func store(_ bytes: [UInt8], _ name: String) throws -> String {
    let output = try OutputFile(path: filePath(name), overwrites: true)
    try output.write(bytes)
    try output.commit()
    return filePath(name)
}

/// Returns the error that a step throws, if any.
func fileError(_ body: () throws -> Void) -> AudioFileError? {
    do {
        try body()
        return nil
    } catch {
        return error as? AudioFileError
    }
}

let fileScenarios: [Scenario] = readScenarios + writeScenarios + mpegScenarios

private let readScenarios: [Scenario] = [
    Scenario(name: "file-read-flac", expectation: "FLAC is read exactly, with its length, from any frame; reads may be short") {
        report in
        attempt(&report) { report in
            for (bits, channels, short) in [(16, 2, 5000), (24, 1, 100), (16, 6, 1), (24, 8, 4096), (8, 1, 333)] {
                machine.files.framesPerRead = short
                let signal = FileSignal(bitCount: bits, channelCount: channels, frameCount: short == 1 ? 1500 : 8000)
                let path = try store(signal.flac, "a.flac")
                let reader = try PCMFileReader(path: path)
                let what = "\(bits) bits, \(channels) channels"
                report.check(
                    reader.properties.frameCount == signal.frameCount, "\(what): \(String(describing: reader.properties.frameCount))")
                report.check(reader.properties.containerName == "FLAC", reader.properties.containerName)
                report.check(reader.encoding == (bits == 24 ? .int24 : bits == 8 ? .signed8 : .int16), "\(what): \(reader.encoding)")
                report.check(reader.properties.channelLayout == ChannelLayout(usualChannelCount: channels), "\(what): the speakers")
                try signal.check(reader, what, &report)
                try reader.seek(toFrame: 1234)
                try signal.check(reader, from: 1234, what + " from frame 1234", &report)
                report.check(reader.warnings.isEmpty, "\(reader.warnings)")
                let buffer = try PCMBuffer(contentsOf: path)
                report.check(
                    buffer.frameCount == signal.frameCount && buffer.channelCount == channels, "\(what): \(buffer.frameCount) frames")
                let scale = Float(1 << (bits - 1))
                report.check(
                    (0..<signal.frameCount).allSatisfy { buffer.samples[$0] * scale == Float(signal.samples[$0 * channels]) },
                    "\(what): floating point")
            }
        }
    },
    Scenario(
        name: "file-memory",
        expectation: "FLAC in memory, after tags and after other bytes; only FLAC data reaches the system"
    ) {
        report in
        attempt(&report) { report in
            let signal = FileSignal()
            let tag: [UInt8] = Array("ID3".utf8) + [3, 0, 0, 0, 0, 0, 20] + [UInt8](repeating: 0, count: 20)
            for (what, prefix) in [("alone", []), ("after ID3", tag), ("after noise", [UInt8](repeating: 7, count: 999))] {
                let bytes = prefix + signal.flac
                try signal.check(try PCMFileReader(bytes: bytes), "memory, " + what, &report)
                let reader = try PCMFileReader(path: try store(bytes, "a.flac"))
                try signal.check(reader, "file, " + what, &report)
                let skipped: [PCMFileWarning] = prefix.count == 999 ? [.skipped(path: filePath("a.flac"), byteCount: 999)] : []
                report.check(reader.warnings == skipped, "\(reader.warnings)")
            }
        }
    },
    Scenario(name: "file-damaged", expectation: "intact audio is read, then the error names the frame; a truncated file is reported") {
        report in
        attempt(&report) { report in
            let signal = FileSignal()
            machine.files.readFailure = (12_000, kAudioFileInvalid)
            let reader = try PCMFileReader(path: try store(signal.flac, "a.flac"))
            var (found, part): ([UInt8], [UInt8]) = ([], [])
            let error = fileError {
                repeat {
                    try reader.read(7000, into: &part)
                    found += part
                } while !part.isEmpty
            }
            report.check(found == Array(signal.bytes.prefix(12_000 * 4)), "\(found.count / 4) frames before the damage")
            report.check(error?.code == .damagedInput && "\(error as Any)".contains("from sample frame 12000:"), "\(error as Any)")
            report.note("\(error as Any)")
            machine.files.readFailure = nil

            let cut = try PCMFileReader(path: try store(Array(signal.flac.dropLast(30_000)), "cut.flac"))
            var count = 0
            repeat {
                try cut.read(5000, into: &part)
                count += part.count / 4
            } while !part.isEmpty
            report.check(0 < count && count < signal.frameCount, "\(count) frames of a file that is cut off")
            report.check(
                cut.warnings == [.endsEarly(path: filePath("cut.flac"), declaredFrames: signal.frameCount, foundFrames: count)],
                "\(cut.warnings)")
        }
    },
    Scenario(name: "file-unknown", expectation: "unsupported formats are errors that name the format and an alternative") { report in
        let header: [UInt8] = Array("OggS".utf8) + [0, 2] + [UInt8](repeating: 0, count: 20) + [1, 30]
        let vorbis = header + [1] + Array("vorbis".utf8) + [UInt8](repeating: 0, count: 100)
        for (bytes, text) in [(vorbis, "supported only on Linux"), (Array("what is this?".utf8), "no known format")] {
            let error = fileError { _ = try PCMFileReader(bytes: bytes) }
            report.check("\(error as Any)".contains(text), "\(error as Any)")
            report.note("\(error as Any)")
        }
    },
    Scenario(name: "file-read-au", expectation: "16-bit and G.711 AU through the system: both 16 bits, exact") { report in
        attempt(&report) { report in
            func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
            let signal = FileSignal(frameCount: 9000)
            let swapped = signal.samples.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
            let head = Array(".snd".utf8) + number(24) + number(swapped.count)
            let reader = try PCMFileReader(bytes: head + number(3) + number(44_100) + number(2) + swapped)
            report.check(reader.properties.containerName == "AU" && reader.encoding == .int16, "\(reader.properties)")
            try signal.check(reader, "AU", &report)
            let companded = try PCMFileReader(
                bytes: Array(".snd".utf8) + number(24) + number(500) + number(1) + number(8000) + number(1)
                    + [UInt8](repeating: 0x80, count: 500))
            var bytes: [UInt8] = []
            try companded.read(500, into: &bytes)
            report.check(companded.encoding == .int16 && bytes == (0..<500).flatMap { _ in [0x7C, 0x7D] }, "µ-law: \(bytes.prefix(4))")
        }
    },
]

private let writeScenarios: [Scenario] = [
    Scenario(
        name: "file-write-flac", expectation: "FLAC of 8 to 24 bits is exact, has its length and tags, and appears when it is complete"
    ) { report in
        attempt(&report) { report in
            for (bits, encoding, channels, isTagged) in [
                (16, SampleEncoding.int16, 2, true), (24, .int24, 6, true), (16, .int16BigEndian, 1, false), (8, .signed8, 2, true),
            ] {
                let signal = FileSignal(bitCount: bits, channelCount: channels)
                var format = signal.format(.flac, encoding)
                if channels == 6 { format.channelLayout = ChannelLayout([.left, .right, .center, .lowFrequency, .sideLeft, .sideRight]) }
                if isTagged {
                    format.tags.title = "Ein Lied"
                    format.tags.pictures = [
                        AudioTags.Picture(format: .jpeg, bytes: [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 5, count: 70_000))
                    ]
                }
                let path = filePath("w.flac")
                let writer = try PCMFileWriter(path: path, format: format, overwrites: true)
                let width = bits / 8 * channels
                var bytes = signal.bytes
                if encoding.isBigEndian { for index in stride(from: 0, to: bytes.count, by: 2) { bytes.swapAt(index, index + 1) } }
                for start in stride(from: 0, to: bytes.count, by: 777 * width) {
                    try writer.append(bytes: Array(bytes[start..<min(bytes.count, start + 777 * width)]))
                }
                try writer.finish()
                let reader = try PCMFileReader(path: path)
                let what = "\(bits) bits, \(channels) channels"
                if bits == 8 {
                    // The file has 16 bits, with the lower eight 0.
                    var found: [UInt8] = []
                    try reader.read(signal.frameCount, into: &found)
                    report.check(found == signal.bytes.flatMap { [0, $0] }, what)
                } else {
                    try signal.check(reader, what, &report)
                }
                report.check(
                    reader.properties.frameCount == signal.frameCount, "\(what): \(String(describing: reader.properties.frameCount))")
                report.check(reader.properties.tags.title == format.tags.title, "\(what): the title")
                report.check(reader.properties.tags.pictures == format.tags.pictures, "\(what): the picture")
                report.check(channels != 6 || reader.properties.channelLayout == format.channelLayout, "\(what): the speakers")
                report.check(reader.warnings.isEmpty, "\(what): \(reader.warnings)")
            }
        }
    },
    Scenario(
        name: "file-write-failed", expectation: "an encoder error is thrown and leaves no file; FLAC in Ogg is rejected by name"
    ) { report in
        attempt(&report) { report in
            let signal = FileSignal()
            let path = filePath("failed.flac")
            machine.files.writeFailure = (2, kAudioFileInvalid)
            let error = fileError {
                let writer = try PCMFileWriter(path: path, format: signal.format(.flac, .int16), overwrites: true)
                for _ in 0..<4 { try writer.append(bytes: signal.bytes) }
                try writer.finish()
            }
            report.check(error?.code == .cannotWrite(systemCode: 5) && "\(error as Any)".contains("ExtAudioFileWrite"), "\(error as Any)")
            report.check(OpenFile.contents(of: path) == nil, "a file is left")
            let ogg = fileError { _ = try PCMFileWriter(path: filePath("a.oga"), format: signal.format(.oggFLAC, .int16)) }
            report.check("\(ogg as Any)".contains("is supported only on Linux"), "\(ogg as Any)")
            report.note("\(error as Any)")
            report.note("\(ogg as Any)")
        }
    },
    Scenario(name: "file-aiff-caf", expectation: "AIFF and CAF are written and read without the system") { report in
        attempt(&report) { report in
            for (file, encoding, bits) in [
                (AudioFileFormat.aiff, SampleEncoding.int16BigEndian, 16), (.aiff, .int24BigEndian, 24), (.caf, .int24, 24),
                (.caf, .int16, 16),
            ] {
                let signal = FileSignal(bitCount: bits, channelCount: 1, frameCount: 5001)
                var format = signal.format(file, encoding)
                format.tags.title = "Ein Lied"
                let path = filePath("a." + (file == .aiff ? "aiff" : "caf"))
                let writer = try PCMFileWriter(path: path, format: format, overwrites: true)
                var bytes = signal.bytes
                if encoding.isBigEndian {
                    let width = bits / 8
                    for start in stride(from: 0, to: bytes.count, by: width) { bytes[start..<start + width].reverse() }
                }
                try writer.append(bytes: bytes)
                try writer.finish()
                let reader = try PCMFileReader(path: path)
                try signal.check(reader, "\(file)", &report)
                report.check(reader.properties.tags.title == "Ein Lied", "\(file): the title")
            }
            report.check(machine.files.fileCount == 0, "the system opened \(machine.files.fileCount) files")
        }
    },
]

/// `kAudioFileInvalidFileError`.
private let kAudioFileInvalid: Int32 = 0x6474_613F
#endif
