// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import Foundation
import PCMFiles
import TestSupport
import Testing

@Suite struct FolderScanTests {
    /// Creates a folder with two-byte files.
    private func makeFolder(_ names: [String]) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for name in names {
            let url = URL(fileURLWithPath: folder.path(name))
            try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data([1, 2]).write(to: url)
        }
        return folder
    }

    @Test("Finds audio files of all levels in order; skips hidden ones and the excluded folder")
    func tree() throws {
        let folder = try makeFolder([
            "b.wav", "a/2.FLAC", "a/1.mp3", "a/.hidden.wav", ".git/x.wav", "out/x.m4a", "notes.txt", "a/1.m4a.linnet.json", "a b/c/d.opus",
            "radio.dabp",
        ])
        let scan = try FolderScan(folder.url.path, excluding: folder.path("out"))
        #expect(scan.files.map(\.relativePath) == ["a/1.mp3", "a/2.FLAC", "a b/c/d.opus", "b.wav", "radio.dabp"])
        #expect(scan.files.map(\.byteCount) == [2, 2, 2, 2, 2] && scan.errors.isEmpty)
        #expect(scan.files[0].path == folder.path("a/1.mp3"))
        #expect(try FolderScan(folder.url.path + "/", isRecursive: false).files.map(\.relativePath) == ["b.wav", "radio.dabp"])
    }

    @Test("Finds the files of all formats that are read", arguments: ["mp1", "mp2", "voc", "8svx", "w64", "AIFC", "mka"])
    func formats(fileExtension: String) throws {
        let folder = try makeFolder(["a." + fileExtension, "b.txt"])
        #expect(try FolderScan(folder.url.path).files.map(\.relativePath) == ["a." + fileExtension])
    }

    @Test("Includes links to files, even dangling ones; skips links to folders and pipes")
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

    @Test("A missing folder throws; an unreadable subfolder is reported along with the other files")
    func unreadable() throws {
        let folder = try makeFolder(["z.wav"])
        #expect(throws: AudioFileError(.cannotOpen(systemCode: ENOENT), path: folder.path("none"))) { try FolderScan(folder.path("none")) }
        // Paths are limited to 4096 bytes, regardless of permissions.
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
