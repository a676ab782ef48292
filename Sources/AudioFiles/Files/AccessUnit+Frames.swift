// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

extension AccessUnit {
    /// Returns the access unit's decoded length in sample frames at a rate, rounded to nearest.
    func frameCount(atRate sampleRate: Int) -> Int { duration.frames(timescale: Int(presentationTime.timescale), atRate: sampleRate) }
}

extension Int {
    /// Converts ticks to sample frames at a rate, rounded to nearest.
    ///
    /// Returns the ticks if the result overflows.
    func frames(timescale: Int, atRate sampleRate: Int) -> Int {
        guard timescale > 0, sampleRate != timescale else { return self }
        let (product, hasOverflow) = multipliedReportingOverflow(by: sampleRate)
        return hasOverflow ? self : (product + timescale / 2) / timescale
    }
}
