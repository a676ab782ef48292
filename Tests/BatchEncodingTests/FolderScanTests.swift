// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import Foundation
import TestSupport
import Testing

@testable import BatchEncoding

@Suite struct FolderScanTests {
    @Test("Audio files of all levels are found in order; hidden ones, links to folders and the excluded folder are not")
    func tree() throws {
        let folder = try TemporaryFolder()
        for name in ["b.wav", "a/2.FLAC", "a/1.mp3", "a/.hidden.wav", ".git/x.wav", "out/x.m4a", "notes.txt", "a/1.m4a.linnet.json"] {
            let path = folder.path(name)
            try FileManager.default.createDirectory(
                at: URL(fileURLWithPath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data([1, 2]).write(to: URL(fileURLWithPath: path))
        }
        try FileManager.default.createSymbolicLink(atPath: folder.path("a/loop"), withDestinationPath: folder.url.path)
        try FileManager.default.createSymbolicLink(atPath: folder.path("link.wav"), withDestinationPath: "b.wav")
        let files = try FolderScan.files(in: folder.url.path, excluding: folder.path("out"))
        #expect(files.map(\.relativePath) == ["a/1.mp3", "a/2.FLAC", "b.wav", "link.wav"])
        #expect(files.map(\.byteCount) == [2, 2, 2, 2])
        #expect(files[0].path == folder.path("a/1.mp3"))
        #expect(throws: BatchError.self) { try FolderScan.files(in: folder.path("none")) }
    }
}
