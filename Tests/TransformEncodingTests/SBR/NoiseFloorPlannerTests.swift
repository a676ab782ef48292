// SPDX-License-Identifier: Apache-2.0

import Testing
import TransformCoding
import TransformEncoding

@Suite struct NoiseFloorPlannerTests {
    private static let tuning = SBRTuning(bitRate: 48_000, sampleRate: 48_000, channelCount: 2, coreFrameLength: 1024)

    private static func plan(_ signal: SubbandSignal, frames: Int, _ tuning: SBRTuning) -> NoiseFloorPlanner {
        var planner = NoiseFloorPlanner()
        signal.forEachFrame(frames) { planner.plan($0, tuning: tuning) }
        return planner
    }

    @Test func `noise copied from noise needs neither inverse filtering nor a noise floor`() throws {
        let tuning = try #require(Self.tuning)
        let planner = Self.plan(.noise(1000), frames: 8, tuning)
        for band in 0..<tuning.tables.noise.count {
            #expect(planner.inverseFiltering[band] == 0)
            #expect(planner.floors[band] < -4, "\(planner.floors[band])")
        }
    }

    @Test func `noise copied from tones gets the strongest inverse filtering and a high floor`() throws {
        let tuning = try #require(Self.tuning)
        let first = tuning.tables.crossoverSubband
        let planner = Self.plan(.tones(in: 0..<first, 3000, noise: 1000, in: first..<64), frames: 8, tuning)
        for band in 0..<tuning.tables.noise.count {
            #expect(planner.inverseFiltering[band] == 3)
            #expect(planner.floors[band] > -1, "\(planner.floors[band])")
        }
    }

    @Test func `tones copied from noise get no added noise`() throws {
        let tuning = try #require(Self.tuning)
        let first = tuning.tables.crossoverSubband
        let planner = Self.plan(.tones(in: first..<60, 3000, noise: 1000, in: 0..<first), frames: 8, tuning)
        for band in 0..<tuning.tables.noise.count {
            #expect(planner.inverseFiltering[band] == 0)
            #expect(planner.floors[band] < -8, "\(planner.floors[band])")
        }
    }

    @Test func `silence has the lowest floor`() throws {
        let tuning = try #require(Self.tuning)
        let planner = Self.plan(SubbandSignal(), frames: 2, tuning)
        for band in 0..<tuning.tables.noise.count {
            #expect(planner.inverseFiltering[band] == 0 && planner.floors[band] == -12)
        }
    }

    @Test func `floors move halfway per frame, and fully after a reset`() throws {
        let tuning = try #require(Self.tuning)
        let first = tuning.tables.crossoverSubband
        var planner = Self.plan(SubbandSignal(), frames: 2, tuning)
        var floors: [Float] = []
        SubbandSignal.tones(in: 0..<first, 3000, noise: 1000, in: first..<64).forEachFrame(4) { tonality in
            if floors.count == 3 { planner.resetHistory() }
            planner.plan(tonality, tuning: tuning)
            floors.append(planner.floors[0])
        }
        // From -12 to about 0.
        #expect(floors[0] < -5 && floors[1] < -2 && floors[2] < -1 && floors[3] > floors[2] * 0.6, "\(floors)")
        #expect(floors == floors.sorted())
    }
}
