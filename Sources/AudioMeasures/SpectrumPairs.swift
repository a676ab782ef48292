// SPDX-License-Identifier: Apache-2.0

/// Pairs of spectra of two signals, one pair per channel, frame by frame under a Hann window with 50 % overlap.
///
/// The second spectrum of a pair is the difference, test minus reference, or the test itself.
package struct SpectrumPairs: Sequence, IteratorProtocol {
    private let reference: AudioSignal
    private let test: AudioSignal
    private let takesTest: Bool
    private let transform: FourierTransform
    private let window: [Double]
    private var position = 0

    /// Creates the sequence for signals of equal length.
    package init(_ reference: AudioSignal, _ test: AudioSignal, size: Int, takesTest: Bool = false) {
        precondition(reference.frameCount == test.frameCount && reference.channels.count == test.channels.count)
        self.reference = reference
        self.test = test
        self.takesTest = takesTest
        transform = FourierTransform(size: size)
        window = FourierTransform.hann(size)
    }

    package mutating func next() -> [(first: HalfSpectrum, second: HalfSpectrum)]? {
        let size = transform.size
        // A signal shorter than a frame is zero-padded to one frame.
        guard position == 0 || position + size <= reference.frameCount else { return nil }
        defer { position += size / 2 }
        return reference.channels.indices.map { channel in
            let (window, originals, others) = (window, reference.channels[channel], test.channels[channel])
            let (first, count) = (position, Swift.min(size, originals.count - position))
            var real = (0..<size).map { $0 < count ? window[$0] * Double(originals[first + $0]) : 0 }
            var imaginary = (0..<size).map { index in
                guard index < count else { return 0.0 }
                let other = Double(others[first + index])
                return window[index] * (takesTest ? other : other - Double(originals[first + index]))
            }
            transform.forward(&real, &imaginary)
            return HalfSpectrum.pair(real, imaginary)
        }
    }
}
