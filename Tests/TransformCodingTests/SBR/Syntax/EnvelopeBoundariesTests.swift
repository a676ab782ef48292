// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import TestSupport
import Testing
import TransformCoding

@Suite struct EnvelopeBoundariesTests {
    /// The time grid of 4.6.18.3.3 as a list of rules; `nil` for an invalid grid.
    private static func model(_ grid: SBRGrid, slotCount: Int) -> (boundaries: [Int], middle: Int, transient: Int)? {
        let leading = (0..<grid.leadingWidths.count).map { grid.leadingWidths[$0] }
        let trailing = (0..<grid.trailingWidths.count).map { grid.trailingWidths[$0] }
        var boundaries: [Int]
        switch grid.frameClass {
        case .fixFix:
            boundaries = [1: [0], 2: [0, 8], 4: [0, 4, 8, 12], 8: [0, 2, 4, 6, 8, 10, 12, 14]][grid.fixedEnvelopeCount] ?? []
            boundaries.append(slotCount)
        case .fixVar:
            boundaries = [0] + trailing.reduce(into: [slotCount + grid.variableEnd]) { $0.insert($0[0] - $1, at: 0) }
        case .varFix:
            boundaries = leading.reduce(into: [grid.variableStart]) { $0.append($0[$0.count - 1] + $1) } + [slotCount]
        case .varVar:
            boundaries =
                leading.reduce(into: [grid.variableStart]) { $0.append($0[$0.count - 1] + $1) }
                + trailing.reduce(into: [slotCount + grid.variableEnd]) { $0.insert($0[0] - $1, at: 0) }
        // Low delay SBR grids have a separate model.
        case .lowDelayTransient: return nil
        }
        let count = boundaries.count - 1
        guard count >= 1, count <= 8, zip(boundaries, boundaries.dropFirst()).allSatisfy(<), boundaries[0] >= 0 else { return nil }
        let pointer = grid.pointer
        switch grid.frameClass {
        case .fixFix: return (boundaries, count / 2, -1)
        case .varFix:
            guard pointer <= count else { return nil }
            return (boundaries, pointer == 0 ? 1 : pointer == 1 ? count - 1 : pointer - 1, pointer > 1 ? pointer - 1 : -1)
        case .fixVar, .varVar:
            guard pointer <= count + 1 else { return nil }
            return (boundaries, pointer > 1 ? count + 1 - pointer : count - 1, pointer == 0 ? -1 : count + 1 - pointer)
        case .lowDelayTransient: return nil
        }
    }

    @Test(arguments: [16, 15]) func `boundaries, noise floors and transients of random grids match the rules`(slotCount: Int) {
        let seed = UInt64(300 + slotCount)
        var random = SeededRandom(seed: seed)
        var validCount = 0
        for trial in 0..<20_000 {
            var grid = SBRGrid()
            grid.frameClass = SBRGrid.FrameClass(rawValue: UInt8.random(in: 0...3, using: &random)) ?? .fixFix
            grid.fixedEnvelopeCount = [1, 2, 4, 8].randomElement(using: &random) ?? 1
            grid.variableStart = grid.frameClass == .fixVar ? 0 : Int.random(in: 0...3, using: &random)
            grid.variableEnd = grid.frameClass == .varFix ? 0 : Int.random(in: 0...3, using: &random)
            let limit = Int.random(in: 2...8, using: &random)
            for _ in 0..<Int.random(in: 0...3, using: &random) where grid.frameClass != .fixVar {
                grid.leadingWidths.append(2 * Int.random(in: 1...limit / 2, using: &random))
            }
            for _ in 0..<Int.random(in: 0...3, using: &random) where grid.frameClass != .varFix {
                grid.trailingWidths.append(2 * Int.random(in: 1...limit / 2, using: &random))
            }
            grid.pointer = Int.random(in: 0...6, using: &random)
            let expected = Self.model(grid, slotCount: slotCount)
            let found = EnvelopeBoundaries(grid, slotCount: slotCount)
            #expect((found == nil) == (expected == nil), "seed \(seed), trial \(trial), \(grid)")
            guard let found, let expected else { continue }
            validCount += 1
            let count = expected.boundaries.count - 1
            #expect(found.count == count && (0...count).map { found[$0] } == expected.boundaries, "seed \(seed), trial \(trial)")
            #expect(found.transient == expected.transient, "seed \(seed), trial \(trial), \(grid)")
            #expect(found.noiseCount == (count == 1 ? 1 : 2))
            for envelope in 0..<count {
                let floor = count > 1 && envelope >= expected.middle ? 1 : 0
                #expect(found.noiseFloor(of: envelope) == floor, "seed \(seed), trial \(trial), \(grid)")
            }
        }
        #expect(validCount > 5000)
    }

    @Test func `only enhanced SBR accepts grids with more than five envelopes`() {
        for (leading, trailing) in [(2, 2), (3, 2), (2, 3), (3, 3)] {
            var grid = SBRGrid()
            grid.frameClass = .varVar
            for _ in 0..<leading { grid.leadingWidths.append(2) }
            for _ in 0..<trailing { grid.trailingWidths.append(2) }
            var writer = BitWriter()
            grid.write(to: &writer)
            for variant in [SBRVariant.standard, .enhanced, .enhancedQuadruple] {
                var reader = BitReader(writer.bytes)
                let read = SBRGrid(reading: &reader, variant: variant)
                #expect((read == grid) == (leading + trailing + 1 <= 5 || variant != .standard), "\(leading), \(trailing), \(variant)")
            }
        }
    }
}
