// SPDX-License-Identifier: Apache-2.0

import Foundation
import SystemFiles
import TestSupport
import Testing

@Suite struct OrphanedFilesTests {
    @Test("Removes hidden files of killed writers only")
    func removal() throws {
        let folder = try TemporaryFolder()
        let output = try FileOutput(path: folder.path("a"))
        try output.write([1, 2, 3])
        _ = try folder.write([1], to: ".linnet-1-1")
        _ = try folder.write([1], to: "linnet-1-1")
        #expect(OrphanedFiles.remove(in: folder.url.path) == 1)
        try output.commit()
        #expect(try folder.contents == ["a", "linnet-1-1"])
        #expect(OrphanedFiles.remove(in: folder.path("none")) == 0)
    }

    @Test("Leaves a hidden file with the same number, from another machine, alone")
    func names() throws {
        let folder = try TemporaryFolder()
        let first = try FileOutput(path: folder.path("a"))
        let path = try #require(first.partialPath)
        let number = try #require(path.split(separator: "-").last.flatMap { Int($0) })
        for next in number + 1...number + 40 {
            _ = try folder.write([9], to: path.replacing("-\(number)", with: "-\(next)").components(separatedBy: "/").last ?? "")
        }
        let second = try FileOutput(path: folder.path("b"))
        try second.write([7])
        try second.commit()
        #expect(try bytes(ofFile: folder.path("b")) == [7])
    }
}
