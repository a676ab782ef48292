// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Spectra of two sounds, frame by frame under a Hann window with half of it in common: a pair a channel.
///
/// The second of a pair is the difference of the sounds, test less reference, or the test itself.
struct SpectrumPairs: Sequence, IteratorProtocol {
    private let reference: Sound
    private let test: Sound
    private let takesTest: Bool
    private let transform: FourierTransform
    private let window: [Double]
    private var position = 0

    init(_ reference: Sound, _ test: Sound, size: Int, takesTest: Bool = false) {
        precondition(reference.frameCount == test.frameCount && reference.channels.count == test.channels.count)
        self.reference = reference
        self.test = test
        self.takesTest = takesTest
        transform = FourierTransform(size: size)
        window = FourierTransform.hann(size)
    }

    mutating func next() -> [(first: HalfSpectrum, second: HalfSpectrum)]? {
        let size = transform.size
        // Sound shorter than a frame is one frame with zeros behind it.
        guard position == 0 || position + size <= reference.frameCount else { return nil }
        defer { position += size / 2 }
        return reference.channels.indices.map { channel in
            var real = [Double](repeating: 0, count: size)
            var imaginary = real
            for index in 0..<Swift.min(size, reference.frameCount - position) {
                let original = Double(reference.channels[channel][position + index])
                let other = Double(test.channels[channel][position + index])
                real[index] = window[index] * original
                imaginary[index] = window[index] * (takesTest ? other : other - original)
            }
            transform.forward(&real, &imaginary)
            return HalfSpectrum.pair(real, imaginary)
        }
    }
}
