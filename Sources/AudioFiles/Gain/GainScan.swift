// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioPrimitives
internal import PCMFiles
internal import TransformCoding

/// The gains that a file permits, in steps of 2^(1/4) in amplitude, 1.505 dB.
struct GainScan {
    /// The numbers of steps that keep all levels of the core in range.
    private var coreRange = -255...255
    /// The numbers of steps that keep all levels in range.
    private(set) var range = -255...255
    /// Whether only even numbers of steps are possible, because envelopes have steps of 3 dB.
    private(set) var needsPairs = false
    private(set) var unitCount = 0
    private(set) var lostByteCount = 0
    /// The file ranges between access units, with room for metadata.
    private(set) var gaps: [Range<Int>] = []
    private var fieldCount = 0
    /// The numbers of the core's fields that affect silence only.
    private var silentFields: [Int] = []
    private var chains: [Chain] = []

    /// Envelopes that refer to each other, from one start value to the next.
    private struct Chain {
        /// The number of the start value among all fields; `nil` for balances.
        let number: Int?
        let scale: Int
        /// The changes of the start value that keep all levels in range.
        var changes: ClosedRange<Int>
        /// Whether all envelopes belong to a silent core and have the lowest level.
        var isSilent: Bool
        /// Whether all envelopes have the lowest level, so that the high band cannot be quieter.
        var isLowest: Bool
        var units: ClosedRange<Int>

        init(_ field: GainFields.Field, number: Int?, unit: Int) {
            (self.number, scale, changes, isSilent) = (number, field.scale, field.changes, field.isSilent)
            isLowest = field.isLowest
            units = unit...unit
        }

        mutating func extend(by field: GainFields.Field, unit: Int) {
            changes = changes.clamped(to: field.changes)
            isSilent = isSilent && field.isSilent
            isLowest = isLowest && field.isLowest
            units = units.lowerBound...unit
        }

        /// Returns the change of the start value for a number of steps.
        func change(_ steps: Int) -> Int { isSilent ? 0 : max(changes.lowerBound, min(changes.upperBound, steps / scale)) }
    }

    /// Parses a file in memory.
    ///
    /// - Parameter progress: Receives the presentation time of each access unit. Returns false to stop.
    init(_ bytes: [UInt8], path: String, _ progress: (MediaTime) -> Bool) throws {
        var units = try GainUnits(bytes, path: path)
        var open: [Int: Chain] = [:]
        var end = 0
        while let unit = try units.next() {
            let first = unit.firstBit / 8
            addGap(end..<first)
            end = first + unit.demuxed.accessUnit.payload.count
            var inner: [Int: Chain] = [:]
            for fields in unit.fields.preRoll { try add(fields, &inner, unit.index) }
            for chain in inner.values { finish(chain) }
            try add(unit.fields, &open, unit.index)
            unitCount += 1
            guard progress(unit.demuxed.accessUnit.presentationTime) else { throw AudioFileError(.cancelled, path: path) }
        }
        guard unitCount > 0 else { throw AudioFileError(.noAccessUnits, path: path) }
        for chain in open.values { finish(chain) }
        addGap(end..<max(end, bytes.count))
        lostByteCount = units.lostByteCount
        range = chains.filter { !$0.isSilent }.reduce(coreRange) { range, chain in
            let changes = chain.changes
            let lower = chain.isLowest ? range.lowerBound : changes.lowerBound * chain.scale
            return range.clamped(to: min(0, lower)...max(0, changes.upperBound * chain.scale))
        }
        needsPairs = chains.contains { !$0.isSilent && $0.scale == 2 }
    }

    /// The size of the smallest tag to adjust, in bytes.
    private static let smallestTag = 16

    private mutating func addGap(_ gap: Range<Int>) {
        if gap.count >= Self.smallestTag { gaps.append(gap) }
    }

    private mutating func add(_ fields: GainFields, _ open: inout [Int: Chain], _ unit: Int) throws {
        for field in fields.fields {
            guard let number = field.chain else {
                if field.isSilent { silentFields.append(fieldCount) } else { coreRange = coreRange.clamped(to: field.changes) }
                fieldCount += 1
                continue
            }
            if field.bit != nil {
                if let chain = open[number] { finish(chain) }
                open[number] = Chain(field, number: field.scale > 0 ? fieldCount : nil, unit: unit)
                if field.scale > 0 { fieldCount += 1 }
            } else if let scale = open[number]?.scale {
                guard scale == field.scale else { throw GainProblem.resolutionChange(accessUnit: unit) }
                open[number]?.extend(by: field, unit: unit)
            }
        }
    }

    private mutating func finish(_ chain: Chain) {
        if chain.number != nil { chains.append(chain) }
    }

    // MARK: Gains

    /// Returns the possible numbers of steps.
    ///
    /// - Parameter isApproximate: Whether high-band envelopes at the end of their range may deviate from the gain.
    func range(isApproximate: Bool) -> ClosedRange<Int> { isApproximate ? coreRange : range }

    /// Returns the fields that change by another number than the others, in order.
    func exceptions(_ steps: Int) -> [GainRecord.Exception] {
        var changes = silentFields.map { (number: $0, change: 0) }
        for chain in chains where chain.change(steps) != steps / chain.scale {
            if let number = chain.number { changes.append((number, chain.change(steps))) }
        }
        var result: [GainRecord.Exception] = []
        for (number, change) in changes.sorted(by: { $0.number < $1.number }) {
            if let last = result.last, last.fields.upperBound == number, last.change == change {
                result[result.count - 1].fields = last.fields.lowerBound..<number + 1
            } else {
                result.append(GainRecord.Exception(fields: number..<number + 1, change: change))
            }
        }
        return result
    }

    /// Returns the number of access units whose high band deviates, and the largest deviation in steps.
    func deviation(_ steps: Int) -> (unitCount: Int, steps: Int) {
        var units = Set<Int>()
        var largest = 0
        for chain in chains where !chain.isSilent && !chain.isLowest {
            let deviation = abs(steps - chain.change(steps) * chain.scale)
            if deviation > 0 { units.formUnion(chain.units) }
            largest = max(largest, deviation)
        }
        return (units.count, largest)
    }
}
