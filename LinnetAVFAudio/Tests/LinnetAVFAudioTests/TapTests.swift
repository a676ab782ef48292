// SPDX-License-Identifier: Apache-2.0

import LinnetAVFAudio
import Testing

@Suite struct TapTests {
    @Test("A tap with another sample rate has the times of its audio, also after a gap", arguments: [(48_000, 16_000), (8000, 48_000)])
    func convertedTimes(from inputRate: Int, to outputRate: Int) throws {
        let input = try #require(AVAudioFormat(standardFormatWithSampleRate: Double(inputRate), channels: 1))
        let output = try #require(AVAudioFormat(standardFormatWithSampleRate: Double(outputRate), channels: 1))
        /// The largest samples before and after the gap, with their times in seconds.
        var peaks: [(level: Float, sampleTime: Double, hostTime: Double)] = [(0, 0, 0), (0, 0, 0)]
        let delivery = TapDelivery(to: output, bufferSize: 1000) { buffer, time in
            guard let data = buffer.floatChannelData else { return }
            for frame in 0..<1000 where data[0][frame] > peaks[time.sampleTime < 5 * outputRate ? 0 : 1].level {
                peaks[time.sampleTime < 5 * outputRate ? 0 : 1] = (
                    data[0][frame], Double(Int(time.sampleTime) + frame) / Double(outputRate),
                    Double(time.hostTime) / 1e9 + Double(frame) / Double(outputRate)
                )
            }
        }
        // A click in the middle of two seconds, twice, with a gap of 8 s; the host time starts at 20 s.
        for start in [0, 10 * inputRate] {
            for first in stride(from: start, to: start + 2 * inputRate, by: inputRate / 100) {
                let block = try constant(0, input, frameCount: inputRate / 100)
                if first == start + inputRate { try #require(block.floatChannelData)[0][0] = 1 }
                let host = UInt64(20_000_000_000 + first * 1_000_000_000 / inputRate)
                delivery.append(block, at: AVAudioTime(hostTime: host, sampleTime: Int64(first), atRate: Double(inputRate)))
            }
        }
        for (peak, expected) in zip(peaks, [1.0, 11]) {
            #expect(abs(peak.sampleTime - expected) < 0.001 && abs(peak.hostTime - 20 - expected) < 0.001, "\(peak)")
        }
    }
}
