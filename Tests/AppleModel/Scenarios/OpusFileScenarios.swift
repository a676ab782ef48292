// SPDX-License-Identifier: Apache-2.0

#if MODEL_IOS
import AppleModel
import AudioFiles
import AudioPrimitives
import Darwin
import OpusCodec
import PCMFiles

/// Complete Opus files.
let opusFileScenarios: [Scenario] = [
    Scenario(name: "opus-file", expectation: "PCM to Ogg Opus and back, in memory and by files: exact length and position") { report in
        for (sampleRate, channelCount, frameCount) in [(48_000, 2, 50_001), (16_000, 1, 1), (24_000, 2, 24_000), (48_000, 1, 647)] {
            do {
                let signal = OpusStream.tones(sampleRate: sampleRate, channelCount: channelCount, frameCount: frameCount)
                let name = "\(frameCount) frames at \(sampleRate) Hz"
                let decoded = try PCMBuffer(decoding: signal.encoded(as: .oggOpus, bitRate: 96_000))
                let expected = frameCount * 48_000 / sampleRate
                report.check(decoded.frameCount == expected, "\(name): \(decoded.frameCount) frames in memory")
                let path = (getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp") + "/opus-\(frameCount)"
                let file = fopen(path + ".wav", "w")
                let bytes = try signal.encoded(as: .wav)
                fwrite(bytes, 1, bytes.count, file)
                fclose(file)
                _ = try FileConverter(input: path + ".wav", output: path + ".opus").run { _ in true }
                _ = try FileConverter(input: path + ".opus", output: path + "-decoded.wav").run { _ in true }
                let again = try PCMBuffer(contentsOf: path + "-decoded.wav")
                report.check(again.frameCount == expected, "\(name): \(again.frameCount) frames by files")
                guard sampleRate == 48_000, frameCount > 960 else { continue }
                for output in [decoded, again] {
                    let level = OpusStream.level(signal.channel(0), output.channel(0))
                    report.check(level > 15, "\(name): \(level) dB")
                }
            } catch {
                report.check(false, "\(error)")
            }
        }
    }
]
#endif
