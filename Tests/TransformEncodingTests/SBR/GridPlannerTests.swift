// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import TestSupport
import Testing
import TransformCoding
import TransformEncoding

@Suite struct GridPlannerTests {
    private static let tuning = SBRTuning(bitRate: 48_000, sampleRate: 48_000, channelCount: 2, coreFrameLength: 1024)

    /// Steady QMF slots with 20 dB steps at some slots, counted from the start.
    private func qmfSlots(frame: Int, steps: [Int], slotCount: Int) -> SubbandSlots {
        var qmfSlots = SubbandSlots(SlotLayout(coreFrameLength: 64 * slotCount))
        for qmfSlot in 0..<2 * slotCount {
            let isLoud = steps.filter { $0 <= 2 * slotCount * frame + qmfSlot }.count % 2 == 1
            for row in 0..<16 {
                qmfSlots.real[16 * qmfSlot + row] = SIMD4(repeating: isLoud ? 1000 : 100)
            }
        }
        return qmfSlots
    }

    /// Plans frames and checks that grids survive coding and that each frame starts where the previous frame ended.
    private func plan(_ frameCount: Int, steps: [Int], slotCount: Int = 16) throws -> [(grid: SBRGrid, boundaries: EnvelopeBoundaries)] {
        let tuning = try #require(Self.tuning)
        let layout = SlotLayout(coreFrameLength: 64 * slotCount)
        var history = SubbandHistory(layout, qmfSlotsPerTimeSlot: 2)
        var slots = SlotEnergies(tuning.tables, layout)
        var planner = GridPlanner(layout, weight: 1)
        var plans: [(grid: SBRGrid, boundaries: EnvelopeBoundaries)] = []
        var start = 0
        for frame in 0..<frameCount + 2 {
            let qmfSlots = qmfSlots(frame: frame, steps: steps, slotCount: slotCount)
            history.append(qmfSlots)
            guard frame >= 2 else { continue }
            slots.measure(history)
            planner.plan(slots)
            var writer = BitWriter()
            planner.grid.write(to: &writer)
            var reader = BitReader(writer.bytes)
            let read = try #require(SBRGrid(reading: &reader))
            #expect(EnvelopeBoundaries(read, slotCount: slotCount) == planner.boundaries)
            #expect(planner.boundaries.start == start)
            start = planner.boundaries.end - slotCount
            plans.append((planner.grid, planner.boundaries))
        }
        return plans
    }

    @Test func `a steady frame has one envelope`() throws {
        for plan in try plan(4, steps: []) {
            #expect(plan.grid.frameClass == .fixFix && plan.boundaries.count == 1)
        }
    }

    @Test(arguments: 64..<96) func `an envelope starts at an onset, which the pointer signals`(step: Int) throws {
        let plans = try plan(5, steps: [step])
        var boundaries: Set<Int> = []
        var onsets: Set<Int> = []
        for (frame, plan) in plans.enumerated() {
            for index in 0...plan.boundaries.count { boundaries.insert(16 * frame + plan.boundaries[index]) }
            if plan.boundaries.transient >= 0 { onsets.insert(16 * frame + plan.boundaries[plan.boundaries.transient]) }
        }
        #expect(boundaries.contains(step / 2))
        // FIXFIX grids, which have no pointer, may have a boundary there anyway.
        #expect(onsets == [step / 2] || step / 2 % 4 == 0)
    }

    @Test(arguments: [16, 15]) func `any sequence of steps results in valid grids`(slotCount: Int) throws {
        var random = SeededRandom(seed: 41)
        for _ in 0..<20 {
            let steps = (0..<Int.random(in: 1...30, using: &random)).map { _ in Int.random(in: 0..<320, using: &random) }
            _ = try plan(8, steps: steps, slotCount: slotCount)
        }
    }
}
