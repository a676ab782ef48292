// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import MPEG4Audio

extension DecoderState {
    /// Reconstructs the spectra of all channels of the last unit: dequantises the lines and applies the tools, in the order of the standard
    /// (ISO/IEC 14496-3:2009, 4.1).
    mutating func reconstructSpectra() {
        needsLimit = false
        for index in 0..<layout.slotCount {
            let channel = layout.slots[index].firstChannel
            reconstructChannel(channel, at: index, isSecond: false)
            if layout.slots[index].element == .pair {
                reconstructChannel(channel &+ 1, at: index, isSecond: true)
                undoMidSide(at: index)
                addPrediction(channel &+ 1, at: index, isSecond: true)
            }
            addPrediction(channel, at: index, isSecond: false)
            if layout.slots[index].element == .pair { applyIntensity(at: index) }
        }
        reconstructCoupling()
        coupleLines(afterTNS: false)
        for index in 0..<layout.slotCount {
            let channel = layout.slots[index].firstChannel
            if elements[index].pair.first.hasTNS { shapeNoise(channel, at: index, isSecond: false) }
            guard layout.slots[index].element == .pair, elements[index].pair.second.hasTNS else { continue }
            shapeNoise(channel &+ 1, at: index, isSecond: true)
        }
        coupleLines(afterTNS: true)
    }

    /// The range of a channel in ``spectrum`` and ``samples``.
    @inline(__always)
    func lineRange(ofChannel channel: Int) -> Range<Int> {
        channel &* Self.channelStride..<channel &* Self.channelStride &+ bands.frameLength
    }

    /// Dequantises the lines of one channel and fills its noise bands.
    private mutating func reconstructChannel(_ channel: Int, at index: Int, isSecond: Bool) {
        let range = lineRange(ofChannel: channel)
        var allLines = spectrum.mutableSpan
        var lines = allLines._mutatingExtracting(range)
        let isOrdinary: Bool
        if isSecond {
            let shared = elements[index].pair.sharedNoise()
            isOrdinary = reconstruction.reconstruct(&elements[index].pair.second, sharedNoise: shared, bands: bands, into: &lines)
        } else {
            isOrdinary = reconstruction.reconstruct(&elements[index].pair.first, sharedNoise: BandFlags(), bands: bands, into: &lines)
        }
        if !isOrdinary { needsLimit = true }
    }

    /// Replaces middle and side of a pair by left and right.
    private mutating func undoMidSide(at index: Int) {
        guard elements[index].pair.midSide.kind != .none else { return }
        let left = layout.slots[index].firstChannel &* Self.channelStride
        var lines = spectrum.mutableSpan
        elements[index].undoMidSide(offsets: (left, left &+ Self.channelStride), bands: bands, in: &lines)
    }

    /// Fills the intensity bands of the right channel of a pair.
    private mutating func applyIntensity(at index: Int) {
        let uses =
            elements[index].pair.second.uses(BandCodebook.intensityInPhase)
            || elements[index].pair.second.uses(BandCodebook.intensityOutOfPhase)
        guard uses else { return }
        needsLimit = true
        let left = layout.slots[index].firstChannel &* Self.channelStride
        var lines = spectrum.mutableSpan
        elements[index].applyIntensity(
            offsets: (left, left &+ Self.channelStride), bands: bands, gains: reconstruction.tables.gains.span, in: &lines)
    }

    /// Applies the TNS filters of one channel.
    private mutating func shapeNoise(_ channel: Int, at index: Int, isSecond: Bool) {
        needsLimit = true
        let range = lineRange(ofChannel: channel)
        var allLines = spectrum.mutableSpan
        var lines = allLines._mutatingExtracting(range)
        let info = isSecond ? elements[index].pair.second.info : elements[index].pair.first.info
        guard let tns = isSecond ? elements[index].pair.second.tns : elements[index].pair.first.tns else { return }
        reconstruction.tnsSynthesis.synthesize(tns, info: info, bands: bands, in: &lines)
    }
}

// The element does not change: `mutating` avoids copies of it.
extension DecodedElement {
    /// Replaces middle and side by left and right where the pair says so.
    fileprivate mutating func undoMidSide(offsets: (left: Int, right: Int), bands: ScaleFactorBands, in lines: inout MutableSpan<Float>) {
        MidSideSynthesis.synthesize(
            pair.midSide, codebooks: (pair.first.codebooks.span, pair.second.codebooks.span),
            division: FrameDivision(info: pair.first.info, bands: bands), offsets: offsets, in: &lines)
    }

    /// Fills the intensity bands of the right channel.
    fileprivate mutating func applyIntensity(
        offsets: (left: Int, right: Int), bands: ScaleFactorBands, gains: Span<Float>, in lines: inout MutableSpan<Float>
    ) {
        IntensitySynthesis.synthesize(
            (pair.second.codebooks.span, pair.second.scaleFactors.span), mask: pair.midSide,
            division: FrameDivision(info: pair.first.info, bands: bands), gains: gains, offsets: offsets, in: &lines)
    }
}

extension ChannelPairElement {
    /// Returns the bands in which both channels have the same noise (ISO/IEC 14496-3:2009, 4.6.13.3).
    ///
    /// The pair does not change: `mutating` avoids a copy of it.
    fileprivate mutating func sharedNoise() -> BandFlags {
        guard midSide.kind != .none && first.uses(BandCodebook.noise) && second.uses(BandCodebook.noise) else { return BandFlags() }
        var flags = BandFlags()
        for band in 0..<ICSInfo.bandCapacity where first.codebooks[band] == BandCodebook.noise {
            flags[band] = midSide.contains(band)
        }
        return flags
    }
}
