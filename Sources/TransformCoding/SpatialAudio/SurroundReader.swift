// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
package import MPEG4Audio

/// An error for invalid MPEG Surround 2-1-2 data.
package struct InvalidSurroundData: Error {}

/// A reader of MPEG Surround 2-1-2 data (`Mps212Data`, ISO/IEC 23003-3, 5.3; ISO/IEC 23003-1), or of its low delay form in AAC-ELD v2
/// (ISO/IEC 23003-2).
package struct SurroundReader: ~Copyable {
    private let configuration: MPEGSurround212Config
    /// The number of time slots per frame: 32 or 64, in low delay form 8, 15 or 16.
    private let slotCount: Int
    private let isLowDelay: Bool
    /// The state on which the next frame depends.
    private var history = SurroundHistory()
    /// The state after the last frame read.
    private var nextHistory = SurroundHistory()
    /// The number of coded sets in the frame.
    private var codedCount = 1
    /// `bsXXXDataMode` of each set.
    private var modes = SIMD8<UInt8>(repeating: 0)
    /// Whether the frame refers to no other.
    private var isIndependent = false

    package init(_ configuration: MPEGSurround212Config, slotCount: Int, isLowDelay: Bool = false) {
        self.configuration = configuration
        self.slotCount = slotCount
        self.isLowDelay = isLowDelay
    }

    /// Reads a frame.
    ///
    /// Call ``commit()`` to make it the reference for the next frame.
    ///
    /// - Throws: ``InvalidSurroundData``.
    package mutating func read(_ frame: inout SurroundFrame, from reader: inout BitReader, isIndependent: Bool) throws(InvalidSurroundData)
    {
        nextHistory = history
        try readFraming(&frame, from: &reader)
        self.isIndependent = isIndependent || reader.readFlag()
        try readValues(.levelDifference, bandCount: configuration.bandCount, &frame, from: &reader)
        try readValues(.coherence, bandCount: configuration.bandCount, &frame, from: &reader)
        (frame.hasPhases, frame.smoothsPhases) = (false, false)
        if configuration.hasPhaseCoding { frame.hasPhases = reader.readFlag() }
        if frame.hasPhases {
            frame.smoothsPhases = reader.readFlag()
            try readValues(.phaseDifference, bandCount: configuration.phaseBandCount, &frame, from: &reader)
        } else {
            nextHistory.phaseDifferences = SurroundHistory.Values()
            for set in 0..<codedCount { frame.setValues(.phaseDifference, set: set, SIMD32(repeating: 0)) }
        }
        frame.coarsePhases = nextHistory.coarsePhases
        readSmoothing(&frame, from: &reader)
        try readShaping(&frame, from: &reader)
        repeatLast(&frame)
        guard !reader.hasOverrun else { throw InvalidSurroundData() }
    }

    /// Makes the last frame read the reference for the next frame.
    package mutating func commit() { history = nextHistory }

    /// Replaces a lost frame with the last parameters.
    package mutating func conceal(_ frame: inout SurroundFrame) {
        frame.setCount = 1
        frame.slots[0] = UInt8(slotCount - 1)
        for kind in [SurroundParameter.levelDifference, .coherence, .phaseDifference] {
            frame.setValues(kind, set: 0, history[kind].last)
        }
        frame.smoothedBands[0] = history.smoothedBands
        frame.smoothingTimes[0] = history.smoothingTime
        frame.isShaped = (false, false)
        frame.transients = 0
    }

    /// Repeats the last set at the end of the frame, if it ends earlier.
    private func repeatLast(_ frame: inout SurroundFrame) {
        frame.setCount = codedCount
        let last = codedCount - 1
        guard Int(frame.slots[last]) < slotCount - 1 else { return }
        frame.slots[codedCount] = UInt8(slotCount - 1)
        for kind in [SurroundParameter.levelDifference, .coherence, .phaseDifference] {
            frame.setValues(kind, set: codedCount, frame.values(kind, set: last))
        }
        frame.smoothedBands[codedCount] = frame.smoothedBands[last]
        frame.smoothingTimes[codedCount] = frame.smoothingTimes[last]
        frame.setCount += 1
    }

    /// Reads `FramingInfo`.
    private mutating func readFraming(_ frame: inout SurroundFrame, from reader: inout BitReader) throws(InvalidSurroundData) {
        let isVariable = configuration.isHighRate && reader.readFlag()
        codedCount = configuration.isHighRate ? Int(reader.read(isLowDelay ? 1 : 3)) + 1 : 1
        // The low delay form rounds down if sets are equidistant.
        let rounding = isLowDelay ? 0 : codedCount - 1
        let slotBitCount = Int.bitWidth - (slotCount - 1).leadingZeroBitCount
        var previous = -1
        for set in 0..<codedCount {
            let slot =
                isVariable
                ? Int(reader.read(slotBitCount)) : (slotCount * (set + 1) + rounding) / codedCount - 1
            guard slot > previous, slot < slotCount else { throw InvalidSurroundData() }
            frame.slots[set] = UInt8(slot)
            previous = slot
        }
    }

    /// Reads `SmgData`.
    private mutating func readSmoothing(_ frame: inout SurroundFrame, from reader: inout BitReader) {
        let bandCount = configuration.bandCount
        for set in 0..<codedCount {
            let mode = configuration.isHighRate ? reader.read(2) : 0
            if mode >= 2 { nextHistory.smoothingTime = 64 << Int(reader.read(2)) }
            switch mode {
            case 0: (nextHistory.smoothedBands, nextHistory.smoothingTime) = (0, 256)
            case 1: break
            case 2: nextHistory.smoothedBands = .max
            default:
                let groups = BandGroups(bandCount: bandCount, strideCode: Int(reader.read(2)))
                nextHistory.smoothedBands = 0
                for group in 0..<groups.count where reader.readFlag() {
                    for band in groups[group]..<groups[group + 1] { nextHistory.smoothedBands |= 1 << UInt32(band) }
                }
            }
            frame.smoothedBands[set] = nextHistory.smoothedBands
            frame.smoothingTimes[set] = nextHistory.smoothingTime
        }
    }

    // MARK: Shaping

    /// Reads `TempShapeData`.
    private func readShaping(_ frame: inout SurroundFrame, from reader: inout BitReader) throws(InvalidSurroundData) {
        frame.isShaped = (false, false)
        frame.transients = 0
        guard configuration.temporalShaping > 0, reader.readFlag() else { return }
        guard configuration.temporalShaping < 3 else { return readTransients(&frame, from: &reader) }
        frame.isShaped = (reader.readFlag(), reader.readFlag())
        guard configuration.temporalShaping == 2 else { return }
        for channel in 0..<2 where frame.shapes(channel) {
            var slot = 0
            while slot < slotCount {
                let index = SurroundCodebooks.shared.read(SurroundCodebooks.reshaping, from: &reader)
                let end = slot + index % 8 + 1
                guard end <= slotCount else { throw InvalidSurroundData() }
                for position in slot..<end { frame.reshaping[64 * channel + position] = UInt8(index / 8) }
                slot = end
            }
        }
    }

    /// Reads `TsdData`.
    private func readTransients(_ frame: inout SurroundFrame, from reader: inout BitReader) {
        var rest = Int(reader.read(slotCount == 64 ? 5 : 4)) + 1
        let wordLength = 64 - (Self.combinations(slotCount, rest) - 1).leadingZeroBitCount
        var code: UInt64 = 0
        for _ in 0..<wordLength { code = code << 1 | UInt64(reader.read(1)) }
        for slot in stride(from: slotCount - 1, through: 0, by: -1) where rest > 0 {
            if rest > slot {
                frame.transients |= (1 << UInt64(slot)) - 1 | 1 << UInt64(slot)
                break
            }
            let count = Self.combinations(slot, rest)
            if code >= count {
                frame.transients |= 1 << UInt64(slot)
                code -= count
                rest -= 1
            }
        }
        for slot in 0..<slotCount where frame.transients >> UInt64(slot) & 1 != 0 { frame.transientPhases[slot] = UInt8(reader.read(3)) }
    }

    /// Returns the number of ways to choose `chosen` of up to 64 time slots.
    private static func combinations(_ total: Int, _ chosen: Int) -> UInt64 {
        var result: UInt64 = 1
        for index in 0..<min(chosen, total - chosen) {
            // The product is a multiple of the divisor. It may need more than 64 bits.
            let product = result.multipliedFullWidth(by: UInt64(total - index))
            result = UInt64(index + 1).dividingFullWidth(product).quotient
        }
        return result
    }

    // MARK: Values

    /// Reads `EcData` for a parameter kind.
    private mutating func readValues(
        _ kind: SurroundParameter, bandCount: Int, _ frame: inout SurroundFrame, from reader: inout BitReader
    ) throws(InvalidSurroundData) {
        for set in 0..<codedCount { modes[set] = UInt8(reader.read(2)) }
        guard !(isIndependent && (modes[0] == 1 || modes[0] == 2)), modes[codedCount - 1] != 2 else { throw InvalidSurroundData() }
        let previousLast = history[kind].last
        var previous = previousLast
        var covered = -1
        var coded = 0
        for set in 0..<codedCount {
            switch modes[set] {
            case 0:
                previous = SIMD32(repeating: 0)
                nextHistory[kind].coded = previous
                nextHistory[kind].isCoarse = false
            case 3 where set != covered:
                var partner: Int?
                if reader.readFlag() {
                    for later in set + 1..<max(set + 1, codedCount) where modes[later] == 3 && partner == nil { partner = later }
                    guard partner != nil else { throw InvalidSurroundData() }
                }
                let isCoarse = reader.readFlag()
                let groups = BandGroups(bandCount: bandCount, strideCode: Int(reader.read(2)))
                let pair = try readPair(kind, groups, isCoarse: isCoarse, set: set, isPair: partner != nil, from: &reader)
                previous = spread(pair.0, kind, groups, isCoarse: isCoarse)
                if kind == .phaseDifference { recordCoarse(isCoarse, coded) }
                coded += 1
                if let partner {
                    frame.setValues(kind, set: partner, spread(pair.1, kind, groups, isCoarse: isCoarse))
                    covered = partner
                    if kind == .phaseDifference { recordCoarse(isCoarse, coded) }
                    coded += 1
                }
            case 3: previous = frame.values(kind, set: set)
            default: break
            }
            frame.setValues(kind, set: set, previous)
        }
        interpolate(kind, after: previousLast, &frame)
        nextHistory[kind].last = frame.values(kind, set: codedCount - 1)
    }

    /// Records the quantizer of a coded set of phase differences.
    private mutating func recordCoarse(_ isCoarse: Bool, _ index: Int) {
        let bit: UInt16 = 1 << UInt16(index)
        nextHistory.coarsePhases = isCoarse ? nextHistory.coarsePhases | bit : nextHistory.coarsePhases & ~bit
    }

    /// Expands values of groups to all bands, in fine quantizer steps.
    private func spread(_ values: SIMD32<Int16>, _ kind: SurroundParameter, _ groups: BandGroups, isCoarse: Bool) -> SIMD32<Int16> {
        var result = SIMD32<Int16>(repeating: 0)
        for group in 0..<groups.count {
            let value = Int(values[group])
            let fine = Int16(truncatingIfNeeded: kind.limited(isCoarse ? kind.fine(value) : value))
            for band in groups[group]..<groups[group + 1] { result[band] = fine }
        }
        return result
    }

    /// Interpolates the sets with mode 2 between adjacent ones.
    private func interpolate(_ kind: SurroundParameter, after last: SIMD32<Int16>, _ frame: inout SurroundFrame) {
        var (values, slot) = (last, 0)
        for set in 0..<codedCount {
            if modes[set] == 2 {
                guard let later = (set + 1..<codedCount).first(where: { modes[$0] != 2 }) else { return }
                let target = frame.values(kind, set: later)
                let (position, end) = (Int(frame.slots[set]) - slot, Int(frame.slots[later]) - slot)
                var result = SIMD32<Int16>(repeating: 0)
                for band in 0..<32 {
                    var (from, to) = (Int(values[band]), Int(target[band]))
                    if kind == .phaseDifference {
                        if to - from > 8 { from += 16 }
                        if from - to > 8 { to += 16 }
                    }
                    result[band] = Int16(kind.limited(from + (end > 0 ? position * (to - from) / end : 0)))
                }
                frame.setValues(kind, set: set, result)
                guard set == 0 else { continue }
            }
            (values, slot) = (frame.values(kind, set: set), Int(frame.slots[set]))
        }
    }

    /// Reads `EcDataPair` and updates the history with it.
    ///
    /// - Returns: The values of the groups in one or two sets.
    private mutating func readPair(
        _ kind: SurroundParameter, _ groups: BandGroups, isCoarse: Bool, set: Int, isPair: Bool, from reader: inout BitReader
    ) throws(InvalidSurroundData) -> (SIMD32<Int16>, SIMD32<Int16>) {
        var codedHistory = nextHistory[kind].coded
        if nextHistory[kind].isCoarse != isCoarse {
            for band in 0..<32 {
                codedHistory[band] = Int16(isCoarse ? kind.coarse(Int(codedHistory[band])) : kind.fine(Int(codedHistory[band])))
            }
        }
        var base = SIMD32<Int16>(repeating: 0)
        for group in 0..<groups.count { base[group] = codedHistory[groups[group]] }
        var coder = SurroundPairReader(
            kind: kind, count: groups.count, isCoarse: isCoarse, isPair: isPair, isLowDelay: isLowDelay)
        guard coder.read(from: &reader, base: base, refersBack: !(isIndependent && set == 0)) else { throw InvalidSurroundData() }
        let last = isPair ? coder.second : coder.first
        for group in 0..<groups.count {
            let value = kind == .phaseDifference ? last[group] & (isCoarse ? 7 : 15) : last[group]
            for band in groups[group]..<groups[group + 1] { codedHistory[band] = value }
        }
        nextHistory[kind].coded = codedHistory
        nextHistory[kind].isCoarse = isCoarse
        return (coder.first, coder.second)
    }
}
