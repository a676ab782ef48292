// SPDX-License-Identifier: Apache-2.0

import Foundation
import SystemFiles
import TestSupport
import Testing

@Suite struct FolderTests {
    @Test("Creates missing parents; existing folders and links to them are accepted", arguments: ["", "/", "//"])
    func creation(end: String) throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: ".")
        for name in ["a", "a", "a/b/c", "a//d/e", "link/f"] {
            try Folder.create(folder.path(name) + end)
            #expect(Folder.exists(folder.path(name)))
        }
        #expect(try Folder.names(in: folder.url.path) == ["a", "f", "link"])
        #expect(try Folder.names(in: folder.path("a")) == ["b", "d"])
    }

    @Test("A file in the way throws")
    func failures() throws {
        let folder = try TemporaryFolder()
        try Data().write(to: URL(fileURLWithPath: folder.path("file")))
        #expect(throws: SystemFileError.cannotCreate(code: ENOTDIR)) { try Folder.create(folder.path("file")) }
        #expect(throws: SystemFileError.cannotCreate(code: ENOTDIR)) { try Folder.create(folder.path("file/a/b")) }
        #expect(throws: SystemFileError.cannotCreate(code: ENOENT)) { try Folder.create("") }
        #expect(throws: SystemFileError.cannotOpen(code: ENOENT)) { try Folder.names(in: folder.path("none")) }
        #expect(!Folder.exists(folder.path("file")))
    }

    @Test("The status of a link is its target's or its own")
    func links() throws {
        let folder = try TemporaryFolder()
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: folder.path("file")))
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "file")
        let status = try FileStatus(of: folder.path("link"))
        #expect(status.kind == .regular && status.byteCount == 3)
        #expect(try status == FileStatus(of: folder.path("file")) && status == OpenFile(reading: folder.path("link")).status())
        let own = try FileStatus(of: folder.path("link"), followsLinks: false)
        #expect(own.kind == .link && own.byteCount == nil && own.identity != status.identity)
        #expect(abs(Double(status.modified) * 1e-9 - Date().timeIntervalSince1970) < 60)
    }
}
