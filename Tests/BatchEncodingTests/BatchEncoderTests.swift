// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioFiles
import BatchEncoding
import Foundation
import JSONText
import PCMFiles
import TestSupport
import Testing

@Suite struct BatchEncoderTests {
    /// Creates three inputs and their batch.
    private func makeFiles(_ folder: TemporaryFolder, settings: BatchSettings = fastSettings()) throws -> [BatchFile] {
        try ["a.wav", "deep/b.wav", "deep/er/c.wav"].enumerated().map { index, name in
            let input = try folder.writeWave("in/\(name)", seconds: 1 + Double(index) / 2, seed: UInt64(index))
            return BatchFile(input: input, output: folder.path("out/\(name.replacing(".wav", with: ".m4a"))"), settings: settings)
        }
    }

    @Test("Outputs match FileEncoder's; a second run finds them up to date and changes nothing")
    func done() throws {
        let folder = try TemporaryFolder()
        let files = try makeFiles(folder)
        #expect(run(files).values.map(\.text) == ["done new", "done new", "done new"])
        for file in files {
            try FileEncoder(input: file.input, output: folder.path("single.m4a"), configuration: file.settings.configuration).run()
            #expect(try bytes(ofFile: file.output) == folder.contents(of: "single.m4a"))
            try FileManager.default.removeItem(atPath: folder.path("single.m4a"))
        }
        let before = folder.allFiles
        #expect(before.filter { $0.hasPrefix("out") }.count == 6)
        let stamps = before.map { FileStamp(of: folder.path($0)) }
        let again = run(files)
        #expect(again.values.map(\.text) == ["unchanged", "unchanged", "unchanged"])
        #expect(folder.allFiles == before && before.map { FileStamp(of: folder.path($0)) } == stamps)
        // The measures come from the record.
        let line = try JSONValue(parsing: again["a.wav"]?.line { _ in (0, "") }.utf8 ?? "".utf8)
        #expect(line["seconds"]?.number == 1 && line["status"]?.text == "unchanged")
        #expect(try line["sha256"]?.text == SHA256.hash(ofFile: files[0].output))
    }

    @Test("Detects a changed input, output, setting, version or record and encodes only that file again")
    func changes() throws {
        let folder = try TemporaryFolder()
        var files = try makeFiles(folder)
        _ = run(files)
        let record = BatchRecord.path(of: files[0].output)
        let changes: [(reason: String, change: () throws -> Void)] = [
            ("input", { try folder.writeWave("in/a.wav", seconds: 1.25) }),
            ("input", { try folder.writeWave("in/a.wav", seconds: 1.25, seed: 9) }),
            ("output", { try FileManager.default.removeItem(atPath: files[0].output) }),
            ("output", { try Data(bytes(ofFile: files[0].output).dropLast()).write(to: URL(fileURLWithPath: files[0].output)) }),
            ("output", { try Data(bytes(ofFile: files[0].output).map { $0 ^ 1 }).write(to: URL(fileURLWithPath: files[0].output)) }),
            ("output", { try Data("{".utf8).write(to: URL(fileURLWithPath: record)) }),
            (
                "version",
                {
                    let text = String(decoding: try bytes(ofFile: record), as: UTF8.self)
                    try Data(text.replacing(LinnetVersion.current, with: "0.0.1").utf8).write(to: URL(fileURLWithPath: record))
                }
            ), ("settings", { files[0].settings = fastSettings(quality: 31) }),
        ]
        for (reason, change) in changes {
            try change()
            var dry = BatchOptions()
            dry.isDryRun = true
            #expect(run(files, dry)["a.wav"]?.text == "planned \(reason)")
            let results = run(files)
            #expect(results["a.wav"]?.text == "done \(reason)")
            #expect(results["b.wav"]?.text == "unchanged" && results["c.wav"]?.text == "unchanged")
            #expect(run(files)["a.wav"]?.text == "unchanged")
        }
    }

    @Test("The output's folder is created if its name starts with a combining mark")
    func combiningMark() throws {
        let folder = try TemporaryFolder()
        let input = try folder.writeWave("in.wav", seconds: 0.2)
        let file = BatchFile(input: input, output: folder.path("out") + "/\u{301}a.m4a", settings: fastSettings())
        #expect(run([file]).values.map(\.text) == ["done new"])
    }

