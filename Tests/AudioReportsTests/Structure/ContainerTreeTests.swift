// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioReports
import Foundation
import TestSupport
import Testing

@Suite struct ContainerTreeTests {
    private func tree(_ bytes: [UInt8]) -> ContainerTree? {
        ContainerTree(byteCount: bytes.count) { Array(bytes[$0.clamped(to: 0..<bytes.count)]) }
    }

    private func names(_ parts: [ContainerTree.Part]) -> [String] { parts.flatMap { [$0.name] + names($0.parts) } }

    @Test("Lists M4A boxes, CAF and WAV chunks with their offsets; nothing for ADTS")
    func structure() throws {
        let folder = try TemporaryFolder()
        let signal = ReportSignal.sweep(seconds: 1)
        let (wave, m4a) = try signal.encode(folder, to: "a.m4a")
        let tree = try #require(ContainerTree(.file(m4a)))
        #expect(tree.parts.map(\.name).contains("ftyp") && tree.parts.map(\.name).contains("mdat"))
        #expect(Set(["moov", "trak", "stbl", "stsd", "stsz", "udta", "ilst", "©nam"]).isSubset(of: Set(names(tree.parts))))
        // The outermost boxes cover the file.
        var offset = 0
        for part in tree.parts {
            #expect(part.offset == offset)
            offset += part.byteCount
        }
        #expect(offset == (try bytes(ofFile: m4a)).count)
        let chunks = names(try #require(ContainerTree(.file(wave))).parts)
        #expect(chunks.first == "RIFF" && chunks.contains("fmt ") && chunks.last == "data", "\(chunks)")
        let caf = try signal.encode(folder, to: "a.caf").coded
        #expect(Set(["desc", "pakt", "data"]).isSubset(of: Set(names(try #require(ContainerTree(.file(caf))).parts))))
        #expect(ContainerTree(.file(try signal.encode(folder, to: "a.aac").coded)) == nil)
        #expect(ContainerTree(.file(folder.path("missing"))) == nil)
    }

    @Test("Damaged files neither trap nor hang, and parts stay within the file")
    func damaged() throws {
        let folder = try TemporaryFolder()
        let signal = ReportSignal.sweep(seconds: 0.5)
        let originals = try ["a.m4a", "a.caf"].map { try bytes(ofFile: signal.encode(folder, to: $0).coded) }
        var random = SeededRandom(seed: 2)
        for number in 0..<4000 {
            var damaged = random.element(of: originals)
            let reach = Int.random(in: 16...damaged.count, using: &random)
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                damaged[Int.random(in: 0..<reach, using: &random)] = random.element(of: [0, 1, 8, 0x7F, 0x80, 0xFF])
            }
            damaged = Array(damaged.prefix(Int.random(in: 0...damaged.count, using: &random)))
            guard let tree = tree(damaged) else { continue }
            #expect(names(tree.parts).count <= ContainerTree.limit + 1, "file \(number)")
            #expect(tree.parts.allSatisfy { $0.offset + $0.byteCount <= damaged.count && $0.byteCount >= 0 }, "file \(number)")
        }
    }
}
