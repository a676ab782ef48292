// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioFiles
import AudioPrimitives
import Foundation
import JSONText
import PCMFiles
import Synchronization
import SystemFiles
import TestSupport
import Testing

/// Encoding of one file by several processes.
@Suite struct SharedEncodingTests {
    /// 15 minutes at 8 kHz.
    private static let chord = ChordFile(sampleRate: 8_000, channelCount: 1, frameCount: 8_000 * 900)

    private func encoder(
        _ folder: TemporaryFolder, _ rate: AACEncoderConfiguration.RateControl, dynamicRangeCut: Double = 0
    ) throws -> FileEncoder {
        var configuration = Self.chord.configuration
        configuration.settings.rateControl = rate
        configuration.gain = -3
        configuration.decoding.decoder.dynamicRangeCut = dynamicRangeCut
        let input = folder.path("in.pcm")
        if !FileManager.default.fileExists(atPath: input) { _ = try folder.write(Self.chord.bytes, to: "in.pcm") }
        return FileEncoder(input: input, output: folder.path("out.m4a"), configuration: configuration)
    }

    @Test(
        "Processes that share a file yield the same bytes as one, despite an interrupted process and damaged runs",
        arguments: [.average(bitRate: 20_000), .variable(quality: 40)] as [AACEncoderConfiguration.RateControl])
    func sharing(rate: AACEncoderConfiguration.RateControl) throws {
        let folder = try TemporaryFolder()
        var alone = try encoder(folder, rate)
        try alone.run()
        let expected = try bytes(ofFile: folder.path("out.m4a"))
        try FileManager.default.createDirectory(atPath: folder.path("parts"), withIntermediateDirectories: true)
        alone.converter.segmentFolder = folder.path("parts")
        // The first process stops after a few runs.
        let checks = Atomic<Int>(0)
        #expect(try alone.converter.contribute(threadCount: 1) { checks.add(1, ordering: .relaxed).newValue > 4 })
        let stored = { try FileManager.default.contentsOfDirectory(atPath: folder.path("parts")).filter { $0.hasSuffix(".part") } }
        let first = try stored()
        #expect(first.count == 4)
        let times = try first.map {
            try FileManager.default.attributesOfItem(atPath: folder.path("parts/\($0)"))[.modificationDate] as? Date
        }
        // A first pass with a different division is repeated.
        if let plan = SegmentNoiseScalePlan(json: OpenFile.contents(of: folder.path("parts/plan.json")) ?? []), !plan.expected.isEmpty {
            let short = SegmentNoiseScalePlan(level: plan.level, slope: plan.slope, expected: plan.expected.dropLast())
            _ = try folder.write(Array(short.json.line.utf8), to: "parts/plan.json")
        }
        // Two more processes at the same time, one with two threads.
        let shared = alone
        let failures = Mutex<[any Error]>([])
        WorkerThreads.forEach(count: 2, threadCount: 2) { index in
            do { _ = try shared.converter.contribute(threadCount: index + 1) { false } } catch { failures.withLock { $0.append(error) } }
        }
        #expect(failures.withLock { $0.isEmpty })
        #expect(
            try first.map { try FileManager.default.attributesOfItem(atPath: folder.path("parts/\($0)"))[.modificationDate] as? Date }
                == times)
        // Damaged and missing runs, and those with a different division, are encoded when joining the file.
        let all = try stored().sorted()
        _ = try folder.write([1, 2], to: "parts/\(all[1])")
        _ = try folder.write(SegmentFile.bytes([]), to: "parts/\(all[2])")
        _ = try folder.write(SegmentFile.bytes([EncodedSegment()]), to: "parts/\(all[3])")
        try FileManager.default.removeItem(atPath: folder.path("parts/\(all[all.count - 1])"))
        try shared.run()
        #expect(try bytes(ofFile: folder.path("out.m4a")) == expected)
    }

    @Test("A file at a constant bit rate, or with other changes of the decoder's output, is not divided")
    func indivisible() throws {
        let folder = try TemporaryFolder()
        let encoders = try [
            encoder(folder, .constant(bitRate: 16_000)), encoder(folder, .average(bitRate: 20_000), dynamicRangeCut: 0.5),
        ]
        for var encoder in encoders {
            encoder.converter.segmentFolder = folder.path("parts")
            #expect(try !encoder.converter.canBeDivided())
            #expect(try !encoder.converter.contribute(threadCount: 1) { false })
        }
    }

    @Test("A stored run is read back exactly, and rejected if damaged")
    func storage() throws {
        var segment = EncodedSegment()
        segment.add([1, 2, 3], elements: nil)
        segment.add([], elements: nil)
        segment.add([4], elements: nil)
        segment.framesRead = 77
        segment.peak = 1.25
        var last = segment
        last.isInputDamaged = true
        last.end = EncodedSegment.End(
            gapless: .init(primingFrames: 1, validFrames: 2, remainderFrames: 3),
            warnings: [
                .endsEarly(path: "a", declaredFrames: 4, foundFrames: 5), .continues(path: "b", declaredFrames: 6, foundFrames: 7),
                .missing(path: "m", frameCount: 3), .unfinished(path: "u", isCutOff: true), .unfinished(path: "u", isCutOff: false),
                .damaged(path: "c", unitCount: 8, byteCount: 9),
                .silenced(path: "d", loss: PCMLoss(frameCount: 10, partCount: 2, firstFrame: 11), sampleRate: 48_000),
            ])
        let bytes = SegmentFile.bytes([segment, last])
        let read = try SegmentFile.segments(bytes)
        #expect(read.map(\.bytes) == [[1, 2, 3, 4], [1, 2, 3, 4]] && read.map(\.accessUnitCount) == [3, 3])
        #expect(read[1].end?.gapless == last.end?.gapless && read[1].end?.warnings == last.end?.warnings && read[0].end == nil)
        #expect(read.map(\.isInputDamaged) == [false, true] && read.map(\.peak) == [1.25, 1.25])
        #expect(SegmentFile.bytes(read) == bytes)
        for count in 0..<bytes.count { #expect(throws: (any Error).self) { try SegmentFile.segments(Array(bytes[..<count])) } }
        #expect(throws: (any Error).self) { try SegmentFile.segments(bytes + [0]) }
        for wrong in ["\"framesRead\": -1", "\"framesRead\": 1e300", "\"framesRead\": 9223372036854775807"] {
            let text = String(decoding: bytes, as: UTF8.self).replacing("\"framesRead\": 77", with: wrong)
            #expect(throws: SegmentFile.Damage.self) { try SegmentFile.segments(Array(text.utf8)) }
        }
        let plan = SegmentNoiseScalePlan(level: 1.1, slope: -0.4321, expected: [1 / 3, 1e9, 2])
        let copy = try #require(SegmentNoiseScalePlan(json: Array(plan.json.line.utf8)))
        #expect(copy.level == plan.level && copy.slope == plan.slope && copy.expected == plan.expected)
        for wrong in ["21", "1e99", "\"1\"", "null"] {
            #expect(SegmentNoiseScalePlan(json: Array("{\"level\": \(wrong), \"slope\": -0.4, \"expected\": []}".utf8)) == nil)
            #expect(SegmentNoiseScalePlan(json: Array("{\"level\": 1, \"slope\": -0.4, \"expected\": [5, -\(wrong)]}".utf8)) == nil)
        }
    }

    @Test("Segments cover all access units, and the last one is open-ended")
    func division() {
        for (accessUnitCount, count) in [(1, 1), (256, 1), (257, 2), (1000, 4)] {
            let division = SegmentDivision(accessUnitCount: accessUnitCount, segmentLength: 256)
            #expect(division.count == count)
            let ranges = (0..<count).map(division.accessUnits)
            #expect(ranges.dropLast().map(\.count) == Array(repeating: 256, count: count - 1))
            #expect(ranges.map(\.lowerBound) == (0..<count).map { 256 * $0 } && ranges.last?.upperBound == .max)
        }
    }
}
