// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import MPEG4Audio
internal import TransformCoding

/// The state of a stream's coupling channels (ISO/IEC 14496-3:2009, 4.6.8.3).
struct CouplingState: ~Copyable {
    /// The number of coupling channels that are mixed.
    ///
    /// Further ones are parsed and ignored.
    static let capacity = 2

    /// The elements of the last access unit, then one for ignored elements.
    ///
    /// The first ``count`` are valid. Empty before the first coupling channel.
    var elements: FixedArray<CouplingChannelElement>
    /// The number of coupling channels in the last access unit, at most ``capacity``.
    var count = 0
    /// Whether the last access unit had more coupling channels.
    var hasIgnored = false
    /// The lines of both channels.
    var lines: FixedArray<Float>
    /// The samples of both channels.
    var samples: FixedArray<Float>
    /// The filter bank states of both channels.
    var overlaps: FixedArray<OverlapState>
    /// The bit range of the SBR payload after each element; empty if absent.
    var sbrPayloads = FixedArray(count: capacity) { _ in 0..<0 }

    /// Creates an empty state or, with a frame length, storage for coupling channels.
    init(frameLength: Int = 0) {
        let capacity = frameLength > 0 ? Self.capacity : 0
        elements = FixedArray(count: frameLength > 0 ? capacity + 1 : 0) { _ in CouplingChannelElement(frameLength: frameLength) }
        lines = FixedArray(repeating: 0, count: capacity * frameLength)
        samples = FixedArray(repeating: 0, count: capacity * frameLength)
        overlaps = FixedArray(count: capacity) { _ in OverlapState(frameLength: frameLength) }
    }

    /// Discards the signals of previous access units.
    ///
    /// Keeps the elements of the last one.
    mutating func discardSamples() {
        for index in overlaps.indices { overlaps[index].reset() }
    }
}

extension DecoderState {
    /// Reads a coupling channel.
    ///
    /// - Returns: Its index, or `nil` if it exceeds the capacity and is ignored.
    mutating func readCouplingChannel() throws(CodecError) -> Int? {
        if coupling.elements.count == 0 { coupling = CouplingState(frameLength: frameLength) }
        let start = reader.bitPosition
        try coupling.elements[coupling.count].read(from: &reader, bands: bands, context: context, reordering: &reordering)
        guard coupling.count < CouplingState.capacity else {
            coupling.hasIgnored = true
            return nil
        }
        coupling.sbrPayloads[coupling.count] = 0..<0
        coupling.elements[coupling.count].bitCount = reader.bitPosition - start
        try coupling.elements[coupling.count].stream.applyPulses(bands: bands)
        coupling.count += 1
        return coupling.count - 1
    }

    /// Dequantizes the lines of the coupling channels, and applies their PNS and TNS.
    mutating func reconstructCoupling() {
        for index in 0..<coupling.count {
            needsLimit = true
            let range = lineRange(ofChannel: index)
            var allLines = coupling.lines.mutableSpan
            var lines = allLines._mutatingExtracting(range)
            _ = reconstruction.reconstruct(coupling.elements[index].stream, sharedNoise: BandFlags(), bands: bands, into: &lines)
            if let tns = coupling.elements[index].stream.tns {
                let info = coupling.elements[index].stream.info
                reconstruction.tnsSynthesis.synthesize(
                    tns, sequence: info.windowSequence, bandCount: info.maxSFB, bands: bands, in: &lines)
            }
            Self.limit(&allLines, range)
        }
    }

    /// Adds the lines of dependently switched coupling channels to their targets (ISO/IEC 14496-3:2009, 4.6.8.3.3).
    ///
    /// - Parameter afterTNS: Selects the channels that are coupled after the target's TNS, or those before it (`cc_domain`).
    mutating func coupleLines(afterTNS: Bool) {
        for index in 0..<coupling.count {
            guard !coupling.elements[index].isIndependentlySwitched, coupling.elements[index].isAfterTNS == afterTNS else { continue }
            forEachTarget(of: index) { (state, channel, list, sequence) in
                guard sequence == state.coupling.elements[index].stream.info.windowSequence else { return }
                state.addLines(of: index, list: list, toChannel: channel)
            }
        }
    }

