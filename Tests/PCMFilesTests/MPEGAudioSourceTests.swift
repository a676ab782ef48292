// SPDX-License-Identifier: Apache-2.0

import AudioMetadata
import AudioPrimitives
import Foundation
import PCMFiles
import TestSupport
import Testing

/// MPEG audio from LAME and FFmpeg, decoded by libmpg123.
@Suite struct MPEGAudioSourceTests {
    /// Returns a folder with the output of a shell command that reads `a.wav`: two seconds of stereo noise below 3 kHz.
    private func folder(_ command: String) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let source = "-f lavfi -i anoisesrc=d=2:r=44100:seed=3:a=0.3,lowpass=f=3000,aformat=channel_layouts=stereo -bitexact a.wav"
        _ = try folder.write(ProgramRun.file("a.wav", by: "ffmpeg -v error \(source)"), to: "a.wav")
        let run = try ProgramRun.shell(command, folder: folder.url)
        try #require(run.exitCode == 0, "\(run.errorText)")
        return folder
    }

    @Test(
        "Every version, mode and rate has the length of its source and matches FFmpeg's samples",
        arguments: [
            "lame --quiet -b 320", "lame --quiet -V 0", "lame --quiet -V 9", "lame --quiet --abr 100", "lame --quiet -m m",
            "lame --quiet -m s",
            "lame --quiet -m d -b 192", "lame --quiet -p -b 128",
            "lame --quiet --resample 48 -b 96", "lame --quiet --resample 32 --nores", "lame --quiet --id3v2-only --tt T -b 128",
        ].selectedCases)
    func modes(command: String) throws {
        let folder = try folder("\(command) a.wav b.mp3 && ffmpeg -v error -i b.mp3 -f f32le b.pcm")
        let read = try readAll(folder.path("b.mp3"))
        let (rate, channelCount) = (read.reader.properties.sampleRate, read.channels.count)
        let raw = AudioFormat(.float32, sampleRate: rate, channelCount: channelCount)
        let theirs = try readAll(folder.path("b.pcm"), raw: raw)
        #expect(read.channels[0].count == 2 * rate && theirs.channels[0].count == 2 * rate)
        #expect(read.reader.properties.frameCount == 2 * rate && read.reader.warnings.isEmpty)
        for channel in 0..<channelCount { #expect(signalToNoise(theirs.channels[channel], read.channels[channel]) > 80) }
    }

    @Test("24 kHz frames match LAME's decoder, from which FFmpeg 5.1 differs by 35 dB")
    func lowRate() throws {
        let folder = try folder("lame --quiet --resample 24 -b 64 a.wav b.mp3 && lame --quiet --decode b.mp3 c.wav")
        let (read, theirs) = (try readAll(folder.path("b.mp3")), try readAll(folder.path("c.wav")))
        #expect(read.channels[0].count == 48_000 && theirs.channels[0].count == 48_000)
        // LAME writes 16 bits.
        for channel in 0..<2 { #expect(signalToNoise(theirs.channels[channel], read.channels[channel]) > 70) }
    }

    @Test("A file whose frames are too small for a tag is read from the first frame to the last")
    func untagged() throws {
        let folder = try folder("lame --quiet --resample 8 -m m -b 16 a.wav b.mp3 && ffmpeg -v error -i b.mp3 -f f32le b.pcm")
        let read = try readAll(folder.path("b.mp3"))
        let theirs = try readAll(folder.path("b.pcm"), raw: AudioFormat(.float32, sampleRate: 8000, channelCount: 1))
        #expect(read.channels[0].count == theirs.channels[0].count && read.reader.warnings.isEmpty)
        #expect(signalToNoise(theirs.channels[0], read.channels[0]) > 80)
    }

    @Test(
        "Reads free format, layer II, junk before the first frame, and old tags",
        arguments: [
            "lame --quiet --freeformat -b 200 a.wav b.mp3", "ffmpeg -v error -i a.wav -f mp2 b.mp3",
            "lame --quiet -b 128 a.wav c.mp3 && head -c 20000 /dev/zero | cat - c.mp3 >b.mp3",
            "lame --quiet -b 128 --id3v1-only --tt T a.wav b.mp3",
        ])
    func unusual(command: String) throws {
        let folder = try folder(command)
        let read = try readAll(folder.path("b.mp3"))
        let wanted = try readAll(folder.path("a.wav")).channels
        #expect((88_200..<92_000).contains(read.channels[0].count) && read.reader.warnings.isEmpty)
        #expect(read.reader.properties.containerName == "MPEG audio")
        let best = (0..<2400).map { signalToNoise(wanted[0][20_000..<40_000], read.channels[0][(20_000 + $0)...]) }.max()
        #expect(best ?? 0 > 10)
    }

    @Test(
        "Damaged bytes become silence of the same length and are reported",
        arguments: [1, 2, 3, 4] as [UInt64])
    func damaged(seed: UInt64) throws {
        let folder = try folder("lame --quiet -b 128 a.wav b.mp3")
        let wanted = try readAll(folder.path("b.mp3")).channels
        var file = try bytes(ofFile: folder.path("b.mp3"))
        var random = SeededRandom(seed: seed)
        for index in 10_000..<14_000 { file[index] = UInt8.random(in: 0...255, using: &random) }
        let path = try folder.write(file, to: "c.mp3")
        let read = try readAll(path)
        #expect(read.channels[0].count == wanted[0].count)
        guard case .silenced(path, let loss, 44_100)? = read.reader.warnings.first else {
            Issue.record("\(read.reader.warnings)")
            return
        }
        #expect(read.reader.warnings.count == 1 && (9...13).contains(loss.frameCount / 1152), "seed \(seed): \(loss)")
        #expect((20_000..<30_000).contains(loss.firstFrame))
        #expect(signalToNoise(wanted[0][50_000...], read.channels[0][50_000...]) > 60, "seed \(seed)")
        #expect(read.channels[0][..<20_000].elementsEqual(wanted[0][..<20_000]))
    }

    @Test(
        "A free-format tag, and padding longer than a frame, yield the length of the source",
        arguments: [
            ("lame --quiet --freeformat -b 400 a.wav b.mp3", 88_200),
            ("lame --quiet --freeformat -m m -b 200 --resample 22.05 a.wav b.mp3", 44_100),
            ("sox a.wav t.wav rate 12000 trim 0 12123s && lame --quiet -b 56 t.wav b.mp3", 12_123),
        ])
    func exactLength(command: String, frameCount: Int) throws {
        let folder = try folder(command)
        let read = try readAll(folder.path("b.mp3"))
        #expect(read.channels[0].count == frameCount && read.reader.warnings.isEmpty, "\(read.reader.warnings)")
        #expect(read.reader.properties.gaplessInfo?.validFrames == frameCount)
    }

    @Test("A tag between frames is not damage, and concatenated files are read to their end")
    func joined() throws {
        let folder = try folder(
            "lame --quiet -t -b 128 a.wav b.mp3 && lame --quiet -t -b 128 --add-id3v2 --tt T a.wav c.mp3 && cat b.mp3 c.mp3 >d.mp3")
        let (first, second) = (try readAll(folder.path("b.mp3")).channels[0].count, try readAll(folder.path("c.mp3")).channels[0].count)
        let read = try readAll(folder.path("d.mp3"))
        #expect(read.channels[0].count == first + second && read.reader.warnings.isEmpty, "\(read.reader.warnings)")
        let tagged = try self.folder("lame --quiet -b 128 a.wav b.mp3 && cat b.mp3 b.mp3 >d.mp3")
        let both = try readAll(tagged.path("d.mp3"))
        #expect(both.channels[0].count > 2 * 88_200)
        #expect(
            both.reader.warnings == [.continues(path: tagged.path("d.mp3"), declaredFrames: 88_200, foundFrames: both.channels[0].count)])
    }

    @Test(
        "A part with another sample rate or channel count keeps its duration, and is reported once",
        arguments: [("--resample 48", 48_000, 2), ("--resample 22.05", 22_050, 2), ("-m m", 44_100, 1)])
    func otherFormat(options: String, sampleRate: Int, channelCount: Int) throws {
        let folder = try folder(
            """
            ffmpeg -v error -f lavfi -i sine=1000:d=2:r=44100 -ac 2 s.wav
            lame --quiet -t -b 96 --resample 44.1 s.wav b.mp3; lame --quiet -t -b 96 \(options) s.wav c.mp3; cat b.mp3 c.mp3 >d.mp3
            """)
        let (first, read) = (try readAll(folder.path("b.mp3")), try readAll(folder.path("d.mp3")))
        #expect(read.channels.count == 2 && read.reader.properties.sampleRate == 44_100)
        let count = read.channels[0].count - first.channels[0].count
        // The second part has priming, padding and a frame for the bit reservoir.
        #expect((88_200..<88_200 + 4 * 1152 * 2).contains(count), "\(count)")
        let path = folder.path("d.mp3")
        #expect(
            read.reader.warnings.filter { if case .continues = $0 { false } else { true } } == [
                .converted(path: path, partCount: 1, sampleRate: sampleRate, channelCount: channelCount)
            ])
        // Silence inside of the second part's frames would split its tone.
        let part = read.channels[0][(first.channels[0].count + 10_000)..<(first.channels[0].count + 50_000)]
        let crossings = zip(part, part.dropFirst()).count { $0 < 0 && $1 >= 0 }
        #expect(abs(crossings - 40_000 * 1000 / 44_100) < 10, "\(crossings)")
        try read.reader.seek(toFrame: 0)
        var buffer = PCMBuffer(sampleRate: 44_100, channelCount: 2, frameCapacity: 100_000)
        repeat { try read.reader.read(into: &buffer) } while buffer.frameCount > 0
        #expect(read.reader.warnings.count { if case .converted(_, 1, _, _) = $0 { true } else { false } } == 1)
        // The frames of the parts have different lengths, which a new reader does not know.
        buffer = PCMBuffer(sampleRate: 44_100, channelCount: 2, frameCapacity: 3000)
        for reader in [read.reader, try PCMFileReader(path: path)] {
            for start in [40_000, 140_000] {
                try reader.seek(toFrame: start)
                try reader.read(into: &buffer)
                #expect(signalToNoise(read.channels[0][start..<start + 3000], buffer.channel(0)[...]) > 60, "from \(start) on")
            }
        }
    }

    @Test("Seeks to any frame", arguments: ["lame --quiet -V 4 a.wav b.mp3", "lame --quiet -t -V 4 a.wav b.mp3"])
    func seeking(command: String) throws {
        let folder = try folder(command)
        let all = try readAll(folder.path("b.mp3")).channels
        let reader = try PCMFileReader(path: folder.path("b.mp3"))
        var buffer = PCMBuffer(sampleRate: 44_100, channelCount: 2, frameCapacity: 3000)
        for start in [50_000, 0, 1, 1151, 80_000, 87_000] {
            try reader.seek(toFrame: start)
            try reader.read(into: &buffer)
            let end = min(start + 3000, all[0].count)
            #expect(buffer.frameCount == end - start && signalToNoise(all[0][start..<end], buffer.channel(0)[...]) > 60, "from \(start) on")
        }
    }

    @Test("The library prints nothing, and both kinds of ID3 texts are read")
    func tags() throws {
        let folder = try folder(
            "lame --quiet --tt Tïtle --ta Ärtist --tl Album --ty 2026 a.wav b.mp3 && lame --quiet --id3v1-only --tt T --ta A --tl L --ty 1999 a.wav c.mp3"
        )
        let new = try PCMFileReader(path: folder.path("b.mp3")).properties.tags
        #expect(new.title == "Tïtle" && new.artist == "Ärtist" && new.album == "Album" && new.date == "2026")
        let old = try PCMFileReader(path: folder.path("c.mp3")).properties.tags
        #expect(old.title == "T" && old.artist == "A" && old.album == "L" && old.date == "1999")
    }
}
