// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import MPEG4Audio

extension DecoderState {
    /// Makes the lines of all channels of what was read last (ISO/IEC 14496-3:2009, 4.5.2).
    mutating func reconstruct() {
        for place in 0..<layout.slotCount {
            if layout.slots[place].element == .pair {
                reconstructPair(at: place)
            } else {
                reconstructSingle(at: place)
            }
        }
        reconstructCoupling()
        coupleLines(behindTNS: false)
        for place in 0..<layout.slotCount {
            shapeNoise(at: place)
        }
        coupleLines(behindTNS: true)
    }

    private mutating func reconstructSingle(at place: Int) {
        let first = layout.slots[place].firstChannel &* Self.channelStride
        var lines = spectrum.mutableSpan
        SpectrumDequantizer.synthesize(elements[place].pair.first, bands: bands, tables: tables, into: &lines, at: first)
        noise.synthesize(elements[place].pair.first, bands: bands, tables: tables, into: &lines, at: first)
    }

    private mutating func reconstructPair(at place: Int) {
        let left = layout.slots[place].firstChannel &* Self.channelStride
        let places = StereoSynthesis.Places(left: left, right: left &+ Self.channelStride)
        var lines = spectrum.mutableSpan
        SpectrumDequantizer.synthesize(elements[place].pair.first, bands: bands, tables: tables, into: &lines, at: places.left)
        SpectrumDequantizer.synthesize(elements[place].pair.second, bands: bands, tables: tables, into: &lines, at: places.right)
        noise.synthesize(elements[place].pair.first, bands: bands, tables: tables, into: &lines, at: places.left)
        noise.synthesizeSecond(of: elements[place].pair, bands: bands, tables: tables, into: &lines, at: places.right)
        StereoSynthesis.undoMidSide(elements[place].pair, bands: bands, in: &lines, at: places)
        StereoSynthesis.applyIntensity(elements[place].pair, bands: bands, tables: tables, in: &lines, at: places)
    }

    /// Temporal noise shaping of the channels of an element.
    private mutating func shapeNoise(at place: Int) {
        let first = layout.slots[place].firstChannel &* Self.channelStride
        var lines = spectrum.mutableSpan
        if let tns = elements[place].pair.first.tns {
            tnsSynthesis.synthesize(tns, info: elements[place].pair.first.info, bands: bands, in: &lines, at: first)
        }
        guard layout.slots[place].element == .pair, let tns = elements[place].pair.second.tns else { return }
        let second = first &+ Self.channelStride
        tnsSynthesis.synthesize(tns, info: elements[place].pair.second.info, bands: bands, in: &lines, at: second)
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
        let first = channel &* Self.channelStride
        do {
            var lines = spectrum.mutableSpan
            Self.limit(&lines, first..<first &+ bands.frameLength)
        }
        var allSamples = samples.mutableSpan
        var output = allSamples._mutatingExtracting(first..<first &+ bands.frameLength)
        filterBank.synthesize(
            spectrum.span.extracting(first..<first &+ bands.frameLength), sequence: sequence, shape: shape, state: &overlaps[channel],
            into: &output)
    }

    /// Sets lines to zero that no sound has, or that are no number: 2^20 times full scale and more.
    private static func limit(_ lines: inout MutableSpan<Float>, _ range: Range<Int>) {
        let limit = SIMD4<Float>(repeating: 0x1p35)
        for line in stride(from: range.lowerBound, to: range.upperBound, by: 4) {
            let value = lines.vector(at: line)
            let isSound = (value .< limit) .& (value .> SIMD4(repeating: 0) - limit)
            lines.store(SIMD4(repeating: 0).replacing(with: value, where: isSound), at: line)
        }
    }
}
