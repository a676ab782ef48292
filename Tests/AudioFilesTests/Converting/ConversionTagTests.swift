// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioFiles
import AudioMetadata
import AudioPrimitives
import PCMFiles
import TestSupport
import Testing

/// Tags and covers of converted files.
@Suite struct ConversionTagTests {
    private static let cover = AudioTags.Picture(format: .png, bytes: [0x89, 0x50, 0x4E, 0x47] + (0..<300).map { UInt8($0 & 255) })

    /// Converts a fully tagged file to another format and then to M4A, which supports all tags.
    ///
    /// Returns the remaining tags.
    private func tags(by name: String, _ folder: TemporaryFolder) throws -> (tags: AudioTags, notes: [ConversionNote]) {
        try folder.writeChord(frameCount: 3000)
        try folder.convert("in.wav", "a.m4a") {
            $0.tags.title = "Title"
            $0.tags.artist = "Ä"
            $0.tags.album = "Album"
            $0.tags.date = "2026"
            $0.tags.cover = Self.cover
        }
        let summary = try folder.convert("a.m4a", name)
        try folder.convert(name, "b.m4a")
        return (try FileDecoder(path: folder.path("b.m4a")).metadata.tags, summary.notes)
    }

    @Test(
        "Keeps supported tags and covers; a note lists the others",
        arguments: [
            ("x.m4a", []), ("x.opus", []), ("x.wav", []), ("x.flac", []), ("x.caf", ["cover"]), ("x.aiff", []),
            ("x.aac", ["title", "artist", "album", "date", "cover"]),
        ])
    func kept(name: String, lost: [String]) throws {
        let folder = try TemporaryFolder()
        let (tags, notes) = try tags(by: name, folder)
        #expect(tags.title == (lost.contains("title") ? nil : "Title"))
        #expect(tags.artist == (lost.contains("artist") ? nil : "Ä"))
        #expect(tags.album == (lost.contains("album") ? nil : "Album"))
        #expect(tags.date == (lost.contains("date") ? nil : "2026"))
        #expect(tags.cover == (lost.contains("cover") ? nil : Self.cover))
        let format = try #require(AudioFileFormat(path: name))
        #expect(notes.contains(.tagsLeftOut(lost, format: format)) == !lost.isEmpty)
    }

    @Test("Requested tags replace the input's; unsupported ones throw")
    func requested() throws {
        let folder = try TemporaryFolder()
        try folder.writeChord(frameCount: 1000)
        try folder.convert("in.wav", "a.flac") {
            $0.tags.title = "Old"
            $0.tags.artist = "Artist"
        }
        try folder.convert("a.flac", "b.flac") { $0.tags.title = "New" }
        let tags = try PCMFileReader(path: folder.path("b.flac")).properties.tags
        #expect(tags.title == "New" && tags.artist == "Artist")
        let format = try #require(AudioFileFormat(fileExtension: "raw"))
        #expect(throws: AudioFileError(.tagsNotStorable(["title"], format), path: folder.path("c.raw"))) {
            try folder.convert("a.flac", "c.raw") { $0.tags.title = "New" }
        }
        #expect(try !folder.contents.contains("c.raw"))
    }

    @Test("Keeps the cover of a FLAC file")
    func coverOfFLAC() throws {
        let ffmpeg = try ProgramRun.require("ffmpeg")
        let folder = try TemporaryFolder()
        try folder.writeChord(frameCount: 1000)
        let made = try ProgramRun.shell(
            "'\(ffmpeg)' -v error -f lavfi -i color=red:s=16x16 -frames:v 1 c.png && "
                + "'\(ffmpeg)' -v error -i in.wav -i c.png -map 0 -map 1 -disposition:v attached_pic -metadata title=T a.flac",
            folder: folder.url)
        #expect(made.exitCode == 0, "\(made.errorText)")
        try folder.convert("a.flac", "a.m4a")
        let tags = try FileDecoder(path: folder.path("a.m4a")).metadata.tags
        #expect(tags.title == "T")
        #expect(tags.cover?.bytes == (try bytes(ofFile: folder.path("c.png"))))
    }
}
