// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing
import TransformCoding
import TransformEncoding

@Suite struct TransientDetectorTests {
    /// The maximum pre-echo excess of any window of a signal, with noise 15 dB below the signal.
    private func maximumPreEchoExcess(_ sound: [Float], of part: KeyPath<TransientDetector.PreEchoExcess, Float> = \.total) -> Float {
        var detector = TransientDetector(blockLength: 1024)
        let padded = [0, 0, 0, 0] + sound
        var largest: Float = 0
        for start in stride(from: 0, to: sound.count - 1023, by: 1024) {
            detector.append(padded.span.extracting(start..<start + 1028))
            if start >= 4096 { largest = max(largest, detector.preEchoExcess()[keyPath: part]) }
        }
        return largest
    }

    private static let length = 12 * 1024

    /// Soft noise with identical pulses of 16 samples every `period` samples.
    private func pulses(every period: Int) -> [Float] {
        var random = SeededRandom(seed: 6)
        let pulse = (0..<16).map { _ in Float.random(in: -8_000...8_000, using: &random) }
        return (0..<Self.length).map { index in
            Float.random(in: -4...4, using: &random) + (index % period < 16 ? pulse[index % period] : 0)
        }
    }

    @Test("A click tens of milliseconds after others has a pre-echo excess")
    func slowPulses() {
        #expect(maximumPreEchoExcess(pulses(every: 2_400)) > 200)
    }

    @Test("The pulses of a low voice have a pre-echo excess but are not isolated", arguments: [45, 65, 100])
    func slowerPulses(hertz: Int) {
        let voice = pulses(every: 48_000 / hertz)
        #expect(maximumPreEchoExcess(voice) > 60)
        #expect(maximumPreEchoExcess(voice, of: \.isolated) == 0)
        #expect(maximumPreEchoExcess(pulses(every: 2_400), of: \.isolated) > 200)
    }

    @Test("Only an isolated transient triggers TNS", arguments: [45, 65, 100, 200, 280])
    func isolatedAttacks(hertz: Int) {
        func windowsWithAttack(_ sound: [Float]) -> Int {
            var detector = TransientDetector(blockLength: 1024)
            let padded = [0, 0, 0, 0] + sound
            return stride(from: 0, to: sound.count - 1023, by: 1024).reduce(0) { count, start in
                detector.append(padded.span.extracting(start..<start + 1028))
                return count + (start >= 4096 && detector.hasIsolatedAttack ? 1 : 0)
            }
        }
        #expect(windowsWithAttack(pulses(every: 48_000 / hertz)) == 0)
        #expect(windowsWithAttack(pulses(every: 2_400)) > 4)
    }

    @Test("The pulses of a high voice have no pre-echo excess, because they follow similar ones", arguments: [200, 240, 280])
    func fastPulses(hertz: Int) {
        #expect(maximumPreEchoExcess(pulses(every: 48_000 / hertz)) < 60)
    }
}
