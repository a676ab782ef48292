// SPDX-License-Identifier: Apache-2.0

internal import SystemLibrary

/// An in-place complex FFT in double precision.
///
/// The size is a power of two.
package struct FourierTransform {
    /// The number of points.
    package let size: Int
    /// The twiddle factors of the passes after the first, two each: 1, 2, 4 and so on, up to `size` / 4.
    private let twiddles: [(cosines: SIMD2<Double>, sines: SIMD2<Double>)]
    private let reversed: [Int]

    package init(size: Int) {
        precondition(size > 1 && size & (size - 1) == 0, "a power of two")
        self.size = size
        let bits = size.trailingZeroBitCount
        twiddles = (1..<bits).flatMap { pass in
            (0..<1 << (pass - 1)).map { pair in
                let angles = (0..<2).map { -Double.pi * Double(2 * pair + $0) / Double(1 << pass) }
                return (SIMD2(cos(angles[0]), cos(angles[1])), SIMD2(sin(angles[0]), sin(angles[1])))
            }
        }
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
        // The first pass has no twiddle factor.
        for index in stride(from: 0, to: size, by: 2) {
            (re[index], re[index + 1]) = (re[index] + re[index + 1], re[index] - re[index + 1])
            (im[index], im[index + 1]) = (im[index] + im[index + 1], im[index] - im[index + 1])
        }
        var half = 2
        while half < size {
            runPass(half, &re, &im)
            half *= 2
        }
    }

    /// Combines blocks of `half` points, an even number, in pairs.
    private func runPass(_ half: Int, _ re: inout MutableSpan<Double>, _ im: inout MutableSpan<Double>) {
        precondition(re.count == size && im.count == size && size % (2 * half) == 0)
        // Local variables stay in registers.
        var re = re._mutatingExtracting(0..<size)
        var im = im._mutatingExtracting(0..<size)
        let twiddles = twiddles
        for first in stride(from: 0, to: size, by: 2 * half) {
            for offset in stride(from: 0, to: half, by: 2) {
                let (cosines, sines) = twiddles[(half &+ offset) >> 1 &- 1]
                let (top, bottom) = (first &+ offset, first &+ half &+ offset)
                // Within the bounds checked above.
                let (a, b) = unsafe (re.pair(unchecked: bottom), im.pair(unchecked: bottom))
                let (x, y) = unsafe (re.pair(unchecked: top), im.pair(unchecked: top))
                let (r, i) = (a * cosines - b * sines, a * sines + b * cosines)
                unsafe re.store(x - r, unchecked: bottom)
                unsafe im.store(y - i, unchecked: bottom)
                unsafe re.store(x + r, unchecked: top)
                unsafe im.store(y + i, unchecked: top)
            }
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
            let mirror = index == 0 ? 0 : size - index
            first.real[index] = 0.5 * (real[index] + real[mirror])
            first.imaginary[index] = 0.5 * (imaginary[index] - imaginary[mirror])
            second.real[index] = 0.5 * (imaginary[index] + imaginary[mirror])
            second.imaginary[index] = 0.5 * (real[mirror] - real[index])
        }
        return (first, second)
    }
}

extension MutableSpan<Double> {
    /// Returns the two values starting at `index`, which must be within the span.
    @unsafe
    @inline(__always)
    fileprivate func pair(unchecked index: Int) -> SIMD2<Double> {
        unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: 8 &* index, as: SIMD2<Double>.self)
    }

    /// Stores two values starting at `index`, which must be within the span.
    @unsafe
    @inline(__always)
    fileprivate mutating func store(_ pair: SIMD2<Double>, unchecked index: Int) {
        var bytes = unsafe mutableBytes
        unsafe bytes.storeBytes(of: pair, toUncheckedByteOffset: 8 &* index, as: SIMD2<Double>.self)
    }
}
