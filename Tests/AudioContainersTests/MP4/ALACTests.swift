// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import TestSupport
import Testing

/// Apple Lossless in MP4, QuickTime and CAF files.
@Suite struct ALACTests {
    /// A configuration with a channel layout.
    static let surround = ALACConfiguration(sampleRate: 96_000, channelCount: 6, bitDepth: 24)

    /// Returns access units with random payloads.
    ///
    /// The last one is short.
    static func accessUnits(_ count: Int, lastDuration: Int = 1000) -> [AccessUnit] {
        var accessUnits = MP4Tests.accessUnits(count, duration: 4096, rate: 96_000)
        if count > 0 { accessUnits[count - 1].duration = lastDuration }
        return accessUnits
    }

    /// Returns the gapless information of access units without priming.
    static func gapless(_ accessUnits: [AccessUnit]) -> GaplessInfo {
        GaplessInfo(primingFrames: 0, validFrames: accessUnits.reduce(0) { $0 + $1.duration }, remainderFrames: 0)
    }

    @Test("M4A keeps durations and channel layout", arguments: [1, 2, 30])
    func mp4(count: Int) throws {
        let accessUnits = Self.accessUnits(count)
        for layout in [MP4WriterOptions.Layout.indexAtEnd, .fragmented(unitsPerFragment: 3, priming: 0)] {
            var writer = try MP4Writer(to: MemorySink(), .alac(Self.surround), options: MP4WriterOptions(layout: layout))
            for unit in accessUnits { try writer.append(unit) }
            try writer.finish(Self.gapless(accessUnits))
            var reader = try MP4Reader(MemorySource(writer.sink.bytes))
            #expect(reader.configuration == .alac(Self.surround))
            #expect(
                reader.metadata.gaplessInfo?.validFrames ?? Self.gapless(accessUnits).validFrames == Self.gapless(accessUnits).validFrames)
            for unit in accessUnits { #expect(try reader.nextUnit()?.accessUnit == unit) }
            #expect(try reader.nextUnit() == nil)
            #expect(try reader.seek(toFrame: 4100) == (count == 1 ? 0 : 4))
        }
    }

    @Test("CAF counts the missing frames of a short last packet as remainder", arguments: [1, 2, 30])
    func caf(count: Int) throws {
        let accessUnits = Self.accessUnits(count)
        for info in [Self.gapless(accessUnits), nil] {
            var writer = try CAFWriter(to: MemorySink(), .alac(Self.surround))
            for unit in accessUnits { try writer.append(unit) }
            try writer.finish(info)
            let (reader, events) = try CAFTests.read(writer.sink.bytes)
            #expect(reader.configuration == .alac(Self.surround))
            #expect(events.accessUnits.map(\.accessUnit.payload) == accessUnits.map(\.payload))
            let valid = Self.gapless(accessUnits).validFrames
            #expect(reader.metadata.gaplessInfo == GaplessInfo(primingFrames: 0, validFrames: valid, remainderFrames: 3096))
        }
    }

    @Test("Finds the cookie in all QuickTime sample entry versions", arguments: [0, 1, 2])
    func quickTimeEntries(version: Int) throws {
        for isWrapped in [false, true] {
            var writer = BoxWriter()
            writer.write(repeatElement(0, count: 8))
            writer.write(version, 2)
            writer.write(repeatElement(0, count: 6))
            writer.write(6, 2)
            writer.write(24, 2)
            writer.write(0, 4)
            writer.write(0, 4)
            writer.write(repeatElement(0, count: [0, 16, 36][version]))
            if isWrapped {
                // This box contains the old form of the cookie.
                writer.box("wave") { $0.write(Self.surround.serializedAsAtoms()) }
            } else {
                writer.write(ALACSpecificBox(Self.surround))
            }
            var cursor = ByteCursor(writer.bytes)
            let entry = try AudioSampleEntry("alac", parsing: &cursor)
            #expect(try entry.configuration() == .alac(Self.surround) && entry.channelCount == 6 && entry.bitDepth == 24)
        }
    }

