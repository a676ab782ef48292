// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import MPEG4Audio

extension DecoderState {
    /// Makes the lines of all channels of what was read last (ISO/IEC 14496-3:2009, 4.5.2).
    mutating func reconstruct() {
        needsLimit = false
        for place in 0..<layout.slotCount {
            let channel = layout.slots[place].firstChannel
            reconstructChannel(channel, at: place, isSecond: false)
            if layout.slots[place].element == .pair {
                reconstructChannel(channel &+ 1, at: place, isSecond: true)
                undoMidSide(at: place)
                undoPrediction(channel &+ 1, at: place, isSecond: true)
            }
            undoPrediction(channel, at: place, isSecond: false)
            if layout.slots[place].element == .pair { applyIntensity(at: place) }
        }
        reconstructCoupling()
        coupleLines(behindTNS: false)
        for place in 0..<layout.slotCount {
            let channel = layout.slots[place].firstChannel
            if elements[place].pair.first.hasTNS { shapeNoise(channel, at: place, isSecond: false) }
            guard layout.slots[place].element == .pair, elements[place].pair.second.hasTNS else { continue }
            shapeNoise(channel &+ 1, at: place, isSecond: true)
        }
        coupleLines(behindTNS: true)
    }

    /// The lines of a channel in ``spectrum``.
    @inline(__always)
    func lineRange(ofChannel channel: Int) -> Range<Int> {
        channel &* Self.channelStride..<channel &* Self.channelStride &+ bands.frameLength
    }

    private mutating func reconstructChannel(_ channel: Int, at place: Int, isSecond: Bool) {
        let range = lineRange(ofChannel: channel)
        var allLines = spectrum.mutableSpan
        var lines = allLines._mutatingExtracting(range)
        let isOrdinary: Bool
        if isSecond {
            let shared = elements[place].pair.sharedNoise
            isOrdinary = reconstruction.reconstruct(&elements[place].pair.second, sharedNoise: shared, bands: bands, into: &lines)
        } else {
            isOrdinary = reconstruction.reconstruct(&elements[place].pair.first, sharedNoise: BandFlags(), bands: bands, into: &lines)
        }
        if !isOrdinary { needsLimit = true }
    }

    private mutating func undoMidSide(at place: Int) {
        guard elements[place].pair.midSide.kind != .none else { return }
        let left = layout.slots[place].firstChannel &* Self.channelStride
        var lines = spectrum.mutableSpan
        elements[place].undoMidSide(offsets: (left, left &+ Self.channelStride), bands: bands, in: &lines)
    }

    private mutating func applyIntensity(at place: Int) {
        let uses =
            elements[place].pair.second.uses(BandCodebook.intensityInPhase)
            || elements[place].pair.second.uses(BandCodebook.intensityOutOfPhase)
        guard uses else { return }
        needsLimit = true
        let left = layout.slots[place].firstChannel &* Self.channelStride
        var lines = spectrum.mutableSpan
        elements[place].applyIntensity(
            offsets: (left, left &+ Self.channelStride), bands: bands, gains: reconstruction.tables.gains.span, in: &lines)
    }

    private mutating func shapeNoise(_ channel: Int, at place: Int, isSecond: Bool) {
        needsLimit = true
        let range = lineRange(ofChannel: channel)
        var allLines = spectrum.mutableSpan
        var lines = allLines._mutatingExtracting(range)
        let info = isSecond ? elements[place].pair.second.info : elements[place].pair.first.info
        guard let tns = isSecond ? elements[place].pair.second.tns : elements[place].pair.first.tns else { return }
        reconstruction.tnsSynthesis.synthesize(tns, info: info, bands: bands, in: &lines)
    }

    /// Makes samples of the lines, and moves the memory of the filter bank on.
    mutating func synthesize() {
        for place in 0..<layout.slotCount {
            let slot = layout.slots[place]
            for channel in slot.firstChannel..<slot.firstChannel &+ slot.element.channelCount {
                let isSecond = channel > slot.firstChannel
                let info = isSecond ? elements[place].pair.second.info : elements[place].pair.first.info
                sequences[channel] = info.windowSequence
                synthesizeChannel(channel, sequence: info.windowSequence, shape: info.windowShape)
            }
        }
        coupleSamples()
    }

    /// Makes samples of one channel's lines.
    mutating func synthesizeChannel(_ channel: Int, sequence: WindowSequence, shape: WindowShape) {
        let range = lineRange(ofChannel: channel)
        if needsLimit {
            var lines = spectrum.mutableSpan
            Self.limit(&lines, range)
        }
        var allSamples = samples.mutableSpan
        var output = allSamples._mutatingExtracting(range)
        filterBank.synthesize(
            spectrum.span.extracting(range), sequence: sequence, shape: shape, state: &overlaps[channel], into: &output)
        rememberSamples(ofChannel: channel)
    }

    /// Sets lines to zero that no sound has, or that are no number: 2^20 times full scale and more.
    private static func limit(_ lines: inout MutableSpan<Float>, _ range: Range<Int>) {
        for line in stride(from: range.lowerBound, to: range.upperBound, by: 4) {
            lines.store(lines.vector(at: line).zeroed(unlessBelow: 0x1p35), at: line)
        }
    }
}

// The element stays as it is: `mutating` keeps it from being copied.
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
    /// The bands in which both channels are noise and, being marked, the same noise.
    fileprivate var sharedNoise: BandFlags {
        guard midSide.kind != .none && first.uses(BandCodebook.noise) && second.uses(BandCodebook.noise) else { return BandFlags() }
        var flags = BandFlags()
        for band in 0..<ICSInfo.bandCapacity where first.codebooks[band] == BandCodebook.noise {
            flags[band] = midSide.contains(band)
        }
        return flags
    }
}
