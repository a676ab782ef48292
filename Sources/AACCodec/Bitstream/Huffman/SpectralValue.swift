// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// The form of lines that are read: quantized, or without quantization's power law.
package protocol SpectralValue: BitwiseCopyable {
    /// Stores two pairs of values at four lines, which must be within the span.
    ///
    /// - Parameters:
    ///   - first: The values of the first pair, as in the lowest bits of a meaning in ``SpectralDecodingTables``.
    ///   - pairs: ``SpectralDecodingTables/pairs``.
    @unsafe
    static func store(
        _ first: UInt32, _ second: UInt32, pairs: Span<SIMD2<Float>>, into lines: inout MutableSpan<Self>, unchecked line: Int)

    /// Stores one pair of values at two lines.
    static func store(_ pair: UInt32, pairs: Span<SIMD2<Float>>, into lines: inout MutableSpan<Self>, at line: Int)

    /// Returns the form of a quantized value.
    ///
    /// - Parameter powers: ``SpectralDecodingTables/powers``.
    static func value(_ quantized: Int16, powers: Span<Float>) -> Self
}

/// Quantized values.
extension Int16: SpectralValue {
    @unsafe
    @inline(__always)
    package static func store(
        _ first: UInt32, _ second: UInt32, pairs: Span<SIMD2<Float>>, into lines: inout MutableSpan<Int16>, unchecked line: Int
    ) {
        lines.store(values(first, second), at: line)
    }

    @inline(__always)
    package static func store(_ pair: UInt32, pairs: Span<SIMD2<Float>>, into lines: inout MutableSpan<Int16>, at line: Int) {
        let values = values(pair, pair)
        (lines[line], lines[line &+ 1]) = (values.x, values.y)
    }

    @inline(__always)
    private static func values(_ first: UInt32, _ second: UInt32) -> SIMD4<Int16> {
        let (first, second) = (Int16(truncatingIfNeeded: first), Int16(truncatingIfNeeded: second))
        // Shifts each value of five bits to the top of its lane, and back with sign extension.
        return (SIMD4(first, first, second, second) &* SIMD4(2048, 64, 2048, 64)) &>> 11
    }

    @inline(__always)
    package static func value(_ quantized: Int16, powers: Span<Float>) -> Int16 { quantized }
}

/// sign(q) |q|^(4/3) of the quantized values q.
extension Float: SpectralValue {
    @unsafe
    @inline(__always)
    package static func store(
        _ first: UInt32, _ second: UInt32, pairs: Span<SIMD2<Float>>, into lines: inout MutableSpan<Float>, unchecked line: Int
    ) {
        unsafe lines.store(SIMD4(lowHalf: values(first, pairs), highHalf: values(second, pairs)), unchecked: line)
    }

    @inline(__always)
    package static func store(_ pair: UInt32, pairs: Span<SIMD2<Float>>, into lines: inout MutableSpan<Float>, at line: Int) {
        let values = values(pair, pairs)
        (lines[line], lines[line &+ 1]) = (values.x, values.y)
    }

    @inline(__always)
    private static func values(_ pair: UInt32, _ pairs: Span<SIMD2<Float>>) -> SIMD2<Float> {
        // A span of constant length needs no bounds check for an index with that many bits.
        pairs.extracting(0..<SpectralDecodingTables.pairCount)[Int(pair) & (SpectralDecodingTables.pairCount - 1)]
    }

    @inline(__always)
    package static func value(_ quantized: Int16, powers: Span<Float>) -> Float { DequantizationTables.power(quantized, powers) }
}