    @Test("Missing and damaged cookies throw")
    func faults() throws {
        var writer = BoxWriter()
        writer.write(repeatElement(0, count: 28))
        var cursor = ByteCursor(writer.bytes)
        #expect(throws: ContainerError.missingPart("alac")) { try AudioSampleEntry("alac", parsing: &cursor).configuration() }
        #expect(throws: ContainerError.codec(.truncatedConfiguration(availableBits: 24, neededBits: 192))) {
            try CodecConfiguration(alacCookie: [1, 2, 3])
        }
        #expect(ContainerError.codec(.unsupportedBitDepth(7, allowed: [16])).description.contains("bit depth 7"))
        #expect(ContainerError.codec(.unsupportedBitDepth(7, allowed: [16])).underlyingError is CodecError)
    }

    @Test("Reads the same packets from FFmpeg's files in every container", arguments: ["m4a", "mov", "mp4", "caf"])
    func ffmpegWrites(name: String) throws {
        let ffmpeg = try ProgramRun.require("ffmpeg")
        let folder = try TemporaryFolder()
        let source = ["-f", "lavfi", "-i", "sine=frequency=500:duration=0.5:sample_rate=48000", "-ac", "2", "-c:a", "alac"]
        let path = folder.path("a.\(name)")
        let run = try ProgramRun(ffmpeg, ["-v", "error"] + source + [path])
        try #require(run.exitCode == 0, "\(run.errorText)")
        let file = MemorySource(try bytes(ofFile: path))
        var reader: any ContainerReader
        if name == "caf" { reader = try CAFReader(file) } else { reader = try MP4Reader(file) }
        guard case .alac(let config) = reader.configuration else {
            Issue.record("the codec is \(reader.configuration.formatID)")
            return
        }
        #expect(config.sampleRate == 48_000 && config.channelCount == 2 && config.bitDepth == 16)
        var durations: [Int] = []
        while let unit = try reader.nextUnit() { durations.append(unit.accessUnit.duration) }
        #expect(durations.dropLast() == [4096, 4096, 4096, 4096, 4096])
        #expect(reader.metadata.gaplessInfo?.validFrames ?? durations.reduce(0, +) == 24_000)
    }

    @Test("FFmpeg decodes our files", arguments: [AudioFileFormat.m4a, .fragmentedM4A, .caf])
    func ffmpegReads(format: AudioFileFormat) throws {
        let ffmpeg = try ProgramRun.require("ffmpeg")
        let folder = try TemporaryFolder()
        let source = ["-f", "lavfi", "-i", "anoisesrc=duration=0.5:sample_rate=48000:seed=1", "-ac", "6", "-c:a", "alac"]
        var run = try ProgramRun(ffmpeg, ["-v", "error"] + source + [folder.path("a.m4a")])
        try #require(run.exitCode == 0, "\(run.errorText)")
        var reader = try MP4Reader(MemorySource(try bytes(ofFile: folder.path("a.m4a"))))
        var writer = try format.makeWriter(to: MemorySink(), reader.configuration)
        while let unit = try reader.nextUnit() { try writer.append(unit.accessUnit) }
        try writer.finish(reader.metadata.gaplessInfo)
        _ = try folder.write(writer.sink.bytes, to: "b.\(format.fileExtension)")
        var outputs: [[UInt8]] = []
        for name in ["a.m4a", "b.\(format.fileExtension)"] {
            run = try ProgramRun(ffmpeg, ["-v", "error", "-i", folder.path(name), "-f", "s32le", "-"])
            #expect(run.errorText.isEmpty, "\(run.errorText)")
            outputs.append(run.output)
        }
        let isSame = outputs[0] == outputs[1]
        #expect(isSame && outputs[0].count == 24_000 * 24)
    }
}
