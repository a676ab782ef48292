// SPDX-License-Identifier: Apache-2.0

/// The hybrid bands of one signal in a frame: consecutive time slots, each with all bands.
@usableFromInline package struct SurroundSignal: ~Copyable {
    /// The values, with the real part of band k in time slot n at index ``qmfSlotStride`` n + 2 k, followed by the imaginary part.
    @usableFromInline package var values: FixedArray<Float>

    /// The number of values per time slot: two per band, plus one band for complete vectors of two bands.
    @inlinable package static var qmfSlotStride: Int { 2 * (SurroundTables.hybridBandCount + 1) }

    package init(qmfSlotCount: Int) { values = FixedArray(repeating: 0, count: Self.qmfSlotStride * qmfSlotCount) }

    /// The complex value of a band in a time slot.
    @inlinable @inline(__always)
    package subscript(band: Int, qmfSlot: Int) -> SIMD2<Float> {
        get {
            let index = Self.qmfSlotStride &* qmfSlot &+ 2 &* band
            return SIMD2(values[index], values[index &+ 1])
        }
        set {
            let index = Self.qmfSlotStride &* qmfSlot &+ 2 &* band
            values[index] = newValue.x
            values[index &+ 1] = newValue.y
        }
    }

    /// Sets a band in four time slots starting at `qmfSlot`, one per lane.
    package mutating func store(_ value: ComplexVector, band: Int, qmfSlot: Int) {
        for lane in 0..<4 { self[band, qmfSlot &+ lane] = SIMD2(value.real[lane], value.imaginary[lane]) }
    }

    /// Returns a band in four time slots starting at `qmfSlot`, one per lane.
    package func load(band: Int, qmfSlot: Int) -> ComplexVector {
        var value = ComplexVector.zero
        for lane in 0..<4 { (value.real[lane], value.imaginary[lane]) = (self[band, qmfSlot &+ lane].x, self[band, qmfSlot &+ lane].y) }
        return value
    }
}

/// The hybrid bands of both outputs in a frame: consecutive time slots, each with all bands.
@usableFromInline package struct SurroundPair: ~Copyable {
    /// The values: left real, left imaginary, right real, right imaginary.
    ///
    /// Band k in time slot n is at index ``qmfSlotStride`` n + k.
    @usableFromInline package var values: FixedArray<SIMD4<Float>>

    /// The number of values per time slot, which equals the number of bands in a ``SurroundSignal``.
    @inlinable package static var qmfSlotStride: Int { SurroundSignal.qmfSlotStride / 2 }

    package init(qmfSlotCount: Int) { values = FixedArray(repeating: SIMD4(repeating: 0), count: Self.qmfSlotStride * qmfSlotCount) }

    /// The values of both outputs.
    @inlinable @inline(__always)
    package subscript(band: Int, qmfSlot: Int) -> SIMD4<Float> {
        get { values[Self.qmfSlotStride &* qmfSlot &+ band] }
        set { values[Self.qmfSlotStride &* qmfSlot &+ band] = newValue }
    }

    @inlinable @inline(__always)
    package func value(_ channel: Int, _ band: Int, _ qmfSlot: Int) -> SIMD2<Float> {
        channel == 0 ? self[band, qmfSlot].lowHalf : self[band, qmfSlot].highHalf
    }

    @inlinable @inline(__always)
    package mutating func set(_ value: SIMD2<Float>, _ channel: Int, _ band: Int, _ qmfSlot: Int) {
        if channel == 0 { self[band, qmfSlot].lowHalf = value } else { self[band, qmfSlot].highHalf = value }
    }

    /// Returns one output's energy in a time slot, over a range of bands.
    package func energy(_ channel: Int, _ bands: Range<Int>, _ qmfSlot: Int) -> Float {
        var sum: Float = 0
        for band in bands {
            let value = value(channel, band, qmfSlot)
            sum += value.x * value.x + value.y * value.y
        }
        return sum
    }
}
