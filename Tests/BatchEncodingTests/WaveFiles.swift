// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioFiles
import BatchEncoding
import Foundation
import TestSupport

extension TemporaryFolder {
    /// Writes a 16-bit WAV file at 16 kHz, with a tone and noise that depend on the seed.
    ///
    /// Returns its path.
    @discardableResult
    func writeWave(_ name: String, seconds: Double, channels: Int = 1, seed: UInt64 = 1) throws -> String {
        let frames = Int(seconds * 16_000)
        var random = SeededRandom(seed: seed)
        var samples: [UInt8] = []
        samples.reserveCapacity(frames * channels * 2)
        for frame in 0..<frames {
            for channel in 0..<channels {
                let tone = 6000 * sin(Double(frame) * 0.05 * Double(channel + 1) * (1 + Double(seed % 7) / 10))
                let value = Int16(tone + Double.random(in: -400...400, using: &random))
                samples += [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
            }
        }
        func word(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        let format = [1, 0, UInt8(channels), 0] + word(16_000) + word(32_000 * channels) + [UInt8(2 * channels), 0, 16, 0]
        let header = Array("RIFF".utf8) + word(36 + samples.count) + Array("WAVEfmt ".utf8) + word(16) + format
        try FileManager.default.createDirectory(
            at: url.appendingPathComponent(name).deletingLastPathComponent(), withIntermediateDirectories: true)
        return try write(header + Array("data".utf8) + word(samples.count) + samples, to: name)
    }

    func contents(of name: String) throws -> [UInt8] { try bytes(ofFile: path(name)) }

    /// The sorted paths of all files below the folder, including hidden ones.
    var allFiles: [String] {
        let found = FileManager.default.enumerator(atPath: url.path)?.allObjects as? [String] ?? []
        return found.filter {
            var isFolder: ObjCBool = false;
            return FileManager.default.fileExists(atPath: path($0), isDirectory: &isFolder) && !isFolder.boolValue
        }
        .sorted()
    }
}

/// Settings for fast encoding at constant quality.
func fastSettings(quality: Double = 30) -> BatchSettings {
    var configuration = FileConverterConfiguration()
    configuration.settings.effort = .fast
    configuration.settings.rateControl = .variable(quality: quality)
    return BatchSettings(configuration)
}

/// Runs a batch.
///
/// Returns the results by the names of their inputs.
func run(_ files: [BatchFile], _ options: BatchOptions = BatchOptions()) -> [String: BatchResult] {
    let results = ResultCollector()
    BatchEncoder(files, options: options).run { results.add($0) }
    return results.byName
}
