// SPDX-License-Identifier: Apache-2.0

internal import SystemLibrary

/// An in-place complex FFT in double precision.
///
/// The size is a power of two.
package struct FourierTransform {
    /// The number of points.
    package let size: Int
    private let cosines: [Double]
    private let sines: [Double]
    private let reversed: [Int]

    package init(size: Int) {
        precondition(size > 1 && size & (size - 1) == 0, "a power of two")
        self.size = size
        let angles = (0..<size / 2).map { -2 * Double.pi * Double($0) / Double(size) }
        cosines = angles.map { cos($0) }
        sines = angles.map { sin($0) }
        let bits = size.trailingZeroBitCount
        reversed = (0..<size).map { index in
            (0..<bits).reduce(0) { $0 | (index >> $1 & 1) << (bits - 1 - $1) }
        }
    }

    /// Replaces the points with their spectrum: the sum of x[n] exp(-2πi kn / size).
    package func forward(_ real: inout [Double], _ imaginary: inout [Double]) {
        precondition(real.count == size && imaginary.count == size)
        // `Array.mutableSpan` needs macOS 26 and iOS 26. The spans do not outlive the calls.
        unsafe real.withUnsafeMutableBufferPointer { realBuffer in
            unsafe imaginary.withUnsafeMutableBufferPointer { imaginaryBuffer in
                var real = unsafe realBuffer.mutableSpan
                var imaginary = unsafe imaginaryBuffer.mutableSpan
                transform(&real, &imaginary)
            }
        }
    }

    /// Runs the radix-2 passes on points in bit-reversed order.
    private func transform(_ re: inout MutableSpan<Double>, _ im: inout MutableSpan<Double>) {
        for index in 0..<size where reversed[index] > index {
            re.swapAt(index, reversed[index])
            im.swapAt(index, reversed[index])
        }
        var half = 1
        while half < size {
            let stride = size / (2 * half)
            for offset in 0..<half {
                let (c, s) = (cosines[offset * stride], sines[offset * stride])
                var top = offset
                while top < size {
                    let bottom = top + half
                    let r = re[bottom] * c - im[bottom] * s
                    let i = re[bottom] * s + im[bottom] * c
                    re[bottom] = re[top] - r
                    im[bottom] = im[top] - i
                    re[top] += r
                    im[top] += i
                    top += 2 * half
                }
            }
            half *= 2
        }
    }

    /// The periodic Hann window of `size` points.
    package static func hann(_ size: Int) -> [Double] {
        (0..<size).map { 0.5 - 0.5 * cos(2 * Double.pi * Double($0) / Double(size)) }
    }
}

/// The lower half of a real signal's spectrum: points 0 to size / 2.
package struct HalfSpectrum {
    package var real: [Double]
    package var imaginary: [Double]

    package init(real: [Double], imaginary: [Double]) {
        self.real = real
        self.imaginary = imaginary
    }

    func power(_ index: Int) -> Double { real[index] * real[index] + imaginary[index] * imaginary[index] }

    /// Half the sum (`sign` 1) or half the difference (`sign` -1) of two spectra.
    static func mix(_ first: HalfSpectrum, _ second: HalfSpectrum, sign: Double) -> HalfSpectrum {
        var result = first
        for index in result.real.indices {
            result.real[index] = 0.5 * (first.real[index] + sign * second.real[index])
            result.imaginary[index] = 0.5 * (first.imaginary[index] + sign * second.imaginary[index])
        }
        return result
    }

    /// The spectra of two real signals, transformed together as real and imaginary part.
    package static func pair(_ real: [Double], _ imaginary: [Double]) -> (HalfSpectrum, HalfSpectrum) {
        let size = real.count
        let empty = [Double](repeating: 0, count: size / 2 + 1)
        var first = HalfSpectrum(real: empty, imaginary: empty)
        var second = first
        for index in 0...size / 2 {
            let mirror = (size - index) % size
            first.real[index] = 0.5 * (real[index] + real[mirror])
            first.imaginary[index] = 0.5 * (imaginary[index] - imaginary[mirror])
            second.real[index] = 0.5 * (imaginary[index] + imaginary[mirror])
            second.imaginary[index] = 0.5 * (real[mirror] - real[index])
        }
        return (first, second)
    }
}
