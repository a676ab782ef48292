// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// The pseudo-spectrum x[k]² + (x[k+1] - x[k-1])².
///
/// It depends much less on a tone's phase than squared MDCT coefficients.
package enum PseudoSpectrum {
    /// Returns four lines of the pseudo-spectrum and the squares of their coefficients.
    ///
    /// The first and last line of a spectrum have only one neighbour; their pseudo-spectrum is the square.
    ///
    /// - Parameter line: The first line, a multiple of four.
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
    ///   - spectrum: The coefficients of the window. Their count is a multiple of four.
    ///   - powers: Receives the pseudo-spectrum, of the same count.
    @inline(never)
    package static func measure(_ spectrum: Span<Float>, into powers: inout MutableSpan<Float>) {
        for line in stride(from: 0, to: spectrum.count, by: 4) { powers.store(Self.powers(spectrum, at: line).powers, at: line) }
    }
}
