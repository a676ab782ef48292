// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import MPEG4Audio
internal import TransformCoding

extension DecoderState {
    /// Synthesizes the samples of all channels and of independently switched coupling channels (ISO/IEC 14496-3:2009, 4.6.11).
    mutating func synthesizeSamples() {
        for index in layout.slots.indices {
            let slot = layout.slots[index]
            for channel in slot.firstChannel..<slot.firstChannel &+ slot.element.channelCount {
                let info = elements[index].info(isSecond: channel > slot.firstChannel)
                sequences[channel] = info.windowSequence
                synthesizeChannel(channel, sequence: info.windowSequence, shape: info.windowShape)
            }
        }
        coupleSamples()
    }

    /// Synthesizes one channel's samples, and advances its filter bank state and prediction.
    mutating func synthesizeChannel(_ channel: Int, sequence: WindowSequence, shape: WindowShape) {
        let range = lineRange(ofChannel: channel)
        if needsLimit {
            var lines = spectrum.mutableSpan
            Self.limit(&lines, range)
        }
        var allSamples = samples.mutableSpan
        var output = allSamples._mutatingExtracting(range)
        #if !hasFeature(Embedded) || LINNET_LOW_DELAY
        if lowDelay != nil {
            lowDelay?.synthesize(spectrum.span.extracting(range), channel: channel, into: &output)
            return
        }
        #endif
        filterBank?.synthesize(
            spectrum.span.extracting(range), sequence: sequence, shape: shape, state: &overlaps[channel], into: &output)
        if longTermPrediction != nil { advanceLongTermPrediction(channel) }
    }

    private mutating func advanceLongTermPrediction(_ channel: Int) {
        guard let bank = filterBank.take() else { return }
        let range = lineRange(ofChannel: channel)
        longTermPrediction?.advance(
            channel: channel, samples: samples.span.extracting(range), overlap: overlaps[channel], filterBank: bank)
        filterBank = consume bank
    }

    /// Zeroes lines that are not a number or exceed 2^20 times full scale, so that they cannot corrupt later access units.
    static func limit(_ lines: inout MutableSpan<Float>, _ range: Range<Int>) {
        var lines = lines._mutatingExtracting(range)
        // Bounds of all accesses below.
        precondition(lines.count & 7 == 0)
        var squares = (SIMD4<Float>(repeating: 0), SIMD4<Float>(repeating: 0))
        var line = 0
        while line < lines.count {
            let (first, second) = unsafe (lines.vector(unchecked: line), lines.vector(unchecked: line &+ 4))
            squares.0 += first * first
            squares.1 += second * second
            line &+= 8
        }
        // The usual case. The sum is NaN if a line is.
        if (squares.0 + squares.1).laneSum < 0x1p70 { return }
        line = 0
        while line < lines.count {
            unsafe lines.store(lines.vector(unchecked: line).zeroed(unlessBelow: 0x1p35), unchecked: line)
            line &+= 4
        }
    }

    // MARK: SBR

    /// The output channel count: two for a mono core with parametric stereo or MPEG Surround.
    var outputChannelCount: Int { sbr.isStereo || surround != nil ? 2 : layout.channelCount }

    /// Output frames per access unit.
    var outputFrameLength: Int { sbr.isActive ? sbr.frameLength : frameLength }

    /// Starts SBR if the layout is known and either the configuration signals SBR or an element has an SBR payload.
    mutating func startSBR(hasPayload: Bool) {
        guard sbr.configuration.isPermitted, !sbr.isActive, !layout.slots.isEmpty else { return }
        if hasPayload || sbr.configuration.isAnnounced { sbr.start(layout) }
    }

    /// Parses the SBR payloads of the last access unit, and restores the reader position.
    mutating func readSBRPayloads() {
        var hasPayload = false
        for index in layout.slots.indices where !elements[index].sbrPayload.isEmpty { hasPayload = true }
        startSBR(hasPayload: hasPayload)
        guard sbr.isActive else { return }
        let position = reader.bitPosition
        for index in layout.slots.indices where !elements[index].sbrPayload.isEmpty {
            sbr.read(elements[index].sbrPayload, of: index, from: &reader)
        }
        for index in 0..<coupling.count where coupling.elements[index].isIndependentlySwitched {
            sbr.readCoupling(coupling.sbrPayloads[index], of: index, from: &reader)
        }
        reader.skip(position - reader.bitPosition)
    }

    /// Synthesizes the output of SBR and low delay MPEG Surround from the core samples.
    mutating func synthesizeSBR() {
        if let surround {
            let core = samples.span.extracting(0..<frameLength)
            surround.surround.startFrame()
            if sbr.isActive { sbr.extend(core, into: surround) } else { surround.surround.analyze(core) }
            surround.surround.synthesize()
            return
        }
        guard sbr.isActive else { return }
        for index in layout.slots.indices {
            sbr.synthesize(index, slot: layout.slots[index], core: samples.span)
        }
    }
}
