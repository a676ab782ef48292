// SPDX-License-Identifier: Apache-2.0

// The C library and WebAssembly only have linear phase filters.
#if !hasFeature(Embedded)
internal import AudioMeasures
internal import SystemLibrary

extension RateFilterDesign {
    /// Returns the minimum phase response with the magnitude of another response, computed from its cepstrum.
    func minimumPhase(_ response: [Double]) -> [Double] {
        var size = 1
        while size < 4 * response.count { size *= 2 }
        let transform = FourierTransform(size: size)
        var real = response + Array(repeating: 0, count: size - response.count)
        var imaginary = Array(repeating: 0.0, count: size)
        transform.forward(&real, &imaginary)
        // Zeros on the unit circle have no logarithm. A floor far below the stop band also shortens the cepstrum.
        let sum = response.reduce(0, +)
        let floor = sum * sum * pow(10, -(attenuation + 50) / 10)
        for index in 0..<size {
            real[index] = log(real[index] * real[index] + imaginary[index] * imaginary[index] + floor) / 2
            imaginary[index] = 0
        }
        // The spectrum is symmetric, so the forward transform is also the inverse one, up to the scale.
        transform.forward(&real, &imaginary)
        for index in 0..<size {
            let weight = index == 0 || index == size / 2 ? 1.0 : index < size / 2 ? 2 : 0
            real[index] *= weight / Double(size)
            imaginary[index] = 0
        }
        transform.forward(&real, &imaginary)
        for index in 0..<size {
            let (magnitude, angle) = (exp(real[index]), imaginary[index])
            // Conjugated for the inverse transform, whose result is real.
            (real[index], imaginary[index]) = (magnitude * cos(angle), -magnitude * sin(angle))
        }
        transform.forward(&real, &imaginary)
        return real[..<response.count].map { $0 / Double(size) }
    }
}
#endif
