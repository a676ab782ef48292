// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioLoudness
import AudioPrimitives
import Foundation
import PCMFiles
import TestSupport
import Testing

/// Files of FFmpeg with several audio tracks: tones of 400, 800, 1200 and 1600 Hz in English, French, German and Spanish.
@Suite struct AudioTrackTests {
    /// A kind of file.
    struct Kind: Sendable, CustomTestStringConvertible {
        let name: String
        let options: String
        /// The usual names of the codecs.
        let codecs: [String]
        /// The numbers of the tracks that are supported, and that are read by default.
        let supported: [Int]
        let usual: Int
        var testDescription: String { name }
    }

    private static let kinds = [
        Kind(
            name: "a.mp4", options: "-map 4 -c:v mpeg4 -c:a aac -c:a:1 ac3 -c:a:3 libmp3lame -disposition:a:0 0 -disposition:a:2 default",
            codecs: ["AAC", "AC-3", "AAC", "MP3"], supported: [1, 3, 4], usual: 3),
        Kind(
            name: "b.mov", options: "-map 4 -c:v mpeg4 -c:a pcm_s16le -c:a:2 aac -metadata:s:a:2 language=ger",
            codecs: ["PCM", "PCM", "AAC", "PCM"],
            supported: [1, 2, 3, 4], usual: 1),
        Kind(
            name: "c.ts",
            options: "-map 4 -c:v mpeg2video -c:a mp2 -c:a:1 ac3 -c:a:2 aac -program title=A:st=0:st=1 -program title=B:st=2:st=3:st=4",
            codecs: ["MPEG audio", "AC-3", "AAC", "MPEG audio"], supported: [1, 3, 4], usual: 3),
        Kind(
            name: "d.ogg", options: "-map 4 -c:v libtheora -c:a libvorbis -ac 2 -c:a:1 flac -c:a:3 libspeex -ar:a:3 32000",
            codecs: ["Vorbis", "FLAC", "Vorbis", "Speex"], supported: [1, 2, 3], usual: 1),
        Kind(
            name: "e.opus", options: "-c:a libopus -c:a:0 libvorbis -ac:a:0 2 -f ogg", codecs: ["Vorbis", "Opus", "Opus", "Opus"],
            supported: [1, 2, 3, 4], usual: 2),
        Kind(
            name: "f.mkv",
            options: "-map 4 -c:v mpeg4 -c:a libopus -c:a:1 ac3 -c:a:2 flac -c:a:3 libmp3lame -disposition:a:0 0 -disposition:a:2 default",
            codecs: ["Opus", "AC-3", "FLAC", "MP3"], supported: [1, 3, 4], usual: 3),
    ]

    private static let languages = ["eng", "fra", "deu", "spa"]

    /// Returns a folder with a file, whose streams 0 to 3 are tones and stream 4 is video.
    private func folder(_ kind: Kind) throws -> TemporaryFolder {
        try ProgramRun.require("ffmpeg")
        let folder = try TemporaryFolder()
        let tones = (1...4).map { "-f lavfi -i sine=f=\(400 * $0):r=48000:d=1" }.joined(separator: " ")
        let inputs = tones + " -f lavfi -i testsrc=d=1:s=64x64 -map 0 -map 1 -map 2 -map 3"
        let languages = Self.languages.enumerated().map { "-metadata:s:a:\($0) language=\($1)" }.joined(separator: " ")
        let run = try ProgramRun.shell(
            "ffmpeg -v error \(inputs) \(languages) -metadata:s:a:2 title=Kommentar \(kind.options) \(kind.name)", folder: folder.url)
        try #require(run.exitCode == 0, "\(run.errorText)")
        return folder
    }

    /// The number of the track with a tone, according to its zero crossings in the middle.
    private func track(_ buffer: PCMBuffer) -> Int {
        let samples = buffer.channel(0)
        let part = Array(samples[samples.count / 4..<samples.count * 3 / 4])
        let crossings = zip(part, part.dropFirst()).count { ($0 < 0) != ($1 < 0) }
        let frequency = Double(crossings) * Double(buffer.sampleRate) / Double(2 * part.count)
        return abs(frequency.remainder(dividingBy: 400)) < 20 ? Int((frequency / 400).rounded()) : 0
    }

    @Test("Each supported track is chosen by number and language, in files and in memory", arguments: kinds)
    func choices(kind: Kind) throws {
        let folder = try folder(kind)
        let path = folder.path(kind.name)
        #expect(track(try PCMBuffer(contentsOf: path)) == kind.usual)
        for number in 1...4 {
            for text in ["\(number)", Self.languages[number - 1]] {
                let choice = AudioTrackChoice(text)
                guard kind.supported.contains(number) else {
                    let error = #expect(throws: AudioFileError.self) { try PCMBuffer(contentsOf: path, audioTrack: choice) }
                    guard case .unavailableTrack(choice, let tracks)? = error?.code else {
                        Issue.record("\(String(describing: error))")
                        continue
                    }
                    #expect(tracks.map(\.codecName) == kind.codecs)
                    continue
                }
                #expect(track(try PCMBuffer(contentsOf: path, audioTrack: choice)) == number, "\(text)")
            }
            guard kind.supported.contains(number) else { continue }
            let choice = AudioTrackChoice("\(number)")
            #expect(track(try PCMBuffer(decoding: bytes(ofFile: path), audioTrack: choice)) == number)
        }
        let error = #expect(throws: AudioFileError.self) { try PCMBuffer(contentsOf: path, audioTrack: AudioTrackChoice("5")) }
        #expect(error?.description.hasPrefix("no audio track '5' in \(path); the audio tracks are 1 (\(kind.codecs[0]), eng") == true)
    }

