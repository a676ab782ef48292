// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
package import MPEG4Audio
internal import TransformCoding

/// The division of a channel's frame in time and frequency (`ics_info`, ISO/IEC 23003-3, 5.3).
package struct WindowDivision {
    /// The coded window sequence.
    ///
    /// LONG_START means STOP_START after a short slope.
    package var sequence = WindowSequence.onlyLong
    /// The shape of the falling half of the window.
    package var shape = WindowShape.sine
    /// The number of bands sent per group (`max_sfb`).
    package var maxSFB = 0
    /// The number of window groups, 1 to 8; 1 for long windows.
    package var groupCount = 1
    /// The number of windows per group.
    ///
    /// The sum is 8 for short windows, otherwise 1.
    package var groupLengths = SIMD8<UInt8>(1, 0, 0, 0, 0, 0, 0, 0)

    /// The stride of groups in arrays of bands: the index is `group * bandStride + sfb`.
    package static let bandStride = 16
    /// The length of arrays of bands.
    package static let bandCapacity = 128

    /// Creates the division of one long window without bands.
    package init() {}

    /// Whether there are eight short windows.
    package var isShort: Bool { sequence == .eightShort }

    var windowCount: Int { isShort ? 8 : 1 }

    /// Reads `ics_info`.
    ///
    /// - Throws: `CodecError.tooManyBands` if `max_sfb` exceeds the band count.
    init(reading reader: inout BitReader, bands: ScaleFactorBands) throws(CodecError) {
        sequence = WindowSequence(rawValue: UInt8(reader.read(2))) ?? .onlyLong
        shape = reader.readFlag() ? .kaiserBesselDerived : .sine
        maxSFB = Int(reader.read(isShort ? 4 : 6))
        let available = bands.count(isShort: isShort)
        guard maxSFB <= available else { throw .tooManyBands(maxSFB, available: available) }
        if isShort { setGrouping(reader.read(7)) }
    }

    func write(to sink: inout some BitSink) {
        sink.write(UInt32(sequence.rawValue), count: 2)
        sink.write(shape == .kaiserBesselDerived)
        sink.write(UInt32(maxSFB), count: isShort ? 4 : 6)
        guard isShort else { return }
        for group in 0..<groupCount {
            if group > 0 { sink.write(false) }
            for _ in 1..<Int(groupLengths[group]) { sink.write(true) }
        }
    }

    /// Sets the groups of eight short windows from `scale_factor_grouping`.
    ///
    /// Each window except the first has a bit, the second window the highest of seven. 1 adds the window to the previous window's group.
    private mutating func setGrouping(_ bits: UInt32) {
        groupCount = 1
        for window in 1..<8 {
            if bits >> UInt32(7 - window) & 1 == 0 {
                groupCount += 1
                groupLengths[groupCount - 1] = 0
            }
            groupLengths[groupCount - 1] += 1
        }
    }
}
