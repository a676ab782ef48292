// SPDX-License-Identifier: Apache-2.0

/// Signals that encode frame numbers, so that every missing, duplicated or changed frame is detected.
enum CountedSignal {
    /// A mono signal in which each sample determines the next.
    ///
    /// Its period contains every 16-bit value once.
    static func mono(frames: Int) -> [Int16] {
        var value: Int16 = 1
        return [Int16](unsafeUninitializedCapacity: frames) { samples, count in
            count = frames
            for index in 0..<frames {
                samples[index] = value
                value = following(value)
            }
        }
    }

    static func following(_ value: Int16) -> Int16 { value &* 25173 &+ 13849 }

    /// A stereo signal whose frames are numbered from 1, with the low half in the left channel.
    static func stereo(frames: Int) -> [Int16] {
        [Int16](unsafeUninitializedCapacity: 2 * frames) { samples, count in
            count = 2 * frames
            for frame in 0..<frames {
                samples[2 * frame] = Int16(truncatingIfNeeded: frame + 1)
                samples[2 * frame + 1] = Int16(truncatingIfNeeded: (frame + 1) >> 16)
            }
        }
    }

    /// The frame numbers of a stereo recording; 0 for silence.
    static func numbers(stereo samples: [Int16]) -> [Int] {
        stride(from: 0, to: samples.count - 1, by: 2).map { Int(UInt16(bitPattern: samples[$0])) | Int(samples[$0 + 1]) << 16 }
    }

    /// Two minutes of the stereo signal, longer than any test records.
    static let long = stereo(frames: 120 * 48_000)

    /// The excess length of a stereo recording over the range of its frame numbers, in frames.
    static func excess(stereo samples: [Int16]) -> Int? {
        let numbers = numbers(stereo: samples)
        guard let first = numbers.firstIndex(where: { $0 > 0 }), let last = numbers.lastIndex(where: { $0 > 0 }) else { return nil }
        return last - first - (numbers[last] - numbers[first])
    }

    /// The number of positions with missing frames in a stereo recording.
    static func losses(stereo samples: [Int16]) -> Int {
        let numbers = numbers(stereo: samples).filter { $0 > 0 }
        return zip(numbers, numbers.dropFirst()).count { $1 > $0 + 1 }
    }

    /// The frame numbers of a mono recording, from 1; 0 for silence.
    ///
    /// The samples repeat after 65 536 frames, so a longer loss cannot be detected.
    static func numbers(mono samples: [Int16]) -> [Int] {
        var residues = [Int](repeating: 0, count: 65_536)
        var value: Int16 = 1
        for index in 0..<65_536 {
            residues[Int(UInt16(bitPattern: value))] = index
            value = following(value)
        }
        var latest = -1
        return samples.map { sample in
            let residue = residues[Int(UInt16(bitPattern: sample))]
            // Zero is silence unless it is the next value.
            if sample == 0, latest < 0 || (latest + 1) & 0xFFFF != residue { return 0 }
            latest += 1 + ((residue - latest - 1) & 0xFFFF)
            return latest + 1
        }
    }

    /// The numbers in `witness` that `numbers` lacks.
    ///
    /// Zeros mean silence.
    static func missing(from witness: [Int], in numbers: [Int]) -> [Int] {
        let present = Set(numbers)
        return witness.filter { $0 > 0 && !present.contains($0) }
    }

    /// The analysis of a captured signal, from its first frame to its last.
    struct Heard: Equatable {
        var frames = 0
        /// The number of frames replaced by silence, after which the signal continued as if they had been present.
        var silentFrames = 0
        /// The number of times that the signal continued after silence where it had stopped.
        var pauses = 0
        /// The number of other discontinuities, and the first of them.
        var breaks = 0
        var firstBreak: Break?

        /// The number of frames of the signal itself.
        var soundFrames: Int { frames - silentFrames }
    }

    /// An unexpected value.
    struct Break: Equatable {
        let expected: Int
        let found: Int
    }

    static func verify(stereo samples: [Int16]) -> Heard { verify(numbers(stereo: samples)) { $0 + 1 } }

    static func verify(mono samples: [Int16]) -> Heard {
        verify(samples.map { Int($0) }) { Int(following(Int16($0))) }
    }

    private static func verify(_ values: [Int], following: (Int) -> Int) -> Heard {
        let values = values.drop { $0 == 0 }
        var heard = Heard()
        var silence = 0
        guard var expected = values.first else { return heard }
        var next = expected
        for value in values {
            if value == 0 && (silence > 0 || expected != 0) {
                silence += 1
            } else {
                if value == expected {
                    heard.frames += silence
                    heard.silentFrames += silence
                } else if value == next {
                    heard.pauses += 1
                } else {
                    heard.breaks += 1
                    heard.firstBreak = heard.firstBreak ?? Break(expected: expected, found: value)
                }
                heard.frames += 1
                silence = 0
                expected = value
                next = following(value)
            }
            expected = following(expected)
        }
        return heard
    }
}
