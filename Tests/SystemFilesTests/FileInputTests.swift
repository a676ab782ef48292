// SPDX-License-Identifier: Apache-2.0

import Foundation
import SystemFiles
import TestSupport
import Testing

@Suite struct FileInputTests {
    /// Bytes that differ at every offset of a few thousand.
    private static let contents = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 8) }

    /// Opens the read end of a pipe; a thread writes `contents` to it in small pieces.
    private func pipeInput() throws -> FileInput {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let writer = OpenFile(owning: ends[1])
        Thread.detachNewThread {
            for start in stride(from: 0, to: Self.contents.count, by: 1_777) {
                try? writer.write(Self.contents[start..<min(start + 1_777, Self.contents.count)])
            }
            try? writer.close()
        }
        return try FileInput(OpenFile(owning: ends[0]), path: "pipe")
    }

    @Test("Concatenated parts with a prefix read, peek and seek like one file")
    func parts() throws {
        let folder = try TemporaryFolder()
        let ranges = [7_000..<90_000, 100..<101, 150_000..<150_000, 120_000..<199_999]
        let whole: [UInt8] = [1, 2, 3] + ranges.map { Self.contents[$0] }.joined()
        for input in [try FileInput(path: folder.write(Self.contents, to: "a")), FileInput(bytes: Self.contents)] {
            let joined = try input.joining(ranges, prefix: [1, 2, 3])
            #expect(joined.fileSize == whole.count && joined.canReopen)
            #expect(Array(try joined.peek(5)) == Array(whole[..<5]))
            var target = [UInt8](repeating: 0, count: 90_000)
            #expect(try joined.read(90_000, into: &target) == 90_000)
            #expect(target == Array(whole[..<90_000]))
            #expect(try joined.readAll() == Array(whole[90_000...]))
            for position in [0, 2, 3, 83_002, 83_003, 83_004, whole.count - 1, whole.count] {
                try joined.seek(to: position)
                #expect(try joined.readFully(10) == Array(whole[position...].prefix(10)))
                #expect(try joined.bytes(in: position..<position + 10) == Array(whole[position...].prefix(10)))
            }
            #expect(try joined.reopened().readAll() == whole)
        }
    }

    @Test("Peeking consumes nothing, in files and pipes")
    func peek() throws {
        let folder = try TemporaryFolder()
        for input in [try FileInput(path: folder.write(Self.contents, to: "a")), try pipeInput()] {
            #expect(Array(try input.peek(5_000)) == Array(Self.contents[..<5_000]))
            #expect(input.position == 0)
            #expect(try input.read(10) == Array(Self.contents[..<10]))
            #expect(Array(try input.peek(FileInput.peekLimit)) == Array(Self.contents[10..<10 + FileInput.peekLimit]))
            var target = [UInt8](repeating: 0, count: 100_000)
            #expect(try input.read(100_000, into: &target) == 100_000)
            #expect(target == Array(Self.contents[10..<100_010]))
            #expect(try input.skip(50_000))
            #expect(try input.readAll() == Array(Self.contents[150_010...]))
            #expect(try input.peek(1).isEmpty && input.readAvailable(10).isEmpty)
            #expect(try input.skip(0) && !input.skip(1))
            #expect(input.position == Self.contents.count)
        }
    }

    @Test("Files have a size and can seek; pipes only after spooling")
    func seek() throws {
        let folder = try TemporaryFolder()
        let file = try FileInput(path: folder.write(Self.contents, to: "a"))
        #expect(file.fileSize == Self.contents.count && file.bytesRemaining == Self.contents.count)
        _ = try file.read(100)
        try file.seek(to: 7)
        #expect(try file.read(3) == Array(Self.contents[7..<10]) && file.bytesRemaining == Self.contents.count - 10)
        #expect(try file.bytes(in: 199_990..<200_010) == Array(Self.contents[199_990...]))

        let pipe = try pipeInput()
        #expect(pipe.fileSize == nil)
        #expect(throws: SystemFileError.notSeekable) { try pipe.seek(to: 0) }
        _ = try pipe.read(4)
        let copy = try pipe.spooled()
        #expect(copy.fileSize == Self.contents.count - 4)
        try copy.seek(to: 6)
        #expect(try copy.readAll() == Array(Self.contents[10...]))
    }

    @Test("The start of a copied pipe is checked once, and an error ends the copy")
    func checkedCopy() throws {
        let pipe = try pipeInput()
        _ = try pipe.read(4)
        var checked: [Int] = []
        let copy = try pipe.spooled(checkedCount: 70_000) { checked.append(try $0.readAll().count) }
        #expect(checked.count == 1 && checked.allSatisfy { 70_000..<140_000 ~= $0 })
        #expect(try copy.readAll() == Array(Self.contents[4...]))

        #expect(throws: SystemFileError.notSeekable) {
            try pipeInput().spooled(checkedCount: 70_000) { _ in throw SystemFileError.notSeekable }
        }
    }

    @Test("Directories and missing files throw distinct errors")
    func errors() throws {
        let folder = try TemporaryFolder()
        #expect(throws: SystemFileError.isDirectory) { try FileInput(path: folder.url.path) }
        #expect(throws: SystemFileError.cannotOpen(code: ENOENT)) { try FileInput(path: folder.path("missing")) }
    }
}
