// SPDX-License-Identifier: Apache-2.0

internal import AudioMeasures

/// The spectra of real blocks for overlap-save convolution: two blocks of `size` / 2 samples per transform, two real signals at a time.
struct BlockTransform {
    /// The number of points.
    let size: Int
    /// The number of points of a real signal's spectrum: `size` / 2 + 1.
    var binCount: Int { size / 2 + 1 }

    private let transform: FourierTransform

    /// Creates a transform whose `size` is a power of two.
    init(size: Int) {
        self.size = size
        transform = FourierTransform(size: size)
    }

    /// Returns the spectra of two signals of `size` samples.
    func forward(_ first: [Double], _ second: [Double]) -> (HalfSpectrum, HalfSpectrum) {
        var (real, imaginary) = (first, second)
        transform.forward(&real, &imaginary)
        return HalfSpectrum.pair(real, imaginary)
    }

    /// Returns the spectrum of a signal of `size` samples.
    func forward(_ signal: [Double]) -> HalfSpectrum { forward(signal, [Double](repeating: 0, count: size)).0 }

    /// Returns the signals of two spectra.
    func inverse(_ first: HalfSpectrum, _ second: HalfSpectrum) -> ([Double], [Double]) {
        // The conjugate of the spectrum first + i · second.
        var real = [Double](repeating: 0, count: size)
        var imaginary = real
        for bin in 0..<binCount {
            let mirror = (size - bin) % size
            real[mirror] = first.real[bin] + second.imaginary[bin]
            imaginary[mirror] = first.imaginary[bin] - second.real[bin]
            real[bin] = first.real[bin] - second.imaginary[bin]
            imaginary[bin] = -first.imaginary[bin] - second.real[bin]
        }
        transform.forward(&real, &imaginary)
        let scale = 1 / Double(size)
        for index in 0..<size {
            real[index] *= scale
            imaginary[index] *= -scale
        }
        return (real, imaginary)
    }

    func inverse(_ spectrum: HalfSpectrum) -> [Double] { inverse(spectrum, HalfSpectrum(binCount: binCount)).0 }
}

extension HalfSpectrum {
    init(binCount: Int) {
        let zeros = [Double](repeating: 0, count: binCount)
        self.init(real: zeros, imaginary: zeros)
    }
}
