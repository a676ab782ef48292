// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// The pseudo-spectrum x[k]² + (x[k+1] - x[k-1])²: energies that depend on the phase of a tone much less than the squared MDCT coefficients.
package enum PseudoSpectrum {
    /// Returns four lines of the pseudo-spectrum, and the squares of their coefficients, which the first and last line of a spectrum keep.
    ///
    /// - Parameters:
    ///   - spectrum: The coefficients of a window.
    ///   - line: The first of the lines; a multiple of four.
    @inline(__always)
    static func powers(_ spectrum: Span<Float>, at line: Int) -> (powers: SIMD4<Float>, squares: SIMD4<Float>) {
        let here = spectrum.vector(at: line)
        let end = spectrum.count &- 4
        let difference: SIMD4<Float>
        if line > 0 && line < end {
            difference = unsafe spectrum.vector(unchecked: line &+ 1) - spectrum.vector(unchecked: line &- 1)
        } else {
            let left = line > 0 ? spectrum[line - 1] : here[1]
            let right = line < end ? spectrum[line + 4] : here[2]
            difference = SIMD4(here[1], here[2], here[3], right) - SIMD4(left, here[0], here[1], here[2])
        }
        let squares = here * here
        return (squares + difference * difference, squares)
    }

    /// Computes the pseudo-spectrum of a window.
    ///
    /// - Parameters:
    ///   - spectrum: The coefficients of the window; a multiple of four.
    ///   - powers: Receives as many lines.
    @inline(never)
    package static func measure(_ spectrum: Span<Float>, into powers: inout MutableSpan<Float>) {
        for line in stride(from: 0, to: spectrum.count, by: 4) { powers.store(Self.powers(spectrum, at: line).powers, at: line) }
    }
}
