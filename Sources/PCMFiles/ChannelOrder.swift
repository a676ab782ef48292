// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The way from a file's order of channels to that of WAV files.
struct ChannelOrder {
    /// For each channel in the order of WAV files, the channel of the file.
    private let channels: [Int]

    /// Creates the way from a layout; nil if it has that order already, or names a speaker twice.
    init?(from stored: ChannelLayout?) {
        guard let channels = stored.flatMap({ $0.inWAVOrder.permutation(from: $0) }), channels != channels.sorted() else { return nil }
        self.channels = channels
    }

    /// Puts the channels of sample frames into the order of WAV files.
    ///
    /// - Parameters:
    ///   - samples: Interleaved samples from the first element on.
    ///   - frameCount: The number of sample frames.
    ///   - width: The elements of a sample.
    func apply<Element>(to samples: inout [Element], frameCount: Int, width: Int = 1) {
        guard frameCount > 0 else { return }
        let frameWidth = channels.count * width
        var frame = Array(samples[0..<frameWidth])
        for start in stride(from: 0, to: frameCount * frameWidth, by: frameWidth) {
            for place in 0..<frameWidth { frame[place] = samples[start + channels[place / width] * width + place % width] }
            for place in 0..<frameWidth { samples[start + place] = frame[place] }
        }
    }
}
