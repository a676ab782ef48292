// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import Foundation
import LiveAudio
import MPEG4Audio
import TestSupport

/// Access units of a stream in `Tests/Vectors`, repeated as needed.
struct SampleStream {
    let format: RecordingFormat
    private let payloads: [[UInt8]]

    /// Reads an AAC-LC stream.
    init(_ name: String) throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        guard let frames = ADTSFrames(try bytes(ofFile: tests.appending(path: "Vectors/\(name).aac").path)), frames.frequencyIndex == 3
        else {
            throw CocoaError(.fileReadCorruptFile)
        }
        payloads = frames.accessUnits
        let count = frames.channelConfiguration
        format = RecordingFormat(
            sampleRate: 48_000, channelCount: count,
            configuration: .aac(
                AudioSpecificConfig(sampleRate: 48_000, channelConfiguration: ChannelConfiguration(channelCount: count))),
            framesPerUnit: 1024, primingFrames: 2112, bitRate: 96_000)
    }

    func payload(_ number: Int) -> [UInt8] { payloads[number % payloads.count] }

    func accessUnit(_ number: Int) -> AccessUnit {
        AccessUnit(
            payload: payload(number), presentationTime: MediaTime(value: Int64(number) * 1024 - 2112, timescale: 48_000), duration: 1024)
    }

    /// Returns an access unit's timestamp, in milliseconds from the first one.
    func timestamp(_ number: Int) -> Int64 {
        // Multiples of 1024/48 ms, starting at -44 ms.
        Int64((Double(number * 1024 - 2112) / 48).rounded(.down)) + 44
    }
}

/// Waits up to half a minute until a condition holds.
///
/// Returns whether it holds.
func waits(until condition: () throws -> Bool) async rethrows -> Bool {
    for _ in 0..<1500 {
        if try condition() { return true }
        try? await Task.sleep(for: .milliseconds(20))
    }
    return false
}