    @Test("All tracks are listed with codec, language, title and which one is read", arguments: kinds)
    func lists(kind: Kind) throws {
        let folder = try folder(kind)
        for number in [nil] + kind.supported.map({ Optional($0) }) {
            var decoding = FileDecoderConfiguration()
            decoding.audioTrack = number.map { AudioTrackChoice("\($0)") }
            let file = try AudioFile(path: folder.path(kind.name), decoding: decoding)
            let tracks = file.properties.audioTracks
            #expect(tracks.map(\.number) == [1, 2, 3, 4])
            #expect(tracks.map(\.codecName) == kind.codecs)
            #expect(tracks.map(\.language) == Self.languages)
            #expect(tracks.filter(\.isSupported).map(\.number) == kind.supported)
            #expect(tracks.filter(\.isRead).map(\.number) == [number ?? kind.usual])
            // MPEG-TS has no titles.
            if kind.name != "c.ts" { #expect(tracks.map(\.name) == [nil, nil, "Kommentar", nil]) }
            if kind.name == "a.mp4" { #expect(tracks.map(\.isDefault) == [false, false, true, false]) }
        }
    }

    @Test(
        "A file is seeked, converted on several threads and measured in the chosen track",
        arguments: [("a.mp4", "deu"), ("a.mp4", "4"), ("b.mov", "4"), ("b.mov", "de")])
    func otherReaders(name: String, text: String) async throws {
        let kind = try #require(Self.kinds.first { $0.name == name })
        let folder = try folder(kind)
        let choice = AudioTrackChoice(text)
        let number = text.hasPrefix("de") ? 3 : Int(text) ?? 0
        var decoding = FileDecoderConfiguration()
        decoding.audioTrack = choice
        let file = try AudioFile(path: folder.path(name), decoding: decoding)
        var buffer = PCMBuffer(sampleRate: file.sampleRate, channelCount: file.channelCount, frameCapacity: 10_000)
        for start in [20_000, 5000] {
            try file.seek(toFrame: start)
            try file.read(into: &buffer)
            #expect(track(buffer) == number)
        }
        var configuration = FileConverterConfiguration()
        configuration.decoding = decoding
        configuration.threadCount = 2
        let outputs = ["x.m4a", "x.flac"].map { folder.path($0) }
        for output in outputs {
            let summary = try await FileConverter(input: folder.path(name), output: output, configuration: configuration).run()
            #expect(track(try PCMBuffer(contentsOf: output)) == number)
            // Who has chosen a track knows of the others.
            #expect(!summary.notes.contains { if case .otherTracksLeftOut = $0 { true } else { false } })
        }
        let joined = folder.path("j.wav")
        try await FileConverter(joining: [folder.path(name), folder.path(name)], output: joined, configuration: configuration).run()
        #expect(track(try PCMBuffer(contentsOf: joined)) == number)
        let loudness = try await FileLoudness(of: .file(folder.path(name), audioTrack: choice)).run()
        #expect(loudness.integrated != nil)
    }

    @Test(
        "Access units of the chosen track are copied and probed",
        arguments: [("a.mp4", 1, "x.aac"), ("c.ts", 3, "x.m4a"), ("e.opus", 4, "x.m4a")])
    func copies(name: String, number: Int, output: String) async throws {
        let kind = try #require(Self.kinds.first { $0.name == name })
        let folder = try folder(kind)
        var configuration = FileRemuxerConfiguration()
        configuration.audioTrack = AudioTrackChoice("\(number)")
        try await FileRemuxer(input: folder.path(name), output: folder.path(output), configuration: configuration).run()
        #expect(track(try PCMBuffer(contentsOf: folder.path(output))) == number)
        let summary = try ProbeSummary(contentsOf: folder.path(name), audioTrack: configuration.audioTrack)
        #expect(summary.audioTracks.filter(\.isRead).map(\.number) == [number])
        let copy = try ProbeSummary(contentsOf: folder.path(output))
        #expect(copy.payloadByteCount == summary.payloadByteCount && copy.accessUnitCount == summary.accessUnitCount)
    }

    @Test("A format without tracks has only track 1")
    func singleTrack() async throws {
        let folder = try TemporaryFolder()
        let chord = ChordFile(frameCount: 4000)
        let path = folder.path("a.wav")
        let raw = try folder.write(chord.bytes, to: "a.raw")
        try await FileConverter(input: raw, output: path, configuration: chord.configuration).run()
        #expect(try PCMBuffer(contentsOf: path, audioTrack: AudioTrackChoice("1")) == PCMBuffer(contentsOf: path))
        for text in ["2", "eng"] {
            let error = #expect(throws: AudioFileError.self) { try PCMBuffer(contentsOf: path, audioTrack: AudioTrackChoice(text)) }
            #expect(error?.code == .unavailableTrack(AudioTrackChoice(text), []))
        }
    }
}
