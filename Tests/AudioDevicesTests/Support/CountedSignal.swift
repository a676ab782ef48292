// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Signals that tell the number of each frame, so that every missing, doubled or changed frame shows.
enum CountedSignal {
    /// A mono signal in which each sample follows from the one before, and which takes every 16-bit value once before it repeats.
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

    /// A stereo signal whose frames are the numbers from 1 on, the lower half to the left.
    static func stereo(frames: Int) -> [Int16] {
        [Int16](unsafeUninitializedCapacity: 2 * frames) { samples, count in
            count = 2 * frames
            for frame in 0..<frames {
                samples[2 * frame] = Int16(truncatingIfNeeded: frame + 1)
                samples[2 * frame + 1] = Int16(truncatingIfNeeded: (frame + 1) >> 16)
            }
        }
    }

    /// The number of each frame of a stereo recording; 0 for silence.
    static func numbers(stereo samples: [Int16]) -> [Int] {
        stride(from: 0, to: samples.count - 1, by: 2).map { Int(UInt16(bitPattern: samples[$0])) | Int(samples[$0 + 1]) << 16 }
    }

    /// How many frames of the stereo signal were heard, and how many of them didn't follow on the one before.
    static func verify(stereo samples: [Int16]) -> (frames: Int, breaks: Int) {
        let numbers = numbers(stereo: samples)
        var heard = numbers.drop { $0 == 0 }
        while heard.last == 0 { heard.removeLast() }
        let breaks = zip(heard, heard.dropFirst()).count { $1 != $0 + 1 }
        return (heard.count, breaks)
    }

    /// How many frames of the mono signal were heard without a break, and how many breaks there were.
    static func verify(mono samples: [Int16]) -> (frames: Int, breaks: Int) {
        guard let first = samples.firstIndex(where: { $0 != 0 }) else { return (0, 0) }
        var expected: Int16 = 1
        var frames = 0
        var breaks = 0
        for sample in samples[first...] {
            if sample == expected {
                frames += 1
                expected = following(expected)
            } else if sample != 0 || breaks > 0 {
                breaks += 1
                expected = following(sample)
            } else {
                break
            }
        }
        return (frames, breaks)
    }
}
