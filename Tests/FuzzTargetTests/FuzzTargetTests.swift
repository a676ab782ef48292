// SPDX-License-Identifier: Apache-2.0

import Foundation
import FuzzTargets
import Testing

/// The fuzz targets without libFuzzer: what they check of the seeds, and of what once failed.
@Suite struct FuzzTargetTests {
    /// The package's folder.
    private static let package = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let corpus = package.appending(path: "Fuzzing/Corpus")

    @Test("A seed passes the checks of its target, and so does each of its beginnings", arguments: FuzzTarget.all.map(\.name))
    func seeds(name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let seeds = try Self.files(Self.corpus.appending(path: name))
        #expect(!seeds.isEmpty)
        for seed in seeds {
            for count in Set((0...16).map { seed.count * $0 / 16 }) { target.test(Array(seed.prefix(count))) }
        }
    }

    @Test("What once failed in one parser passes the checks of all", arguments: FuzzTarget.all.map(\.name))
    func samples(name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        for sample in try Self.files(Self.package.appending(path: "Tests/RegressionSamples")) { target.test(sample) }
    }

    @Test("Each target has seeds, and each folder of seeds a target")
    func folders() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.corpus.path)
        #expect(folders.sorted() == FuzzTarget.all.map(\.name).sorted())
    }

    /// Returns the contents of the files of a folder, without its README.
    private static func files(_ folder: URL) throws -> [[UInt8]] {
        let paths = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return try paths.filter { $0.pathExtension != "md" }.map { [UInt8](try Data(contentsOf: $0)) }
    }
}
