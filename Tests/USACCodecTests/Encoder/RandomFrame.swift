// SPDX-License-Identifier: Apache-2.0

import MPEG4Audio
import TestSupport
import TransformCoding
import USACCodec

/// Frames of random lines with all window sequences, TNS and M/S stereo.
struct RandomFrame {
    var random: SeededRandom
    /// Whether the last frame has a short falling slope.
    private var fallsShort = false

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func fill(_ data: inout CoreElementData) {
        let bands = data.bands
        // Slopes of consecutive frames match.
        let isFirst = Bool.random(using: &random)
        let sequence: WindowSequence = fallsShort ? (isFirst ? .eightShort : .longStop) : isFirst ? .onlyLong : .longStart
        fallsShort = sequence == .eightShort || sequence == .longStart
        let shape: WindowShape = Bool.random(using: &random) ? .sine : .kaiserBesselDerived
        for channel in 0..<data.channels.count {
            fill(&data.channels[channel], bands, sequence, shape)
        }
        data.shareTools()
        guard data.channels.count == 2, data.stereo.hasCommonWindow else { return }
        let mask = (0..<WindowDivision.bandCapacity).map { _ in Int.random(in: 0..<3, using: &random) }
        let rule = Int.random(in: 0..<4, using: &random)
        data.setMidSide { mask[$0] > rule - 1 }
    }

    private mutating func fill(
        _ channel: inout CoreChannelData, _ bands: ScaleFactorBands, _ sequence: WindowSequence, _ shape: WindowShape
    ) {
        var windows = WindowDivision()
        (windows.sequence, windows.shape) = (sequence, shape)
        if windows.isShort {
            // Channels can have different groups.
            let isOneGroup = Bool.random(using: &random)
            windows.groupCount = isOneGroup ? 1 : 3
            windows.groupLengths = isOneGroup ? [8, 0, 0, 0, 0, 0, 0, 0] : [2, 5, 1, 0, 0, 0, 0, 0]
        }
        windows.maxSFB = Int.random(in: 0...bands.count(isShort: windows.isShort), using: &random)
        channel.windows = windows
        let length = bands.lineCount(isShort: windows.isShort)
        let end = bands.offset(windows.maxSFB, isShort: windows.isShort)
        channel.lines.fill(0)
        let density = Int.random(in: 1...20, using: &random)
        for line in 0..<bands.frameLength where line % length < end && Int.random(in: 0..<density, using: &random) == 0 {
            let limit = Int.random(in: 0..<400, using: &random) == 0 ? 8191 : 6
            channel.lines[line] = Int16(Int.random(in: -limit...limit, using: &random))
        }
        for band in channel.scaleFactors.indices { channel.scaleFactors[band] = UInt8.random(in: 90...140, using: &random) }
        _ = channel.completeScaleFactors(bands: bands)
        channel.hasTNS = Bool.random(using: &random)
        channel.tns = tns(isShort: windows.isShort)
    }

    private mutating func tns(isShort: Bool) -> TNSData {
        var data = TNSData()
        for window in 0..<(isShort ? 8 : 1) {
            var filter = TNSFilter()
            filter.length = UInt8.random(in: 0...(isShort ? 15 : 63), using: &random)
            filter.order = 3
            filter.coefficients[0] = Int8.random(in: -2...2, using: &random)
            filter.coefficients[2] = Int8.random(in: -1...1, using: &random)
            data.filterCounts[window] = 1
            data[window, 0] = filter
        }
        return data
    }
}
