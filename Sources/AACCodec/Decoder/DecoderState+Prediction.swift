// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import MPEG4Audio

extension DecoderState {
    /// Undoes the prediction of the object type, behind middle and side, before intensity and temporal noise shaping.
    mutating func undoPrediction(_ channel: Int, at place: Int, isSecond: Bool) {
        switch profile {
        case .lowComplexity: return
        case .main: undoMainPrediction(channel, at: place, isSecond: isSecond)
        case .longTermPrediction: undoLongTermPrediction(channel, at: place, isSecond: isSecond)
        }
    }

    private mutating func undoMainPrediction(_ channel: Int, at place: Int, isSecond: Bool) {
        let stream = isSecond ? elements[place].pair.second : elements[place].pair.first
        guard !stream.info.isShort else {
            mainPrediction?.reset(channel: channel)
            return
        }
        needsLimit = true
        let range = lineRange(ofChannel: channel)
        var allLines = spectrum.mutableSpan
        var lines = allLines._mutatingExtracting(range)
        mainPrediction?.synthesize(
            stream.info.mainPrediction, codebooks: stream.codebooks.span, maxSFB: stream.info.maxSFB, bands: bands, channel: channel,
            in: &lines)
    }

    private mutating func undoLongTermPrediction(_ channel: Int, at place: Int, isSecond: Bool) {
        let stream = isSecond ? elements[place].pair.second : elements[place].pair.first
        guard !stream.info.isShort, let data = stream.info.longTermPrediction else { return }
        longTermPrediction?.predict(
            data, info: stream.info, previousShape: overlaps[channel].previousShape, channel: channel, filterBank: &filterBank)
        if let tns = stream.tns {
            longTermPrediction?.shape(tns, info: stream.info, by: reconstruction.tnsSynthesis, bands: bands)
        }
        let range = lineRange(ofChannel: channel)
        var allLines = spectrum.mutableSpan
        var lines = allLines._mutatingExtracting(range)
        longTermPrediction?.add(data, maxSFB: stream.info.maxSFB, bands: bands, to: &lines)
        needsLimit = true
    }

    /// Keeps what long-term prediction goes back to.
    mutating func rememberSamples(ofChannel channel: Int) {
        guard profile == .longTermPrediction else { return }
        let range = lineRange(ofChannel: channel)
        longTermPrediction?.advance(channel: channel, samples: samples.span.extracting(range), overlap: overlaps[channel])
    }
}
