// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import MPEG4Audio
internal import TransformCoding

extension DecoderState {
    /// Returns the tools of the last access unit's elements in layout order, then of the coupling channels.
    func codingTools() -> [ElementTools] {
        var result: [ElementTools] = []
        for index in layout.slots.indices {
            let element = layout.slots[index].element
            var channels = [elements[index].pair.first.codingTools]
            if element == .pair { channels.append(elements[index].pair.second.codingTools) }
            result.append(
                ElementTools(
                    element: element, instanceTag: elements[index].pair.instanceTag, bitCount: elements[index].bits.count,
                    hasCommonWindow: element == .pair && elements[index].pair.hasCommonWindow,
                    midSideBandCount: element == .pair ? elements[index].pair.midSideBandCount : 0, channels: channels,
                    sbr: elements[index].sbrPayload.isEmpty
                        ? nil : sbr.codingTools(of: index, payload: elements[index].sbrPayload)))
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
    /// The number of bands coded as M/S, without noise and intensity bands.
    fileprivate var midSideBandCount: Int {
        guard hasCommonWindow, midSide.kind != .none else { return 0 }
        return first.info.count { band in
            midSide.contains(band) && first.codebooks[band] != BandCodebook.noise && second.codebooks[band] < BandCodebook.noise
        }
    }
}

extension ICSInfo {
    /// Returns the number of bands, in all groups, whose index satisfies a condition.
    fileprivate func count(where isCounted: (Int) -> Bool) -> Int {
        (0..<groupCount).reduce(0) { sum, group in
            let first = group * Self.bandStride
            return sum + (first..<first + maxSFB).count(where: isCounted)
        }
    }
}

extension IndividualChannelStream {
    fileprivate var codingTools: ChannelTools {
        ChannelTools(
            windowSequence: info.windowSequence, windowShape: info.windowShape,
            groupLengths: info.isShort ? (0..<info.groupCount).map { Int(info.groupLengths[$0]) } : [], bandCount: info.maxSFB,
            noiseBandCount: info.count { codebooks[$0] == BandCodebook.noise },
            intensityBandCount: info.count { codebooks[$0] > BandCodebook.noise },
            tnsOrders: tns.map { $0.orders(windowCount: info.windowCount) } ?? [], pulseCount: pulse?.count ?? 0,
            isPredicted: info.mainPrediction != nil || info.longTermPrediction != nil)
    }
}

extension TNSData {
    fileprivate func orders(windowCount: Int) -> [Int] {
        (0..<windowCount).flatMap { window in
            (0..<Int(filterCounts[window])).map { Int(self[window, $0].order) }
        }
    }
}

extension SBRDecoderState {
    fileprivate func codingTools(of index: Int, payload: Range<Int>) -> SBRTools {
        var tools = SBRTools(
            bitCount: payload.count, isChecked: isChecked >> UInt8(truncatingIfNeeded: index) & 1 != 0, isCoupled: false, channels: [])
        guard isActive else { return tools }
        elements[index].inspectPayload {
            tools.isCoupled = $0.isCoupled
            for channel in $0.channels.indices { tools.channels.append(SBRTools.Channel($0.channels[channel])) }
        } stereo: {
            tools.stereo = ParametricStereoTools($0)
        }
        return tools
    }
}

extension SBRTools.Channel {
    fileprivate init(_ frame: borrowing SBRChannelFrame) {
        self.init(
            frameClass: frame.frameClass.codingTool, envelopeCount: frame.boundaries.count, sineCount: frame.harmonics.nonzeroBitCount)
    }
}

extension ParametricStereoTools {
    fileprivate init(_ data: borrowing ParametricStereoData) {
        self.init(
            envelopeCount: data.envelopeCount, levelBandCount: data.header.hasLevelDifferences ? data.header.levelBandCount : 0,
            coherenceBandCount: data.header.hasCoherence ? data.header.coherenceBandCount : 0, hasPhases: data.hasPhases)
    }
}

extension SBRGrid.FrameClass {
    fileprivate var codingTool: SBRTools.FrameClass {
        switch self {
        case .fixFix: .fixFix
        case .fixVar: .fixVar
        case .varFix: .varFix
        case .varVar: .varVar
        case .lowDelayTransient: .lowDelayTransient
        }
    }
}