    @Test("Equal contents with a different time are up to date; the record gets the new time")
    func times() throws {
        let folder = try TemporaryFolder()
        let files = try makeFiles(folder)
        _ = run(files)
        for path in [files[0].input, files[1].output] {
            try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: path)
        }
        #expect(run(files).values.map(\.text) == ["unchanged", "unchanged", "unchanged"])
        guard case .intact(let record) = BatchRecord.read(beside: files[0].output) else { throw BatchError.interrupted }
        #expect(record.input.stamp.modified == 1_000_000_000_000_000_000)
    }

    @Test("With equal size and time, only --checksum detects changed contents")
    func checksums() throws {
        let folder = try TemporaryFolder()
        let files = try makeFiles(folder)
        _ = run(files)
        let date = try FileManager.default.attributesOfItem(atPath: files[0].output)[.modificationDate] as? Date ?? Date()
        try Data(bytes(ofFile: files[0].output).map { $0 ^ 1 }).write(to: URL(fileURLWithPath: files[0].output))
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: files[0].output))
        try handle.close()
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: files[0].output)
        var options = BatchOptions()
        options.readsAll = true
        #expect(run(files, options)["a.wav"]?.text == "done output")
    }

    @Test("Invalid files fail in their step without an output; the others are encoded")
    func failures() throws {
        let folder = try TemporaryFolder()
        var files = try makeFiles(folder)
        let settings = fastSettings()
        files += [
            BatchFile(input: try folder.write([1, 2, 3], to: "in/bad.wav"), output: folder.path("out/bad.m4a"), settings: settings),
            BatchFile(input: folder.path("in/none.wav"), output: folder.path("out/none.m4a"), settings: settings),
            BatchFile(input: try folder.writeWave("in/twice.wav", seconds: 0.1), output: files[0].output, settings: settings),
            BatchFile(
                input: try folder.writeWave("in/wrong.wav", seconds: 0.1), output: folder.path("out/wrong.m4a"),
                settings: fastSettings(quality: 900)),
            BatchFile(input: try folder.writeWave("in/foreign.wav", seconds: 0.1), output: folder.path("foreign.m4a"), settings: settings),
            BatchFile(
                input: try folder.writeWave("in/blocked.wav", seconds: 0.1), output: folder.path("foreign.m4a/x.m4a"), settings: settings),
        ]
        _ = try folder.write([1], to: "foreign.m4a")
        let results = run(files)
        func text(_ name: String) -> String { results[name]?.text ?? "" }
        #expect(text("bad.wav").hasPrefix("failed open:") && text("none.wav").hasPrefix("failed open:"))
        #expect(text("twice.wav").hasPrefix("failed settings:") && text("wrong.wav").hasPrefix("failed encode:"))
        #expect(text("foreign.wav").hasPrefix("failed write:") && text("blocked.wav").hasPrefix("failed write:"))
        #expect(text("a.wav") == "done new" && text("c.wav") == "done new")
        #expect(try folder.contents(of: "foreign.m4a") == [1])
        #expect(folder.allFiles.filter { $0.contains("bad.m4a") || $0.contains("wrong.m4a") || $0.contains(".linnet-") }.isEmpty)
        // A file that is not from a batch is replaced only with permission.
        var options = BatchOptions()
        options.replaces = true
        #expect(run([files[7]], options)["foreign.wav"]?.text == "done forced")
    }

    @Test("A verified output has measures; one above the noise limit never gets its final name")
    func verification() throws {
        let folder = try TemporaryFolder()
        var files = try makeFiles(folder)
        files[0].output = folder.path("out/a.aac")
        files[1].output = folder.path("out/b.caf")
        _ = run(files)
        var options = BatchOptions()
        options.verification = BatchOptions.Verification(noiseLimit: 10)
        let checked = run(files, options)
        for (name, frames) in [("a.wav", 16_000), ("b.wav", 24_000), ("c.wav", 32_000)] {
            #expect(checked[name]?.text == "done unverified")
            let measures = checked[name]?.measures.last { $0.name == "measures" }?.value
            #expect(measures?["frames"]?.integer == frames)
            #expect(
                (measures?["noiseToMaskMean"]?.number).map { (-30 ... -1).contains($0) } == true, "\(name): \(String(describing: measures))"
            )
        }
        options.verification?.noiseLimit = -29
        options.replaces = true
        let before = try bytes(ofFile: files[0].output)
        let results = run(files, options)
        #expect(results["a.wav"]?.text.hasPrefix("failed verify:") == true)
        #expect(try bytes(ofFile: files[0].output) == before)
        #expect(run(files).values.map(\.text) == ["unchanged", "unchanged", "unchanged"])
    }

    @Test("Outputs do not depend on the number of processors, which share a long file at the end", arguments: [1, 2, 5])
    func threads(count: Int) throws {
        let folder = try TemporaryFolder()
        var files: [BatchFile] = []
        for (name, seconds) in [("long", 60.0), ("short", 1), ("shorter", 0.3)] {
            var configuration = FileConverterConfiguration()
            configuration.settings.effort = .fast
            configuration.settings.rateControl = .average(bitRate: 24_000)
            files.append(
                BatchFile(
                    input: try folder.writeWave("\(name).wav", seconds: seconds), output: folder.path("\(name).m4a"),
                    settings: BatchSettings(configuration)))
        }
        var options = BatchOptions()
        options.processorCount = count
        #expect(run(files, options).count == 3)
        for file in files {
            var configuration = file.settings.configuration
            configuration.threadCount = 1
            try FileEncoder(input: file.input, output: file.output + ".one.m4a", configuration: configuration).run()
            #expect(try bytes(ofFile: file.output) == bytes(ofFile: file.output + ".one.m4a"))
        }
    }

    @Test("A stopped batch leaves no unfinished output, and the next run encodes the remaining files")
    func stop() throws {
        let folder = try TemporaryFolder()
        let files = try (0..<6).map { index in
            BatchFile(
                input: try folder.writeWave("\(index).wav", seconds: 20, seed: UInt64(index)), output: folder.path("out/\(index).m4a"),
                settings: fastSettings())
        }
        var options = BatchOptions()
        options.processorCount = 2
        let batch = BatchEncoder(files, options: options)
        let results = ResultCollector()
        let totals = batch.run { result in
            results.add(result)
            batch.stop(grace: .zero)
        }
        #expect(totals.doneCount + totals.interruptedCount == 6 && totals.interruptedCount >= 4)
        #expect(results.all.count == 6)
        #expect(folder.allFiles.filter { $0.hasSuffix(".m4a") }.count == totals.doneCount)
        #expect(folder.allFiles.filter { $0.contains(".linnet-") }.isEmpty)
        #expect(run(files, options).values.filter { $0.text == "unchanged" }.count == totals.doneCount)
    }

    @Test("Memory and open files limit the number of threads")
    func limits() {
        var options = BatchOptions()
        #expect(options.threadCount(processors: 8, fileLimit: 1024) == 8)
        options.openFiles = 32
        #expect(options.threadCount(processors: 8, fileLimit: 1024) == 4)
        options.memory = 20 << 20
        #expect(options.threadCount(processors: 8, fileLimit: 1024) == 2)
        options.memory = 1
        #expect(options.threadCount(processors: 8, fileLimit: 1024) == 1)
        options = BatchOptions()
        options.processorCount = 3
        #expect(options.threadCount(processors: 8, fileLimit: 1024) == 3)
    }

    @Test("Files with the most work come first")
    func order() throws {
        let folder = try TemporaryFolder()
        let files = try [0.2, 3, 1].enumerated().map { index, seconds in
            BatchFile(
                input: try folder.writeWave("\(index).wav", seconds: seconds), output: folder.path("\(index).m4a"), settings: fastSettings()
            )
        }
        var options = BatchOptions()
        options.processorCount = 1
        let results = ResultCollector()
        BatchEncoder(files, options: options).run { results.add($0) }
        #expect(results.all.map { URL(fileURLWithPath: $0.input).lastPathComponent } == ["1.wav", "2.wav", "0.wav"])
    }
}
