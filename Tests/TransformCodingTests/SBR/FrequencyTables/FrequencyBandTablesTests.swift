// SPDX-License-Identifier: Apache-2.0

import Testing
import TransformCoding

@Suite struct FrequencyBandTablesTests {
    static let rates = [16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000]

    // swift-format-ignore
    static let starts: [[Int]] = [
        [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31],
        [12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 26, 28, 30],
        [11, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 25, 27, 29, 32],
        [10, 12, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 25, 27, 29, 32],
        [8, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 21, 23, 25, 28, 32],
        [7, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 22, 24, 27, 31],
        [6, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 19, 21, 23, 26, 30],
        [5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 18, 20, 23, 27, 31],
        [5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 18, 20, 23, 27, 31],
    ]

    // swift-format-ignore
    static let stops: [[Int]] = [
        [48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 60, 62, 64],
        [35, 36, 38, 40, 42, 44, 46, 48, 50, 52, 55, 58, 61, 64],
        [32, 34, 36, 38, 40, 42, 44, 46, 49, 52, 55, 58, 61, 64],
        [32, 34, 36, 38, 40, 42, 44, 46, 49, 52, 55, 58, 61, 64],
        [23, 25, 27, 29, 31, 34, 37, 40, 43, 47, 51, 55, 59, 64],
        [21, 23, 25, 27, 29, 32, 35, 38, 41, 45, 49, 54, 59, 64],
        [20, 22, 24, 26, 28, 31, 34, 37, 41, 45, 49, 54, 59, 64],
        [15, 17, 19, 21, 23, 26, 29, 33, 37, 41, 46, 51, 57, 64],
        [13, 15, 17, 19, 21, 24, 27, 31, 35, 39, 44, 50, 57, 64],
    ]

    @Test func `first and last subbands match the standard's tables`() {
        for (index, rate) in Self.rates.enumerated() {
            #expect((0..<16).map { FrequencyRange.start(rate: rate, startFrequency: $0) } == Self.starts[index])
            #expect((0..<14).map { FrequencyRange.stop(rate: rate, stopFrequency: $0, start: 8) } == Self.stops[index])
            #expect(FrequencyRange.stop(rate: rate, stopFrequency: 14, start: 10) == 20)
            #expect(FrequencyRange.stop(rate: rate, stopFrequency: 15, start: 30) == 64)
        }
    }

    @Test func `other rates use the nearest tables`() {
        #expect(FrequencyRange.tableRate(for: 14_700) == 16_000)
        #expect(FrequencyRange.tableRate(for: 45_000) == 44_100)
        #expect(FrequencyRange.tableRate(for: 192_000) == 96_000)
    }

    @Test func `linear bands cover an odd span`() throws {
        var header = SBRHeader()
        header.bands.startFrequency = 15
        header.bands.stopFrequency = 12
        header.bands.frequencyScale = 0
        header.bands.noiseBands = 0
        let tables = try #require(FrequencyBandTables(header: header, rate: 44_100))
        #expect(tables.crossoverSubband == 32 && tables.highBandCount == 27)
        #expect(tables.master.count == 14 && tables.noise.count == 1)
    }

    @Test func `six patches are accepted`() throws {
        var header = SBRHeader()
        header.bands.startFrequency = 0
        header.bands.stopFrequency = 8
        header.bands.frequencyScale = 0
        header.bands.altersScale = true
        let tables = try #require(FrequencyBandTables(header: header, rate: 44_100))
        #expect((0..<tables.patches.count).map { tables.patches.target(of: $0) } == [8, 13, 19, 25, 31, 37])
        #expect(tables.high.last == 43)
    }

    @Test(arguments: rates) func `all headers result in valid tables or none`(rate: Int) {
        var accepted = 0
        for fields in 0..<1 << 14 {
            var header = SBRHeader()
            header.bands.startFrequency = fields & 15
            header.bands.stopFrequency = fields >> 4 & 15
            header.bands.crossoverBand = fields >> 8 & 7
            header.bands.frequencyScale = fields >> 11 & 3
            header.bands.altersScale = fields >> 13 & 1 != 0
            // Fields that only divide the same bands differently alternate.
            header.bands.noiseBands = (fields ^ fields >> 5) & 3
            header.limiterBands = (fields >> 2 ^ fields >> 7) & 3
            guard let tables = FrequencyBandTables(header: header, rate: rate) else { continue }
            accepted += 1
            let problem = Self.problem(in: tables)
            #expect(problem == nil, "\(header)")
        }
        #expect(accepted > 2000)
    }

    /// Returns the rule of ISO/IEC 14496-3:2009, 4.6.18.3, that tables violate, if any.
    static func problem(in tables: FrequencyBandTables) -> String? {
        let (first, top) = (tables.crossoverSubband, tables.high.last)
        for (name, bands) in [("high", tables.high), ("low", tables.low), ("noise", tables.noise)] {
            if !bands.isRising || bands.first != first || bands.last != top { return name }
        }
        if first > 32 || top > 64 || tables.high.count > 48 || tables.noise.count > 5 { return "limits" }
        for index in 0...tables.low.count where !tables.high.contains(tables.low[index]) { return "low not in high" }
        for index in 0...tables.noise.count where !tables.low.contains(tables.noise[index]) { return "noise not in low" }
        if !tables.limiter.isRising || tables.limiter.first != first || tables.limiter.last != top { return "limiter" }
        return problem(in: tables.patches, startSubband: tables.startSubband, first: first, top: top)
    }

    static func problem(in patches: PatchTable, startSubband: Int, first: Int, top: Int) -> String? {
        if patches.count > 6 { return "patch count" }
        var end = first
        for patch in 0..<patches.count {
            if patches.target(of: patch) != end { return "patch gap" }
            if patches.start(of: patch) < 1 { return "patch start" }
            if patches.start(of: patch) + patches.width(of: patch) > startSubband { return "patch source" }
            if (patches.target(of: patch) - patches.start(of: patch)) % 2 != 0 { return "patch distance" }
            end += patches.width(of: patch)
        }
        return end <= top && end >= top - 2 ? nil : "patch end \(end) \(top)"
    }
}
