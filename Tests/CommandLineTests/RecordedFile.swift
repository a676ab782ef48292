// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

enum RecordedFile {
    /// Returns the 16-bit samples of a WAV file.
    static func samples(_ path: String) throws -> [Int16] {
        let wave = try Data(contentsOf: URL(filePath: path))
        let chunk = try #require(wave.range(of: Data("data".utf8)))
        return wave[(chunk.upperBound + 4)...].withUnsafeBytes { bytes in
            (0..<bytes.count / 2).map { bytes.loadUnaligned(fromByteOffset: $0 * 2, as: Int16.self) }
        }
    }

    /// Returns the sample rate and the number of channels of a WAV file.
    static func format(_ path: String) throws -> (sampleRate: Int, channelCount: Int) {
        let wave = try Data(contentsOf: URL(filePath: path))
        let start = try #require(wave.range(of: Data("fmt ".utf8))).upperBound + 4
        return wave[start...].withUnsafeBytes { bytes in
            let channelCount = bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self)
            return (Int(bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)), Int(channelCount))
        }
    }

    static func accessUnitCount(_ path: String) throws -> Int {
        let run = try LinnetProgram.run("probe", "--json", path)
        #expect(run.exitCode == 0, "\(run.errorText)")
        let reports = try run.jsonObjects()
        let text = String(decoding: run.output, as: UTF8.self)
        return try #require((reports.first?["accessUnits"] ?? reports.first?["frames"]) as? Int, "\(text.prefix(800))")
    }
}