    /// Adds the lines of a coupling channel to a channel, with a gain per band.
    private mutating func addLines(of index: Int, list: Int, toChannel channel: Int) {
        let (source, target) = (index &* frameLength, channel &* frameLength)
        var output = spectrum.mutableSpan
        let input = coupling.lines.span
        BandLines.forEach(coupling.elements[index].stream.info, bands) { (band, lines) in
            guard coupling.elements[index].stream.codebooks[band] != BandCodebook.zero else { return }
            let factor = coupling.elements[index].factor(list: list, band: band)
            for line in stride(from: lines.lowerBound, to: lines.upperBound, by: 4) {
                let sum = output.vector(at: target &+ line) + input.vector(at: source &+ line) * factor
                output.store(sum, at: target &+ line)
            }
        }
    }

    /// Synthesizes the independently switched coupling channels and adds their samples to the targets.
    ///
    /// With SBR they first pass through a separate SBR decoder. ``coupleSBROutput()`` then adds them.
    mutating func coupleSamples() {
        for index in 0..<coupling.count where coupling.elements[index].isIndependentlySwitched {
            let range = lineRange(ofChannel: index)
            let info = coupling.elements[index].stream.info
            do {
                var allSamples = coupling.samples.mutableSpan
                var output = allSamples._mutatingExtracting(range)
                filterBank?.synthesize(
                    coupling.lines.span.extracting(range), sequence: info.windowSequence, shape: info.windowShape,
                    state: &coupling.overlaps[index], into: &output)
            }
            if sbr.isActive {
                sbr.synthesizeCoupling(index, core: coupling.samples.span.extracting(range))
                continue
            }
            forEachTarget(of: index) { (state, channel, list, _) in
                state.addSamples(of: index, list: list, toChannel: channel)
            }
        }
    }

    /// Adds the independently switched coupling channels to the SBR output.
    mutating func coupleSBROutput() {
        guard sbr.isActive else { return }
        for index in 0..<coupling.count where coupling.elements[index].isIndependentlySwitched {
            forEachTarget(of: index) { (state, channel, list, _) in
                let factor = state.coupling.elements[index].factor(list: list, band: 0)
                state.sbr.addCoupling(index, factor: factor, toChannel: channel)
                if state.sbr.isStereo { state.sbr.addCoupling(index, factor: factor, toChannel: 1) }
            }
        }
    }

    private mutating func addSamples(of index: Int, list: Int, toChannel channel: Int) {
        let frameLength = frameLength
        let (source, target) = (index &* frameLength, channel &* frameLength)
        let factor = coupling.elements[index].factor(list: list, band: 0)
        var output = samples.mutableSpan
        let input = coupling.samples.span
        for frame in stride(from: 0, to: frameLength, by: 4) {
            output.store(output.vector(at: target &+ frame) + input.vector(at: source &+ frame) * factor, at: target &+ frame)
        }
    }

    /// Calls `body` for each target channel of a coupling channel, with its gain list and window sequence.
    private mutating func forEachTarget(
        of index: Int, _ body: (inout DecoderState, _ channel: Int, _ list: Int, WindowSequence) -> Void
    ) {
        var list = 0
        for number in 0..<coupling.elements[index].targetCount {
            let target = coupling.elements[index].targets[number]
            let firstList = list
            list += target.gainListCount
            guard let element = elementIndex(ofTarget: target) else { continue }
            let channel = layout.slots[element].firstChannel
            let firstSequence = elements[element].pair.first.info.windowSequence
            guard target.isPair else {
                body(&self, channel, firstList, firstSequence)
                continue
            }
            let isShared = !target.isLeft && !target.isRight
            if target.isLeft || isShared { body(&self, channel, firstList, firstSequence) }
            if target.isRight || isShared {
                body(
                    &self, channel + 1, target.isLeft && target.isRight ? firstList + 1 : firstList,
                    elements[element].pair.second.info.windowSequence)
            }
        }
    }

    /// Returns the index of a coupling channel's target element, or `nil` if it is not in the layout.
    private func elementIndex(ofTarget target: CouplingChannelElement.Target) -> Int? {
        for index in layout.slots.indices {
            let element = layout.slots[index].element
            if element == (target.isPair ? .pair : .single) && elements[index].pair.instanceTag == target.instanceTag { return index }
        }
        return nil
    }
}
