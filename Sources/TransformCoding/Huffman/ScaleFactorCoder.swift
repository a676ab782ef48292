// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// Reads and writes differences of scale factors, intensity positions and noise energies (`hcod_sf`, ISO/IEC 14496-3:2009, 4.6.3).
@usableFromInline package struct ScaleFactorCoder: Sendable {
    /// The look-up table (``PrefixCodeTable``), whose entries stand for their indices.
    package private(set) var decodingEntries: ContiguousArray<UInt32> = []

    /// For each index, the code shifted left by 8, plus its length.
    package private(set) var codewords: ContiguousArray<UInt32> = []

    /// The shared tables, computed once.
    package static let shared = ScaleFactorCoder()

    private init() {
        var list: [PrefixCodeTable.Codeword] = []
        for (index, (code, length)) in zip(ScaleFactorCodebook.codes, ScaleFactorCodebook.lengths).enumerated() {
            list.append(.init(code: code, length: Int(length), meaning: UInt32(index)))
            codewords.append(code << 8 | UInt32(length))
        }
        _ = PrefixCodeTable.append(list, to: &decodingEntries)
    }

    /// Reads a difference, -60 to 60, with ``decodingEntries``, from a window with at least 19 bits.
    @inlinable @inline(__always)
    package static func read(from window: inout BitWindow, entries: Span<UInt32>) -> Int {
        Int(window.nextEntry(in: entries) >> 8) &- ScaleFactorCodebook.indexOffset
    }

    /// Reads a difference, -60 to 60, with ``decodingEntries``.
    @inlinable @inline(__always)
    package static func read(from reader: inout BitReader, entries: Span<UInt32>) -> Int {
        let entry = PrefixCodeTable.entry(for: reader.peekWindow(), in: entries)
        reader.skip(Int(entry & 0x3F))
        return Int(entry >> 8) &- ScaleFactorCodebook.indexOffset
    }

    /// Writes a difference, -60 to 60, with ``codewords``.
    @inlinable @inline(__always)
    package static func write(_ difference: Int, to sink: inout some BitSink, codewords: Span<UInt32>) {
        let codeword = codewords[difference + ScaleFactorCodebook.indexOffset]
        sink.write(codeword >> 8, count: Int(codeword & 0xFF))
    }
}
