// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

extension AccessUnit {
    /// Returns the access unit's decoded length in sample frames at a rate, rounded to nearest.
    func frameCount(atRate sampleRate: Int) -> Int {
        let timescale = Int(presentationTime.timescale)
        guard timescale > 0, sampleRate != timescale else { return duration }
        let (product, hasOverflow) = duration.multipliedReportingOverflow(by: sampleRate)
        return hasOverflow ? duration : (product + timescale / 2) / timescale
    }
}
