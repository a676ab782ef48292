// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

// Decisions of an encoder that follow from the channels.
extension CoreElementData {
    /// Shares windows and TNS filters that are equal in both channels of a pair.
    ///
    /// Without common windows, the pair cannot use stereo tools.
    package mutating func shareTools() {
        stereo.clear()
        guard channels.count == 2 else { return }
        let (first, second) = (channels[0].windows, channels[1].windows)
        stereo.hasCommonWindow =
            first.sequence == second.sequence && first.shape == second.shape && first.groupLengths == second.groupLengths
        stereo.hasCommonMaxSFB = first.maxSFB == second.maxSFB
        stereo.bandCount = max(first.maxSFB, second.maxSFB)
        stereo.firstHasTNS = channels[0].hasTNS
        stereo.secondHasTNS = channels[1].hasTNS
        stereo.hasTNS = stereo.firstHasTNS || stereo.secondHasTNS
        stereo.hasCommonTNS =
            stereo.hasCommonWindow && stereo.firstHasTNS && stereo.secondHasTNS && channels[0].tns == channels[1].tns
    }

    /// Selects M/S stereo in the bands of a pair with common windows.
    ///
    /// - Parameter isMidSide: Returns whether a band, at `group * 16 + sfb`, is coded as M/S.
    package mutating func setMidSide(_ isMidSide: (_ band: Int) -> Bool) {
        var (midSideCount, otherCount) = (0, 0)
        let hasNoise = channels[0].noiseLevel > 0 || channels[1].noiseLevel > 0
        for group in 0..<channels[0].windows.groupCount {
            for sfb in 0..<stereo.bandCount {
                let band = group * WindowDivision.bandStride + sfb
                let isUsed = isMidSide(band)
                stereo.used[band] = isUsed ? 1 : 0
                // Silence is the same in both forms.
                guard hasNoise || hasValues(sfb, ofGroup: group) else { continue }
                if isUsed { midSideCount += 1 } else { otherCount += 1 }
            }
        }
        stereo.mode = midSideCount == 0 ? .separate : otherCount == 0 ? .midSide : .midSideBands
    }

    /// Omits the highest bands, as many as have the given share of the energy.
    ///
    /// A channel with TNS keeps its bands, because they bound the filters.
    mutating func dropHighBands(energyShare: Float) {
        var total: Float = 0
        for channel in 0..<channels.count {
            for sfb in 0..<channels[channel].windows.maxSFB { total += channels[channel].energy(sfb, bands: bands) }
        }
        let limit = total * energyShare / Float(channels.count)
        for channel in 0..<channels.count where !channels[channel].hasTNS || energyShare >= 1 {
            var dropped: Float = 0
            while channels[channel].windows.maxSFB > 0 {
                dropped += channels[channel].energy(channels[channel].windows.maxSFB - 1, bands: bands)
                guard dropped <= limit || energyShare >= 1 else { break }
                channels[channel].windows.maxSFB -= 1
            }
        }
        guard channels.count == 2 else { return }
        let (first, second) = (channels[0].windows.maxSFB, channels[1].windows.maxSFB)
        (stereo.hasCommonMaxSFB, stereo.bandCount) = (first == second, max(first, second))
    }

    private func hasValues(_ sfb: Int, ofGroup group: Int) -> Bool {
        !channels[0].isEmpty(sfb, ofGroup: group, bands: bands) || !channels[1].isEmpty(sfb, ofGroup: group, bands: bands)
    }
}

extension StereoCoreToolInfo {
    /// Selects real prediction in all bands.
    mutating func setPrediction(isReversed: Bool) {
        (mode, predictsAll, self.isReversed, isComplex) = (.prediction, true, isReversed, false)
        used.fill(1)
    }
}
