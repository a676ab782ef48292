// SPDX-License-Identifier: Apache-2.0

/// The hybrid bands of a frame of one signal: column after column, each with all bands.
@usableFromInline package struct SurroundSignal: ~Copyable {
    /// The values: real and imaginary part of band k in column n at ``columnStride`` n + 2 k and after it.
    @usableFromInline package var values: FixedArray<Float>

    /// The numbers of a column: two for each band, and for one band more, so that there are whole vectors of two bands.
    @inlinable package static var columnStride: Int { 2 * (SurroundTables.hybridBandCount + 1) }

    /// Makes a silent frame.
    package init(columnCount: Int) { values = FixedArray(repeating: 0, count: Self.columnStride * columnCount) }

    /// A value.
    @inlinable @inline(__always)
    package subscript(band: Int, column: Int) -> SIMD2<Float> {
        get {
            let index = Self.columnStride &* column &+ 2 &* band
            return SIMD2(values[index], values[index &+ 1])
        }
        set {
            let index = Self.columnStride &* column &+ 2 &* band
            values[index] = newValue.x
            values[index &+ 1] = newValue.y
        }
    }

    /// Sets a band of four columns from an index on, one in each lane.
    package mutating func store(_ value: ComplexVector, band: Int, column: Int) {
        for lane in 0..<4 { self[band, column &+ lane] = SIMD2(value.real[lane], value.imaginary[lane]) }
    }
}

/// The hybrid bands of a frame of both outputs: column after column, each with all bands.
@usableFromInline package struct SurroundPair: ~Copyable {
    /// The values: left real, left imaginary, right real and right imaginary part of band k in column n at ``columnStride`` n + k.
    @usableFromInline package var values: FixedArray<SIMD4<Float>>

    /// The values of a column, as many as a ``SurroundSignal`` has bands.
    @inlinable package static var columnStride: Int { SurroundSignal.columnStride / 2 }

    /// Makes a silent frame.
    package init(columnCount: Int) { values = FixedArray(repeating: SIMD4(repeating: 0), count: Self.columnStride * columnCount) }

    /// A value of both outputs.
    @inlinable @inline(__always)
    package subscript(band: Int, column: Int) -> SIMD4<Float> {
        get { values[Self.columnStride &* column &+ band] }
        set { values[Self.columnStride &* column &+ band] = newValue }
    }

    /// Returns a value of an output.
    @inlinable @inline(__always)
    package func value(_ channel: Int, _ band: Int, _ column: Int) -> SIMD2<Float> {
        channel == 0 ? self[band, column].lowHalf : self[band, column].highHalf
    }

    /// Sets a value of an output.
    @inlinable @inline(__always)
    package mutating func set(_ value: SIMD2<Float>, _ channel: Int, _ band: Int, _ column: Int) {
        if channel == 0 { self[band, column].lowHalf = value } else { self[band, column].highHalf = value }
    }

    /// Returns the energy of some bands of an output in a column.
    package func energy(_ channel: Int, _ bands: Range<Int>, _ column: Int) -> Float {
        var sum: Float = 0
        for band in bands {
            let value = value(channel, band, column)
            sum += value.x * value.x + value.y * value.y
        }
        return sum
    }
}
