// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import MPEG4Audio
internal import TransformCoding

extension DecoderState {
    /// Reconstructs the spectra of all channels of the last access unit: dequantizes the lines and applies the tools.
    ///
    /// The tools follow the standard's block diagram (ISO/IEC 14496-3:2009, 4.1). Intensity stereo follows the backward-adaptive prediction
    /// of Main, and precedes long-term prediction (4.6.7), which adds to the copied lines.
    mutating func reconstructSpectra() {
        needsLimit = false
        let isLongTerm = syntax == .generalAudio(.longTermPrediction)
        for index in layout.slots.indices {
            let slot = layout.slots[index]
            reconstructChannel(slot.firstChannel, at: index, isSecond: false)
            if slot.element == .pair {
                reconstructChannel(slot.firstChannel &+ 1, at: index, isSecond: true)
                undoMidSide(at: index)
                if isLongTerm { applyIntensity(at: index) }
                addPrediction(slot.firstChannel &+ 1, at: index, isSecond: true)
            }
            addPrediction(slot.firstChannel, at: index, isSecond: false)
            if slot.element == .pair && !isLongTerm { applyIntensity(at: index) }
        }
        reconstructCoupling()
        coupleLines(afterTNS: false)
        for index in layout.slots.indices {
            let slot = layout.slots[index]
            shapeNoise(slot.firstChannel, at: index, isSecond: false)
            if slot.element == .pair { shapeNoise(slot.firstChannel &+ 1, at: index, isSecond: true) }
        }
        coupleLines(afterTNS: true)
    }

    /// Dequantizes the lines of one channel and fills its noise bands.
    private mutating func reconstructChannel(_ channel: Int, at index: Int, isSecond: Bool) {
        let range = lineRange(ofChannel: channel)
        var allLines = spectrum.mutableSpan
        var lines = allLines._mutatingExtracting(range)
        let isOrdinary = elements[index].reconstruct(isSecond: isSecond, by: &reconstruction, bands: bands, into: &lines)
        if !isOrdinary { needsLimit = true }
    }

    /// Converts M/S to L/R.
    private mutating func undoMidSide(at index: Int) {
        guard elements[index].pair.midSide.kind != .none else { return }
        let left = layout.slots[index].firstChannel &* frameLength
        let offsets = (left, left &+ frameLength)
        var lines = spectrum.mutableSpan
        elements[index].undoMidSide(offsets: offsets, bands: bands, in: &lines)
    }

    /// Fills the intensity bands of the right channel of a pair.
    private mutating func applyIntensity(at index: Int) {
        guard elements[index].usesIntensity else { return }
        let left = layout.slots[index].firstChannel &* frameLength
        let offsets = (left, left &+ frameLength)
        var lines = spectrum.mutableSpan
        let amplifies = elements[index].applyIntensity(
            offsets: offsets, bands: bands, gains: reconstruction.tables.gains.span, in: &lines)
        if amplifies { needsLimit = true }
    }

    /// Applies the TNS filters of one channel.
    private mutating func shapeNoise(_ channel: Int, at index: Int, isSecond: Bool) {
        guard let tns = elements[index].noiseShaping(isSecond: isSecond) else { return }
        needsLimit = true
        let range = lineRange(ofChannel: channel)
        var allLines = spectrum.mutableSpan
        var lines = allLines._mutatingExtracting(range)
        let info = elements[index].info(isSecond: isSecond)
        reconstruction.tnsSynthesis.synthesize(
            tns, sequence: info.windowSequence, bandCount: info.maxSFB, bands: bands, in: &lines)
    }

    // MARK: Prediction

    /// Adds the prediction of the object type, after M/S and before TNS.
    private mutating func addPrediction(_ channel: Int, at index: Int, isSecond: Bool) {
        switch syntax {
        case .generalAudio(.lowComplexity), .lowDelay, .enhancedLowDelay: return
        case .generalAudio(.main): addMainPrediction(channel, at: index, isSecond: isSecond)
        case .generalAudio(.longTermPrediction): addLongTermPrediction(channel, at: index, isSecond: isSecond)
        }
    }

    /// Adds the backward-adaptive prediction of the Main object type (ISO/IEC 14496-3:2009, 4.6.6).
    private mutating func addMainPrediction(_ channel: Int, at index: Int, isSecond: Bool) {
        guard !elements[index].info(isSecond: isSecond).isShort else {
            mainPrediction?.reset(channel: channel)
            return
        }
        needsLimit = true
        let range = lineRange(ofChannel: channel)
        var allLines = spectrum.mutableSpan
        var lines = allLines._mutatingExtracting(range)
        if isSecond {
            mainPrediction?.synthesize(elements[index].pair.second, bands: bands, channel: channel, in: &lines)
        } else {
            mainPrediction?.synthesize(elements[index].pair.first, bands: bands, channel: channel, in: &lines)
        }
    }

    /// Adds the long-term prediction of the LTP object type (ISO/IEC 14496-3:2009, 4.6.7).
    private mutating func addLongTermPrediction(_ channel: Int, at index: Int, isSecond: Bool) {
        let info = elements[index].info(isSecond: isSecond)
        guard !info.isShort, let data = info.longTermPrediction else { return }
        guard var bank = filterBank.take() else { return }
        longTermPrediction?.predict(
            data, info: info, previousShape: overlaps[channel].previousShape, channel: channel, filterBank: &bank)
        filterBank = consume bank
        if let tns = elements[index].noiseShaping(isSecond: isSecond) {
            longTermPrediction?.shape(tns, info: info, by: &reconstruction.tnsSynthesis, bands: bands)
        }
        let range = lineRange(ofChannel: channel)
        var allLines = spectrum.mutableSpan
        var lines = allLines._mutatingExtracting(range)
        longTermPrediction?.add(data, maxSFB: info.maxSFB, bands: bands, to: &lines)
        needsLimit = true
    }
}
