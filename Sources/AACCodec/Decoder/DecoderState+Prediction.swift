// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import MPEG4Audio

extension DecoderState {
    /// Adds the prediction of the object type, after middle and side and before intensity and TNS.
    mutating func addPrediction(_ channel: Int, at index: Int, isSecond: Bool) {
        switch profile {
        case .lowComplexity: return
        case .main: addMainPrediction(channel, at: index, isSecond: isSecond)
        case .longTermPrediction: addLongTermPrediction(channel, at: index, isSecond: isSecond)
        }
    }

    /// Adds the backward-adaptive prediction of the Main object type (ISO/IEC 14496-3:2009, 4.6.6).
    private mutating func addMainPrediction(_ channel: Int, at index: Int, isSecond: Bool) {
        let stream = isSecond ? elements[index].pair.second : elements[index].pair.first
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

    /// Adds the long-term prediction of the LTP object type (ISO/IEC 14496-3:2009, 4.6.7).
    private mutating func addLongTermPrediction(_ channel: Int, at index: Int, isSecond: Bool) {
        let stream = isSecond ? elements[index].pair.second : elements[index].pair.first
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

    /// Records the samples that long-term prediction refers to.
    mutating func recordSamples(ofChannel channel: Int) {
        guard profile == .longTermPrediction else { return }
        let range = lineRange(ofChannel: channel)
        longTermPrediction?.advance(channel: channel, samples: samples.span.extracting(range), overlap: overlaps[channel])
    }
}
