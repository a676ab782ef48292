// SPDX-License-Identifier: Apache-2.0

import Foundation
import Linnet
import Testing

/// The message that a program with `import Linnet` shows for an `any Error`.
@Suite struct LocalizedErrorTests {
    static let errors: [(any Error, String)] = [
        (CodecError.unsupportedChannelCount(9, allowed: [1, 2]), "9"),
        (CodecError.unsupportedCodec("abcd"), "abcd"),
        (AudioFileError(.noAccessUnits, path: "a.aac"), "a.aac"),
        (ContainerError.noSyncword(offset: 77), "77"),
        (DeviceError.deviceNotFound("hw:7", available: []), "hw:7"),
        (DeviceError.encoding(ContainerError.noSyncword(offset: 77)), "77"),
        (CodecError.libraryMissing(.opus), "libopus"),
        (AudioFileError(.libraryMissing(.flac), path: "c.flac"), "c.flac"),
        (SignalComparisonError.channelCounts(1, 2), "2"),
        (StreamingError.hostNotFound(host: "radio.example", reason: "no such name"), "radio.example"),
        (StreamingError.invalidAddress("rtmp:", reason: "no host"), "no host"),
    ]

    @Test func `Damage includes the codec's finding`() throws {
        var bytes = try PCMBuffer(channels: [[Float](repeating: 0, count: 4096)], sampleRate: 48_000).encoded(as: .adts)
        let first = try ADTSHeader(parsing: bytes).frameLength
        let second = try ADTSHeader(parsing: Array(bytes[first...])).frameLength
        for index in first + 7..<first + second { bytes[index] = 0xA5 }
        let file = try AudioFile(bytes: bytes)
        var buffer = PCMBuffer(sampleRate: file.sampleRate, channelCount: file.channelCount, frameCapacity: 4096)
        while try file.read(into: &buffer) {}
        let damage = try #require(file.statistics.firstDamage)
        #expect(damage.localizedDescription == "\(damage)")
    }

    @Test(arguments: errors.indices) func `Each error includes its value`(index: Int) {
        let (error, value) = Self.errors[index]
        #expect(error.localizedDescription == "\(error)" && error.localizedDescription.contains(value))
    }
}
