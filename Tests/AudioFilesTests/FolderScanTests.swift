// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import Foundation
import PCMFiles
import TestSupport
import Testing

@Suite struct FolderScanTests {
    /// Makes a folder with files of two bytes.
    private func makeFolder(_ names: [String]) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for name in names {
            let url = URL(fileURLWithPath: folder.path(name))
            try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data([1, 2]).write(to: url)
        }
        return folder
    }

    @Test("Audio files of all levels are found in order; hidden ones and the excluded folder are not")
    func tree() throws {
        let folder = try makeFolder([
            "b.wav", "a/2.FLAC", "a/1.mp3", "a/.hidden.wav", ".git/x.wav", "out/x.m4a", "notes.txt", "a/1.m4a.linnet.json", "a b/c/d.opus",
        ])
        let scan = try FolderScan(folder.url.path, excluding: folder.path("out"))
        #expect(scan.files.map(\.relativePath) == ["a/1.mp3", "a/2.FLAC", "a b/c/d.opus", "b.wav"])
        #expect(scan.files.map(\.byteCount) == [2, 2, 2, 2] && scan.errors.isEmpty)
        #expect(scan.files[0].path == folder.path("a/1.mp3"))
        #expect(try FolderScan(folder.url.path + "/", isRecursive: false).files.map(\.path) == [folder.path("b.wav")])
    }

    @Test("Links to files count as files, those to missing ones too; links to folders are not followed, and pipes are left out")
    func links() throws {
        let folder = try makeFolder(["a/1.wav", "b.wav"])
        for (name, target) in [
            ("a/loop", folder.url.path), ("a/self", "self"), ("other.wav", "a"), ("link.wav", "b.wav"), ("lost.wav", "none.wav"),
            ("lost", "none"),
        ] {
            try FileManager.default.createSymbolicLink(atPath: folder.path(name), withDestinationPath: target)
        }
        #expect(mkfifo(folder.path("pipe.wav"), 0o600) == 0)
        let scan = try FolderScan(folder.url.path)
        #expect(scan.files.map(\.relativePath) == ["a/1.wav", "b.wav", "link.wav", "lost.wav"])
        #expect(scan.files.map(\.byteCount) == [2, 2, 2, nil] && scan.errors.isEmpty)
    }

    @Test("A folder that is missing is an error, one that can't be read inside another is reported beside the other files")
    func unreadable() throws {
        let folder = try makeFolder(["z.wav"])
        #expect(throws: AudioFileError(.cannotOpen(systemCode: ENOENT), path: folder.path("none"))) { try FolderScan(folder.path("none")) }
        // Paths may have 4096 bytes at most, whatever the permissions.
        let name = String(repeating: "d", count: 200)
        let script = "for i in {1..25}; do mkdir \(name); cd \(name); echo >x.wav; done"
        #expect(try ProgramRun.shell(script, folder: folder.url).exitCode == 0)
        defer { _ = try? ProgramRun.shell("rm -r \(name)", folder: folder.url) }
        let scan = try FolderScan(folder.url.path)
        let levels = scan.files.dropLast().map { $0.relativePath.split(separator: "/").count - 1 }
        #expect(levels == Array((1...levels.count).reversed()) && (15..<25).contains(levels.count))
        #expect(scan.files.last?.relativePath == "z.wav")
        #expect(!scan.errors.isEmpty && scan.errors.allSatisfy { $0.code == .cannotOpen(systemCode: ENAMETOOLONG) })
    }
}
