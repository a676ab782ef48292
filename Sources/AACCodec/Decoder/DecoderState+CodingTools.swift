// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives
internal import MPEG4Audio

extension DecoderState {
    /// The tools of what was read last, in the order of the layout, then those of the coupling channels.
    func codingTools() -> [ElementTools] {
        var result: [ElementTools] = []
        for place in 0..<layout.slotCount {
            let element = layout.slots[place].element
            var channels = [elements[place].pair.first.codingTools]
            if element == .pair { channels.append(elements[place].pair.second.codingTools) }
            result.append(
                ElementTools(
                    element: element, instanceTag: elements[place].pair.instanceTag, bitCount: elements[place].bits.count,
                    hasCommonWindow: element == .pair && elements[place].pair.hasCommonWindow,
                    midSideBandCount: element == .pair ? elements[place].pair.midSideBandCount : 0, channels: channels,
                    replication: elements[place].bandReplication.isEmpty
                        ? nil : replication.codingTools(of: place, payload: elements[place].bandReplication)))
        }
        for index in 0..<coupling.count {
            result.append(
                ElementTools(
                    element: nil, instanceTag: coupling.elements[index].instanceTag, bitCount: coupling.elements[index].bitCount,
                    hasCommonWindow: false, midSideBandCount: 0, channels: [coupling.elements[index].stream.codingTools]))
        }
        return result
    }
}

extension ChannelPairElement {
    /// Bands that are coded as middle and side, and not as noise or intensity.
    fileprivate var midSideBandCount: Int {
        guard hasCommonWindow, midSide.kind != .none else { return 0 }
        return first.info.count { band in
            midSide.contains(band) && first.codebooks[band] != BandCodebook.noise && second.codebooks[band] < BandCodebook.noise
        }
    }
}

extension ICSInfo {
    /// How many bands of all groups, by their index in arrays of bands, a test is true for.
    fileprivate func count(where isCounted: (Int) -> Bool) -> Int {
        (0..<groupCount).reduce(0) { sum, group in
            let first = group * Self.bandStride
            return sum + (first..<first + maxSFB).count(where: isCounted)
        }
    }
}

extension IndividualChannelStream {
    /// The tools of the channel.
    fileprivate var codingTools: ChannelTools {
        ChannelTools(
            windowSequence: info.windowSequence, windowShape: info.windowShape,
            groupLengths: info.isShort ? (0..<info.groupCount).map { Int(info.groupLengths[$0]) } : [], bandCount: info.maxSFB,
            noiseBandCount: info.count { codebooks[$0] == BandCodebook.noise },
            intensityBandCount: info.count { codebooks[$0] > BandCodebook.noise },
            noiseShapingOrders: tns.map { $0.orders(windowCount: info.windowCount) } ?? [], pulseCount: pulse?.count ?? 0,
            isPredicted: info.mainPrediction != nil || info.longTermPrediction != nil)
    }
}

extension TNSData {
    /// The orders of all filters.
    fileprivate func orders(windowCount: Int) -> [Int] {
        (0..<windowCount).flatMap { window in
            (0..<Int(windows[window].filterCount)).map { Int(windows[window].filters[$0].order) }
        }
    }
}

extension BandReplication {
    /// The tools of the payload that an element's last frame was made of.
    fileprivate func codingTools(of place: Int, payload: Range<Int>) -> ReplicationTools {
        var tools = ReplicationTools(
            bitCount: payload.count, isChecked: isChecked >> UInt8(truncatingIfNeeded: place) & 1 != 0, isCoupled: false, channels: [])
        guard isActive, let reading = elements[place].payloadReading else { return tools }
        tools.isCoupled = reading.isCoupled
        tools.channels = (0..<elements[place].channelCount).map { channel in
            let frame = reading.channels[channel]
            return ReplicationTools.Channel(
                frameClass: frame.frameClass.codingTool, envelopeCount: frame.boundaries.count, sineCount: frame.harmonics.nonzeroBitCount)
        }
        tools.stereo = elements[place].payloadStereo.map { stereo in
            StereoTools(
                envelopeCount: stereo.envelopeCount,
                levelBandCount: stereo.header.hasLevelDifferences ? stereo.header.levelBandCount : 0,
                coherenceBandCount: stereo.header.hasCoherence ? stereo.header.coherenceBandCount : 0, hasPhases: stereo.hasPhases)
        }
        return tools
    }
}

extension SBRGrid.FrameClass {
    fileprivate var codingTool: ReplicationTools.FrameClass {
        switch self {
        case .fixFix: .fixFix
        case .fixVar: .fixVar
        case .varFix: .varFix
        case .varVar: .varVar
        }
    }
}
