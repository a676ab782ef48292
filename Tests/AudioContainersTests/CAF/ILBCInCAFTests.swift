// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import Foundation
import TestSupport
import Testing

@Suite struct ILBCInCAFTests {
    private func write(_ accessUnits: [AccessUnit], _ mode: ILBCMode, gapless: GaplessInfo? = nil) throws -> [UInt8] {
        var writer = try CAFWriter(to: MemorySink(), .ilbc(mode))
        for accessUnit in accessUnits { try writer.append(accessUnit) }
        try writer.finish(gapless)
        return writer.sink.bytes
    }

    /// Returns the access units of a PJSIP stream.
    private func recordedUnits(_ mode: ILBCMode) throws -> [AccessUnit] {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let bytes = [UInt8](try Data(contentsOf: tests.appending(path: "Vectors/pjsip-\(mode.milliseconds).lbc")))
        return try ILBCReader(MemorySource(bytes)).map(\.accessUnit)
    }

    @Test("Frames, priming and remainder round-trip", arguments: ILBCMode.allCases, [0, 1, 20])
    func roundTrip(mode: ILBCMode, count: Int) throws {
        let accessUnits = ILBCTests.accessUnits(count, mode)
        let gapless = GaplessInfo(primingFrames: 40, validFrames: count * mode.samplesPerFrame - 47, remainderFrames: 7)
        let bytes = try write(accessUnits, mode, gapless: gapless)
        let (reader, events) = try CAFTests.read(bytes)
        #expect(reader.configuration == .ilbc(mode) && events.accessUnits.map(\.accessUnit) == accessUnits)
        #expect(reader.metadata.gaplessInfo == (count == 0 ? nil : gapless))
        // An unfinished file has no packet table, and its data extend to the end.
        var writer = try CAFWriter(to: MemorySink(), .ilbc(mode))
        for accessUnit in accessUnits { try writer.append(accessUnit) }
        guard count > 0 else { return }
        let (open, others) = try CAFTests.read(writer.sink.bytes)
        #expect(others.accessUnits.map(\.accessUnit) == accessUnits && open.metadata.gaplessInfo == nil)
    }

    @Test("FFmpeg decodes CAF and iLBC files to the same samples", arguments: ILBCMode.allCases)
    func ffmpegReads(mode: ILBCMode) throws {
        let ffmpeg = try ProgramRun.require("ffmpeg")
        let accessUnits = try recordedUnits(mode)
        let folder = try TemporaryFolder()
        let stored = try folder.write(ILBCTests.write(accessUnits, mode), to: "stream.lbc")
        let caf = try folder.write(write(accessUnits, mode), to: "stream.caf")
        let runs = try [["-f", "ilbc", "-i", stored], ["-i", caf]].map {
            try ProgramRun(ffmpeg, ["-v", "error"] + $0 + ["-f", "s16le", "-"])
        }
        #expect(runs[0].output.count == accessUnits.count * mode.samplesPerFrame * 2)
        let isSame = runs[0].output == runs[1].output
        #expect(isSame && runs[1].errorText.isEmpty, "\(runs[1].errorText)")
    }

    @Test("Reads the same frames from FFmpeg's files", arguments: ILBCMode.allCases)
    func ffmpegWrites(mode: ILBCMode) throws {
        let ffmpeg = try ProgramRun.require("ffmpeg")
        let accessUnits = try recordedUnits(mode)
        let folder = try TemporaryFolder()
        let stored = try folder.write(ILBCTests.write(accessUnits, mode), to: "stream.lbc")
        let run = try ProgramRun(ffmpeg, ["-v", "error", "-f", "ilbc", "-i", stored, "-c", "copy", folder.path("copy.caf")])
        #expect(run.exitCode == 0, "\(run.errorText)")
        let (reader, events) = try CAFTests.read(bytes(ofFile: folder.path("copy.caf")))
        #expect(reader.configuration == .ilbc(mode) && events.accessUnits.map(\.accessUnit) == accessUnits)
        // FFmpeg's table also counts 160 samples for 30 ms frames.
        if let info = reader.metadata.gaplessInfo { #expect(info.validFrames == accessUnits.count * mode.samplesPerFrame) }
    }

    @Test("Truncated files yield their complete frames or throw", arguments: ILBCMode.allCases)
    func truncated(mode: ILBCMode) throws {
        let accessUnits = ILBCTests.accessUnits(3, mode)
        let whole = try write(accessUnits, mode)
        let start = try #require(CAFTests.read(whole).events.accessUnits.first?.byteRange.lowerBound)
        for length in 0..<start + 3 * mode.bytesPerFrame {
            guard let found = try? CAFTests.read(Array(whole.prefix(length))).events.accessUnits else {
                #expect(length < start)
                continue
            }
            #expect(found.map(\.accessUnit) == Array(accessUnits.prefix((length - start) / mode.bytesPerFrame)))
        }
    }

    @Test("Other packet sizes and channel counts throw")
    func faults() throws {
        let bytes = try write(ILBCTests.accessUnits(2, .milliseconds20), .milliseconds20)
        for (offset, value) in [(39, 51), (47, 2)] as [(Int, UInt8)] {
            var changed = bytes
            changed[offset] = value
            #expect(throws: ContainerError.invalidBox("desc", offset: 8)) { try CAFReader(MemorySource(changed)) }
        }
    }
}
