// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The predictive vector coding data of a frame (`pvc_grid` and `pvc_envelope`, ISO/IEC 23003-3, 5.3 and 7.5.6).
package struct PredictionData: Hashable, Sendable {
    /// `bs_pvc_mode`: 0 for no prediction, 1 or 2.
    package var mode = 0
    /// `bs_noise_position`: the first time slot of the second noise floor; 0 for a single floor.
    package var noisePosition = 0
    /// `bs_var_len_hf`: the number of time slots after the frame in which its noise and sinusoids apply, 0 to 3.
    package var tailCount = 0
    /// `nsMode`: whether energies are smoothed over fewer time slots.
    package var isBrief = false
    /// `pvcID` of each time slot.
    package var vectors = SIMD16<UInt8>(repeating: 0)
    /// `bs_sinusoidal_position`: the time slot in which new sinusoids start; 31 if there are no new ones.
    package var sinePosition = 31

    /// The ``sinePosition`` without new sinusoids.
    static let noPosition = 31

    package init() {}

    /// Reads `pvc_grid`.
    ///
    /// - Returns: Whether the grid is valid.
    package mutating func readGrid(from reader: inout BitReader) -> Bool {
        noisePosition = Int(reader.read(4))
        tailCount = reader.readFlag() ? Int(reader.read(2)) + 1 : 0
        return tailCount <= 3
    }

    /// Reads `pvc_envelope`.
    ///
    /// - Parameter last: The vector of the previous frame's last time slot.
    /// - Returns: Whether the data is valid.
    package mutating func readVectors(from reader: inout BitReader, isIndependent: Bool, last: UInt8) -> Bool {
        let division = Int(reader.read(3))
        isBrief = reader.readFlag()
        if division < 4 { return readRuns(division, from: &reader, isIndependent: isIndependent, last: last) }
        let width = 16 >> (division - 3)
        var current = last
        for slot in stride(from: 0, to: 16, by: width) {
            let isNew = slot == 0 && isIndependent || reader.readFlag()
            if isNew { current = UInt8(reader.read(7)) }
            for index in slot..<slot + width { vectors[index] = current }
        }
        return true
    }

    /// Returns the size, in bits, of a run length that starts in a time slot.
    private static func runBitCount(from slot: Int) -> Int { slot >= 13 ? 1 : slot >= 11 ? 2 : slot >= 7 ? 3 : 4 }

    /// Reads up to three runs of vectors.
    ///
    /// A further one fills the remaining time slots.
    private mutating func readRuns(_ count: Int, from reader: inout BitReader, isIndependent: Bool, last: UInt8) -> Bool {
        let reuses = !isIndependent && reader.readFlag()
        var current = reuses ? last : UInt8(reader.read(7))
        var slot = 0
        for _ in 0..<count {
            let length = Int(reader.read(Self.runBitCount(from: slot)))
            guard slot + length + 1 < 16 else { return false }
            for index in slot...slot + length { vectors[index] = current }
            slot += length + 1
            current = UInt8(reader.read(7))
        }
        for index in slot..<16 { vectors[index] = current }
        return true
    }

    // MARK: Writing

    /// Writes `pvc_grid`.
    package func writeGrid(to sink: inout some BitSink) {
        sink.write(UInt32(noisePosition), count: 4)
        sink.write(tailCount > 0)
        if tailCount > 0 { sink.write(UInt32(tailCount - 1), count: 2) }
    }

    /// Writes `pvc_envelope` in the shortest possible form.
    package func writeVectors(to writer: inout BitWriter, isIndependent: Bool, last: UInt8) {
        let starts = (0..<16).filter { $0 == 0 || vectors[$0] != vectors[$0 - 1] }
        var shortest = (division: 7, bitCount: Int.max)
        for division in 0..<8 {
            // Either the number of runs matches, or the vectors within each group are equal.
            guard division < 4 ? starts.count == division + 1 : starts.allSatisfy({ $0 % (16 >> (division - 3)) == 0 }) else { continue }
            var counter = BitCounter()
            writeVectors(division, starts, to: &counter, isIndependent: isIndependent, last: last)
            if counter.bitCount < shortest.bitCount { shortest = (division, counter.bitCount) }
        }
        writeVectors(shortest.division, starts, to: &writer, isIndependent: isIndependent, last: last)
    }

    /// Writes `pvc_envelope` with a given division.
    ///
    /// - Parameter starts: The first time slots of the runs of equal vectors.
    private func writeVectors(_ division: Int, _ starts: [Int], to sink: inout some BitSink, isIndependent: Bool, last: UInt8) {
        sink.write(UInt32(division), count: 3)
        sink.write(isBrief)
        if division < 4 {
            let reuses = !isIndependent && vectors[0] == last
            if !isIndependent { sink.write(reuses) }
            if !reuses { sink.write(UInt32(vectors[0]), count: 7) }
            for (slot, next) in zip(starts, starts.dropFirst()) {
                sink.write(UInt32(next - slot - 1), count: Self.runBitCount(from: slot))
                sink.write(UInt32(vectors[next]), count: 7)
            }
            return
        }
        for slot in stride(from: 0, to: 16, by: 16 >> (division - 3)) {
            let isNew = slot == 0 && isIndependent || vectors[slot] != (slot == 0 ? last : vectors[slot - 1])
            if slot > 0 || !isIndependent { sink.write(isNew) }
            if isNew { sink.write(UInt32(vectors[slot]), count: 7) }
        }
    }
}
