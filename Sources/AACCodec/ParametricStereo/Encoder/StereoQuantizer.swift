// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Turns level differences and coherence into indices (ISO/IEC 14496-3:2009, Tables 8.25, 8.26 and 8.28).
struct StereoQuantizer {
    /// The steps of level differences from 0 up in decibels, of which only the first `maximum` + 1 are used.
    private let levels: [16 of Float]
    private let maximum: Int

    private static let coarse: [16 of Float] = [0, 2, 4, 7, 10, 14, 18, 25, 0, 0, 0, 0, 0, 0, 0, 0]
    private static let fine: [16 of Float] = [0, 2, 4, 6, 8, 10, 13, 16, 19, 22, 25, 30, 35, 40, 45, 50]
    /// Where one index of coherence gives way to the next: halfway between the angles whose cosines they stand for.
    private static let coherenceBorders: [7 of Float] = [0.984_12, 0.894_23, 0.732_55, 0.488_67, 0.187_13, -0.309_73, -0.891_35]

    /// How far beyond the border a value has to be, in steps, to leave the index of the envelope before.
    private static let inertia: Float = 0.1

    /// Makes a quantiser in coarse or fine steps.
    init(hasFineLevels: Bool) {
        levels = hasFineLevels ? Self.fine : Self.coarse
        maximum = hasFineLevels ? 15 : 7
    }

    /// The index of a level difference.
    ///
    /// - Parameters:
    ///   - decibels: How much louder the left channel is.
    ///   - previous: The index of the envelope before, which is kept near a border.
    func levelIndex(_ decibels: Float, previous: Int) -> Int {
        let nearest = nearestLevel(decibels)
        guard abs(nearest - previous) == 1 else { return nearest }
        let (a, b) = (level(previous), level(nearest))
        let share = (decibels - a) / (b - a)
        return share < 0.5 + Self.inertia ? previous : nearest
    }

    private func level(_ index: Int) -> Float { index < 0 ? -levels[-index] : levels[index] }

    private func nearestLevel(_ decibels: Float) -> Int {
        let magnitude = abs(decibels)
        var index = 0
        while index < maximum && magnitude > (levels[index] + levels[index + 1]) / 2 { index += 1 }
        return decibels < 0 ? -index : index
    }

    /// The index of a coherence from -1 to 1.
    func coherenceIndex(_ coherence: Float, previous: Int) -> Int {
        var index = 0
        while index < 7 && coherence < Self.coherenceBorders[index] { index += 1 }
        guard abs(index - previous) == 1 else { return index }
        let border = min(index, previous)
        let width = (border == 0 ? 1 : Self.coherenceBorders[border - 1]) - (border == 6 ? -1 : Self.coherenceBorders[border + 1])
        return abs(coherence - Self.coherenceBorders[border]) < Self.inertia / 2 * width ? previous : index
    }
}
