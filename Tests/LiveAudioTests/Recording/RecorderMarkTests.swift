// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioConversion
import AudioDevices
import AudioFiles
import AudioMetadata
import AudioPrimitives
import LiveAudio
import TestSupport
import Testing

/// Marks of a recording, as events and as chapters of its files.
@Suite struct RecorderMarkTests {
    /// Records 1.5 s with marks at 0.25 s, at 1 s during a pause, and at 1.25 s.
    private func record(
        _ configuration: RecorderConfiguration = RecorderConfiguration(), to sinks: [RecorderSink]
    ) async throws -> (RecordingSummary, [AudioTags.Chapter]) {
        let source = GatedSource()
        let recorder = Recorder(configuration, source: .program(source), sinks: sinks)
        let events = recorder.events
        recorder.addMark("before the start")
        try await recorder.start()
        func record(until frameCount: Int) async {
            source.release(12_000)
            _ = await Wait.until { recorder.summary.frameCount >= frameCount }
        }
        await record(until: 12_000)
        recorder.addMark()
        for frameCount in [24_000, 36_000, 48_000] { await record(until: frameCount) }
        recorder.isPaused = true
        source.release(12_000)
        _ = await Wait.until { recorder.summary.capture.recordedFrames >= 60_000 }
        recorder.addMark("Pause é")
        recorder.isPaused = false
        for frameCount in [59_000, 71_000] { await record(until: frameCount) }
        source.end()
        let summary = await recorder.waitUntilFinished()
        recorder.addMark("after the end")
        #expect(recorder.summary.marks == summary.marks)
        var marks: [AudioTags.Chapter] = []
        for await event in events { if case .marked(let mark) = event { marks.append(mark) } }
        return (summary, marks)
    }

    private static let expected = [
        AudioTags.Chapter(start: 12_000, timescale: 48_000, title: "Mark 1"),
        AudioTags.Chapter(start: 48_000, timescale: 48_000, title: "Pause é"),
    ]

    private func chapters(_ path: String) throws -> [String] {
        try AudioTags(contentsOf: path).chapters.map { "\($0.seconds) \($0.title)" }
    }

    @Test("Marks are events, part of the summary, and chapters of the files that can store them")
    func files() async throws {
        let folder = try TemporaryFolder()
        let names = ["a.m4a", "a.wav", "a.aiff", "a.flac"]
        let others = ["a.aac", "a.caf", "a.raw"].map { RecorderSink.file(folder.path($0)) }
        let (summary, marks) = try await record(to: names.map { .file(folder.path($0)) } + others)
        #expect(summary.marks == Self.expected && marks == Self.expected)
        for name in names { #expect(try chapters(folder.path(name)) == ["0.25 Mark 1", "1.0 Pause é"], "\(name)") }
        for sink in others { #expect(sink.markable?.lostMarks == Self.expected, "\(sink.name)") }
    }

    @Test("A mark at the end of a split recording belongs to its last file", arguments: ["m4a", "wav"])
    func markAtTheEnd(ending: String) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.\(ending)")
        let source = GatedSource()
        var configuration = RecorderConfiguration()
        configuration.splitting = .every(.seconds(10))
        let recorder = Recorder(configuration, source: .program(source), sinks: [.file(path)])
        try await recorder.start()
        source.release(12_000)
        #expect(await Wait.until { recorder.summary.frameCount == 12_000 })
        recorder.addMark("End")
        source.end()
        await recorder.waitUntilFinished()
        #expect(try chapters(path) == ["0.25 End"])
    }

    @Test("Ogg Opus stores marks in the padding of its tags, and its audio stays the same")
    func opus() async throws {
        let folder = try TemporaryFolder()
        var configuration = RecorderConfiguration()
        configuration.codec = .opus(OpusParameters())
        let sink = RecorderSink.file(folder.path("a.opus"), tags: AudioTags())
        _ = try await record(configuration, to: [sink])
        #expect(try chapters(folder.path("a.opus")) == ["0.25 Mark 1", "1.0 Pause é"])
        #expect(sink.markable?.lostMarks.isEmpty == true)
        // Every page has a valid checksum, or FFmpeg would report it.
        let run = try ProgramRun(ProgramRun.require("ffmpeg"), ["-v", "error", "-i", "a.opus", "-f", "null", "-"], folder: folder.url)
        #expect(run.exitCode == 0 && run.errorText.isEmpty, "\(run.errorText)")
    }

    @Test("Marks are added to the chapters of the tags, in order", arguments: ["m4a", "wav", "flac"])
    func withChapters(ending: String) async throws {
        let folder = try TemporaryFolder()
        var tags = AudioTags()
        tags.title = "Talk"
        tags.chapters = [.init(start: 0, timescale: 1, title: "Start"), .init(start: 1, timescale: 2, title: "Half")]
        let path = folder.path("a.\(ending)")
        _ = try await record(to: [.file(path, tags: tags)])
        #expect(try chapters(path) == ["0.0 Start", "0.25 Mark 1", "0.5 Half", "1.0 Pause é"])
        #expect(try AudioTags(contentsOf: path).title == "Talk")
    }
}
