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
        while 2 * half < size {
            runPasses(half, &re, &im)
            half *= 4
        }
        if half < size { runLastPass(&re, &im) }
    }

    /// Runs the passes that combine blocks of `half` and of 2 `half` points, an even number, in pairs.
    private func runPasses(_ half: Int, _ re: inout MutableSpan<Double>, _ im: inout MutableSpan<Double>) {
        precondition(re.count == size && im.count == size && size % (4 * half) == 0)
        // Local variables stay in registers.
        var re = re._mutatingExtracting(0..<size)
        var im = im._mutatingExtracting(0..<size)
        let twiddles = twiddles
        for first in stride(from: 0, to: size, by: 4 * half) {
            for offset in stride(from: 0, to: half, by: 2) {
                let index = first &+ offset
                // Within the bounds checked above.
                var (a, b) = unsafe (Points(re, im, unchecked: index), Points(re, im, unchecked: index &+ half))
                var (c, d) = unsafe (Points(re, im, unchecked: index &+ 2 &* half), Points(re, im, unchecked: index &+ 3 &* half))
                Points.combine(&a, &b, twiddles[(half &+ offset) >> 1 &- 1])
                Points.combine(&c, &d, twiddles[(half &+ offset) >> 1 &- 1])
                Points.combine(&a, &c, twiddles[(2 &* half &+ offset) >> 1 &- 1])
                Points.combine(&b, &d, twiddles[(3 &* half &+ offset) >> 1 &- 1])
                unsafe a.store(to: &re, &im, unchecked: index)
                unsafe b.store(to: &re, &im, unchecked: index &+ half)
                unsafe c.store(to: &re, &im, unchecked: index &+ 2 &* half)
                unsafe d.store(to: &re, &im, unchecked: index &+ 3 &* half)
            }
        }
    }

    /// Runs the pass that combines both halves of the points, an even number each.
    private func runLastPass(_ re: inout MutableSpan<Double>, _ im: inout MutableSpan<Double>) {
        precondition(re.count == size && im.count == size && size % 4 == 0)
        var re = re._mutatingExtracting(0..<size)
        var im = im._mutatingExtracting(0..<size)
        let half = size / 2
        for index in stride(from: 0, to: half, by: 2) {
            // Within the bounds checked above.
            var (a, b) = unsafe (Points(re, im, unchecked: index), Points(re, im, unchecked: index &+ half))
            Points.combine(&a, &b, twiddles[(half &+ index) >> 1 &- 1])
            unsafe a.store(to: &re, &im, unchecked: index)
            unsafe b.store(to: &re, &im, unchecked: index &+ half)
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

private struct Points {
    private var real: SIMD2<Double>
    private var imaginary: SIMD2<Double>

    /// Reads two points starting at `index`, which must be within the spans.
    @unsafe
    @inline(__always)
    init(_ re: borrowing MutableSpan<Double>, _ im: borrowing MutableSpan<Double>, unchecked index: Int) {
        real = unsafe re.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: 8 &* index, as: SIMD2<Double>.self)
        imaginary = unsafe im.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: 8 &* index, as: SIMD2<Double>.self)
    }

    /// Writes the points starting at `index`, which must be within the spans.
    @unsafe
    @inline(__always)
    func store(to re: inout MutableSpan<Double>, _ im: inout MutableSpan<Double>, unchecked index: Int) {
        var reBytes = unsafe re.mutableBytes
        var imBytes = unsafe im.mutableBytes
        unsafe reBytes.storeBytes(of: real, toUncheckedByteOffset: 8 &* index, as: SIMD2<Double>.self)
        unsafe imBytes.storeBytes(of: imaginary, toUncheckedByteOffset: 8 &* index, as: SIMD2<Double>.self)
    }

    /// Replaces points of two blocks by their sum and their difference after the second is multiplied by the twiddle factors.
    @inline(__always)
    static func combine(_ top: inout Points, _ bottom: inout Points, _ twiddles: (cosines: SIMD2<Double>, sines: SIMD2<Double>)) {
        let r = bottom.real * twiddles.cosines - bottom.imaginary * twiddles.sines
        let i = bottom.real * twiddles.sines + bottom.imaginary * twiddles.cosines
        (bottom.real, bottom.imaginary) = (top.real - r, top.imaginary - i)
        (top.real, top.imaginary) = (top.real + r, top.imaginary + i)
    }
}
