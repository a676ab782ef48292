// SPDX-License-Identifier: Apache-2.0

import Foundation
import PCMFiles
import TestSupport
import Testing

@Suite struct OutputFileTests {
    @Test("An output becomes visible under its name only when complete")
    func appearsWhole() throws {
        let folder = try TemporaryFolder()
        let file = try OutputFile(path: folder.path("a"))
        try file.write([1, 2, 3])
        #expect(try folder.contents.allSatisfy { $0.hasPrefix(".linnet-") })
        try file.commit()
        #expect(try folder.contents == ["a"])
        #expect(try bytes(ofFile: folder.path("a")) == [1, 2, 3])
        #expect(file.byteCount == 3)
    }

    @Test("A discarded or released output leaves no file")
    func leavesNothing() throws {
        let folder = try TemporaryFolder()
        do {
            let file = try OutputFile(path: folder.path("a"))
            try file.write([1])
            file.discard()
            let other = try OutputFile(path: folder.path("b"))
            try other.write([1])
        }
        #expect(try folder.contents.isEmpty)
    }

    @Test("An existing file is kept unless overwriting was requested; its permissions are kept")
    func overwriting() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write([9], to: "a")
        #expect(throws: AudioFileError(.outputExists, path: path)) { try OutputFile(path: path) }
        chmod(path, 0o640)
        let file = try OutputFile(path: path, overwrites: true)
        try file.write([1, 2])
        #expect(try bytes(ofFile: path) == [9])
        try file.commit()
        #expect(try bytes(ofFile: path) == [1, 2])
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o640)
    }

    @Test("A file created while the output is written is not overwritten")
    func race() throws {
        let folder = try TemporaryFolder()
        let file = try OutputFile(path: folder.path("a"))
        try file.write([1])
        _ = try folder.write([9], to: "a")
        #expect(throws: AudioFileError(.outputExists, path: folder.path("a"))) { try file.commit() }
        #expect(try folder.contents == ["a"])
        #expect(try bytes(ofFile: folder.path("a")) == [9])
    }

    @Test("A symbolic link is kept, and its target is written")
    func link() throws {
        let folder = try TemporaryFolder()
        let target = try folder.write([9], to: "target")
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: target)
        let file = try OutputFile(path: folder.path("link"), overwrites: true)
        try file.write([1])
        try file.commit()
        #expect(try bytes(ofFile: target) == [1])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link")) == target)
    }

    @Test("A symbolic link to a missing file is kept, and the file is created")
    func danglingLink() throws {
        let folder = try TemporaryFolder()
        let files = FileManager.default
        try files.createDirectory(atPath: folder.path("x"), withIntermediateDirectories: false)
        try files.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "x/link")
        try files.createSymbolicLink(atPath: folder.path("x/link"), withDestinationPath: folder.path("x/target"))
        let file = try OutputFile(path: folder.path("link"))
        try file.write([1])
        try file.commit()
        #expect(try bytes(ofFile: folder.path("x/target")) == [1])
        #expect(try files.destinationOfSymbolicLink(atPath: folder.path("link")) == "x/link")
        try files.createSymbolicLink(atPath: folder.path("loop"), withDestinationPath: "loop")
        #expect(throws: AudioFileError(.cannotCreate(systemCode: ELOOP), path: folder.path("loop"))) {
            try OutputFile(path: folder.path("loop"))
        }
    }

    @Test("Input as output, a folder, a missing folder and a full disk throw distinct errors")
    func errors() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write([9], to: "a")
        #expect(throws: AudioFileError(.outputIsInput, path: path)) { try OutputFile(path: path, overwrites: true, input: path) }
        #expect(throws: AudioFileError(.outputIsDirectory, path: folder.url.path)) { try OutputFile(path: folder.url.path) }
        let missing = folder.path("x/y")
        #expect(throws: AudioFileError(.cannotCreate(systemCode: ENOENT), path: missing)) { try OutputFile(path: missing) }
        let full = try OutputFile(path: "/dev/full")
        #expect(throws: AudioFileError(.noSpace, path: "/dev/full")) { try full.write([1]) }
    }
}
