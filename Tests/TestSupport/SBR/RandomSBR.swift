// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
package import TransformCoding

/// A generator of random SBR payloads that use all syntax features, with a record of their levels.
package struct RandomSBR {
    /// The levels of a channel's last payload.
    package struct Levels {
        package var envelopes: [[Int]] = []
        package var noiseFloors: [[Int]] = []
        package var isHigh = false
        /// The time slots of the next frame that are already filled.
        package var overlap = 0
    }

    package var random: SeededRandom
    package let channelCount: Int
    package let rate: Int
    package let slotCount: Int
    /// The largest number of envelopes of equal length: 4, or 8 in enhanced SBR.
    package var maximumFixedCount = 4
    package private(set) var header = SBRHeader()
    package private(set) var tables: FrequencyBandTables
    package private(set) var levels: [Levels]

    package init(seed: UInt64, channelCount: Int, rate: Int, slotCount: Int = 16) {
        random = SeededRandom(seed: seed)
        self.channelCount = channelCount
        self.rate = rate
        self.slotCount = slotCount
        levels = Array(repeating: Levels(), count: channelCount)
        (header, tables) = Self.header(rate: rate, &random)
    }

    package mutating func changeHeader() {
        (header, tables) = Self.header(rate: rate, &random)
        for channel in 0..<channelCount {
            levels[channel].envelopes = []
            levels[channel].noiseFloors = []
        }
    }

    private static func header(rate: Int, _ random: inout SeededRandom) -> (SBRHeader, FrequencyBandTables) {
        while true {
            var header = SBRHeader()
            header.usesCoarseAmplitudes = Bool.random(using: &random)
            header.bands.startFrequency = Int.random(in: 0...15, using: &random)
            header.bands.stopFrequency = Int.random(in: 0...15, using: &random)
            header.bands.crossoverBand = Int.random(in: 0...3, using: &random)
            header.bands.frequencyScale = Int.random(in: 0...3, using: &random)
            header.bands.altersScale = Bool.random(using: &random)
            header.bands.noiseBands = Int.random(in: 0...3, using: &random)
            header.limiterBands = Int.random(in: 0...3, using: &random)
            header.limiterGains = Int.random(in: 0...3, using: &random)
            header.interpolatesFrequency = Bool.random(using: &random)
            header.smoothsGains = Bool.random(using: &random)
            // Patches that leave a gap below the highest band can be interpreted in more than one way.
            guard let tables = FrequencyBandTables(header: header, rate: rate), tables.highBandCount > 8,
                tables.patches.target(of: tables.patches.count - 1) + tables.patches.width(of: tables.patches.count - 1)
                    == tables.high.last
            else { continue }
            return (header, tables)
        }
    }

    /// Returns the next payload.
    ///
    /// The first one is coded entirely in frequency direction.
    package mutating func payload() -> SBRPayload {
        var payload = SBRPayload(channelCount: channelCount, slotCount: slotCount)
        payload.isCoupled =
            channelCount == 2 && levels[0].overlap == levels[1].overlap && Bool.random(using: &random)
        for channel in 0..<channelCount {
            if channel == 1 && payload.isCoupled {
                payload.channels[1].grid = payload.channels[0].grid
                payload.channels[1].boundaries = payload.channels[0].boundaries
                payload.channels[1].inverseFiltering = payload.channels[0].inverseFiltering
            } else {
                fillSideData(&payload.channels[channel], overlap: levels[channel].overlap)
            }
            fillLevels(&payload.channels[channel], channel: channel, isBalance: payload.isCoupled && channel == 1)
        }
        return payload
    }

    private mutating func fillSideData(_ data: inout SBRChannelData, overlap: Int) {
        while true {
            data.grid = grid(overlap: overlap)
            if let boundaries = EnvelopeBoundaries(data.grid, slotCount: slotCount) {
                data.boundaries = boundaries
                break
            }
        }
        for band in 0..<tables.noise.count { data.inverseFiltering[band] = UInt8.random(in: 0...3, using: &random) }
    }

    private mutating func grid(overlap: Int) -> SBRGrid {
        var grid = SBRGrid()
        let classes: [SBRGrid.FrameClass] = overlap > 0 ? [.varFix, .varVar] : [.fixFix, .fixVar, .varFix, .varVar]
        grid.frameClass = classes.randomElement(using: &random) ?? .fixFix
        grid.highResolution = UInt8.random(in: 0...255, using: &random)
        if grid.frameClass == .fixFix {
            grid.fixedEnvelopeCount = [1, 2, 4, 8].filter { $0 <= maximumFixedCount }.randomElement(using: &random) ?? 1
            grid.highResolution = Bool.random(using: &random) ? 255 : 0
            return grid
        }
        grid.variableStart = grid.frameClass == .fixVar ? 0 : overlap
        grid.variableEnd = grid.frameClass == .varFix ? 0 : Int.random(in: 0...3, using: &random)
        if grid.frameClass != .fixVar {
            for _ in 0..<Int.random(in: 0...(grid.frameClass == .varVar ? 2 : 3), using: &random) {
                grid.leadingWidths.append(2 * Int.random(in: 1...4, using: &random))
            }
        }
        if grid.frameClass != .varFix {
            for _ in 0..<Int.random(in: 0...(grid.frameClass == .varVar ? 2 : 3), using: &random) {
                grid.trailingWidths.append(2 * Int.random(in: 1...4, using: &random))
            }
        }
        grid.pointer = Int.random(in: 0...grid.envelopeCount, using: &random)
        grid.highResolution &= (1 << UInt8(grid.envelopeCount)) - 1
        return grid
    }

    private mutating func fillLevels(_ data: inout SBRChannelData, channel: Int, isBalance: Bool) {
        let isCoarse = data.usesCoarseAmplitudes(header)
        let coding = DeltaCoding.envelope(isCoarse: isCoarse, isBalance: isBalance)
        let maximum = isBalance ? (isCoarse ? 24 : 48) : (isCoarse ? 22 : 44)
        var previous = levels[channel].envelopes.last
        var wasHigh = levels[channel].isHigh
        var envelopes: [[Int]] = []
        for index in 0..<data.boundaries.count {
            let isHigh = data.grid.isHighResolution(index)
            let bands = tables.envelopeBands(isHighResolution: isHigh)
            var base: [Int]?
            if let previous, Bool.random(using: &random) {
                base = (0..<bands.count).map { band in
                    isHigh == wasHigh
                        ? previous[band] : previous[Self.band(of: bands[band], in: tables.envelopeBands(isHighResolution: wasHigh))]
                }
                data.envelopesInTime |= 1 << UInt8(index)
            }
            let result = code(bands.count, base: base, coding: coding, factor: isBalance ? 2 : 1, maximum: maximum)
            for band in 0..<bands.count { data.envelopeDifferences[48 * index + band] = Int8(result.differences[band]) }
            envelopes.append(result.values)
            previous = result.values
            wasHigh = isHigh
        }
        var floors: [[Int]] = []
        var previousFloor = levels[channel].noiseFloors.last
        for index in 0..<data.boundaries.noiseCount {
            let isInTime = previousFloor != nil && Bool.random(using: &random)
            if isInTime { data.noiseFloorsInTime |= 1 << UInt8(index) }
            let result = code(
                tables.noise.count, base: isInTime ? previousFloor : nil, coding: .noise(isBalance: isBalance),
                factor: isBalance ? 2 : 1, maximum: isBalance ? 24 : 28)
            for band in 0..<tables.noise.count { data.noiseDifferences[5 * index + band] = Int8(result.differences[band]) }
            floors.append(result.values)
            previousFloor = result.values
        }
        if Int.random(in: 0..<3, using: &random) == 0 {
            for band in 0..<tables.high.count where Int.random(in: 0..<4, using: &random) == 0 {
                data.harmonics |= 1 << UInt64(band)
            }
        }
        levels[channel] = Levels(
            envelopes: envelopes, noiseFloors: floors, isHigh: wasHigh, overlap: data.boundaries.end - slotCount)
    }

    /// Returns the band that contains a subband.
    private static func band(of subband: Int, in bands: BandBoundaries) -> Int {
        (0..<bands.count).first { bands[$0] <= subband && subband < bands[$0 + 1] } ?? 0
    }

    /// Returns values that differ little from the base values or from their neighbors.
    private mutating func code(
        _ count: Int, base: [Int]?, coding: DeltaCoding, factor: Int, maximum: Int
    ) -> (differences: [Int], values: [Int]) {
        var differences: [Int] = []
        var values: [Int] = []
        for band in 0..<count {
            if base == nil && band == 0 {
                let limit = min(maximum / factor, (1 << coding.startBitCount) - 1)
                let start = Int.random(in: limit / 4...limit * 3 / 4, using: &random)
                differences.append(start)
                values.append(factor * start)
                continue
            }
            let from = base?[band] ?? values[band - 1]
            var difference = Int.random(in: -2...2, using: &random)
            // Returns to the valid range, whatever the level after a frame with another step size.
            if from + factor * difference > maximum { difference = max(-8, (maximum - from - factor + 1) / factor) }
            if from + factor * difference < 0 { difference = min(8, (factor - 1 - from) / factor) }
            differences.append(difference)
            values.append(from + factor * difference)
        }
        return (differences, values)
    }
}
