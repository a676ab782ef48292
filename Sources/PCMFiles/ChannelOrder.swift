// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// Reorders channels from a file's order to WAV order.
struct ChannelOrder {
    /// For each channel in WAV order, its index in the file.
    private let channels: [Int]

    /// Creates the mapping of a layout, or returns `nil` if it is in WAV order already or has duplicate speakers.
    init?(from stored: ChannelLayout?) {
        guard let channels = stored.flatMap({ $0.inWAVOrder.permutation(from: $0) }), channels != channels.sorted() else { return nil }
        self.channels = channels
    }

    /// Reorders the channels of sample frames to WAV order.
    ///
    /// - Parameters:
    ///   - samples: Interleaved samples, starting at index 0.
    ///   - width: The number of elements per sample.
    func apply<Element>(to samples: inout [Element], frameCount: Int, width: Int = 1) {
        guard frameCount > 0 else { return }
        let frameWidth = channels.count * width
        var frame = Array(samples[0..<frameWidth])
        for start in stride(from: 0, to: frameCount * frameWidth, by: frameWidth) {
            for position in 0..<frameWidth { frame[position] = samples[start + channels[position / width] * width + position % width] }
            for position in 0..<frameWidth { samples[start + position] = frame[position] }
        }
    }
}
