// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioPrimitives
internal import MPEG4Audio
internal import PCMFiles
internal import TransformCoding

/// Changes the level fields of a file in place, with the checksums that cover them.
struct GainPatch {
    /// The gain, in steps of 2^(1/4) in amplitude.
    let steps: Int
    /// The fields that change by another number, in order.
    let exceptions: [GainRecord.Exception]
    private var nextException = 0
    private var fieldCount = 0

    init(steps: Int, exceptions: [GainRecord.Exception]) {
        self.steps = steps
        self.exceptions = exceptions
    }

    /// Changes all access units of a file in memory, and the levels that configurations of xHE-AAC state.
    ///
    /// - Parameter progress: Receives the presentation time of each access unit. Returns false to stop.
    mutating func apply(to bytes: inout [UInt8], path: String, _ progress: (MediaTime) -> Bool) throws {
        var units = try GainUnits(bytes, path: path)
        var (configurations, gaps): (Set<USACConfig>, [Range<Int>]) = ([], [])
        var end = 0
        while let unit = try units.next() {
            guard progress(unit.demuxed.accessUnit.presentationTime) else { throw AudioFileError(.cancelled, path: path) }
            if let usac = units.usac { configurations.insert(usac) }
            gaps.append(end..<unit.firstBit)
            end = unit.firstBit + 8 * unit.demuxed.accessUnit.payload.count
            try apply(to: &bytes, unit, units.usac)
        }
        gaps.append(end..<max(end, 8 * bytes.count))
        for configuration in configurations {
            let fields = configuration.levelFields
            guard !fields.isEmpty else { continue }
            var isFound = false
            for gap in gaps {
                for start in bytes.positions(of: configuration.bytes, bitCount: configuration.bitCount, in: gap) {
                    try change(fields, at: start, in: &bytes)
                    isFound = true
                }
            }
            guard isFound else { throw GainProblem.loudnessMetadata }
        }
    }

    private mutating func apply(to bytes: inout [UInt8], _ unit: GainUnits.Unit, _ usac: USACConfig?) throws {
        var payload = unit.demuxed.accessUnit.payload
        var changed: [Range<Int>] = []
        for part in unit.fields.preRoll + [unit.fields] {
            for field in part.fields {
                guard let bit = field.bit, field.scale > 0 else { continue }
                let change = nextChange(field.scale)
                guard change != 0 else { continue }
                let bits = bit..<bit + field.bitCount
                let value = Int(payload.bits(bits)) + change
                guard value >= 0, value < 1 << field.bitCount else { throw GainProblem.damaged(accessUnit: unit.index) }
                payload.setBits(bits, to: UInt32(value))
                changed.append(bits)
            }
        }
        for checked in changed.isEmpty ? [] : unit.fields.checksums {
            let bits = checked.prefix(SBRReader.crcBitCount)
            var reader = BitReader(payload)
            reader.skip(bits.upperBound)
            payload.setBits(bits, to: SBRReader.checksum(&reader, end: checked.upperBound))
            changed.append(bits)
        }
        for bits in changed {
            bytes.setBits(unit.firstBit + bits.lowerBound..<unit.firstBit + bits.upperBound, to: payload.bits(bits))
        }
        if !unit.fields.configuration.isEmpty, let usac {
            try change(usac.levelFields, at: unit.firstBit + unit.fields.configuration.lowerBound, in: &bytes)
        }
        if !changed.isEmpty, let (position, value) = unit.demuxed.newChecksum(payload, unit.elements) {
            bytes.setBits(8 * position..<8 * position + 16, to: UInt32(value))
        }
    }

    /// Changes the levels that a configuration states.
    ///
    /// - Parameter start: The position of the configuration, in bits.
    private func change(_ fields: [LoudnessInfoSet.LevelField], at start: Int, in bytes: inout [UInt8]) throws {
        for field in fields {
            let bits = start + field.bits.lowerBound..<start + field.bits.upperBound
            let isPeak = field.stepsPerDecibel == LoudnessInfoSet.LevelField.peakSteps
            let old = Int(bytes.bits(bits))
            guard !isPeak || old > 0 else { continue }
            let new = old + Int((Double(field.stepsPerDecibel) * Double(steps) * LosslessGain.step).rounded())
            guard new >= (isPeak ? 1 : 0), new < 1 << field.bits.count else { throw GainProblem.loudnessMetadata }
            bytes.setBits(bits, to: UInt32(new))
        }
    }

    /// Counts a field, and returns the change of its value.
    private mutating func nextChange(_ scale: Int) -> Int {
        defer { fieldCount += 1 }
        while nextException < exceptions.count, exceptions[nextException].fields.upperBound <= fieldCount { nextException += 1 }
        guard nextException < exceptions.count, exceptions[nextException].fields.contains(fieldCount) else { return steps / scale }
        return exceptions[nextException].change
    }
}

extension DemuxedAccessUnit {
    /// Returns the checksum of an ADTS frame for another payload, with its byte position in the file; `nil` without a checksum.
    fileprivate func newChecksum(_ payload: [UInt8], _ elements: [ElementSpan]) -> (position: Int, value: UInt16)? {
        guard checksum != nil, let adtsHeader, let payloadBit else { return nil }
        guard adtsHeader.rawDataBlockCount == 1 else {
            return (payloadBit / 8 + payload.count, ADTSChecksum.value(block: payload, elements: elements))
        }
        return (
            byteRange.lowerBound + ADTSHeader.fixedByteCount,
            ADTSChecksum.value(header: adtsHeader, payload: payload, elements: elements)
        )
    }
}

extension [UInt8] {
    /// Returns at most 32 bits, most significant bit first.
    fileprivate func bits(_ range: Range<Int>) -> UInt32 {
        var value: UInt32 = 0
        for bit in range { value = value << 1 | UInt32(self[bit >> 3] >> UInt8(7 - bit & 7) & 1) }
        return value
    }

    /// Sets at most 32 bits, most significant bit first.
    fileprivate mutating func setBits(_ range: Range<Int>, to value: UInt32) {
        for bit in range {
            let mask = UInt8(0x80) >> UInt8(bit & 7)
            let isSet = value >> UInt32(range.upperBound - 1 - bit) & 1 != 0
            if isSet { self[bit >> 3] |= mask } else { self[bit >> 3] &= ~mask }
        }
    }

    /// Returns the positions, in bits, of a bit pattern in a range of bits.
    fileprivate func positions(of pattern: [UInt8], bitCount: Int, in range: Range<Int>) -> [Int] {
        guard bitCount >= 32, range.count >= bitCount else { return [] }
        let head = pattern.bits(0..<32)
        var word = bits(range.prefix(32))
        var positions: [Int] = []
        for start in range.lowerBound...range.upperBound - bitCount {
            if start > range.lowerBound { word = word << 1 | bits(start + 31..<start + 32) }
            guard word == head else { continue }
            let isEqual = stride(from: 32, to: bitCount, by: 8).allSatisfy {
                let count = Swift.min(8, bitCount - $0)
                return bits(start + $0..<start + $0 + count) == pattern.bits($0..<$0 + count)
            }
            if isEqual { positions.append(start) }
        }
        return positions
    }
}
