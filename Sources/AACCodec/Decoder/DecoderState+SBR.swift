// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

extension DecoderState {
    /// The number of channels of the output: two for a mono core with parametric stereo.
    var outputChannelCount: Int { sbr.isStereo ? 2 : layout.channelCount }

    /// The sample frames of the output of a unit.
    var outputFrameLength: Int { sbr.isActive ? sbr.frameLength : bands.frameLength }

    /// Starts SBR if the configuration announces it and the layout is known, or if an element has a payload of it.
    mutating func startSBR(hasPayload: Bool) {
        guard sbr.configuration.isPermitted, !sbr.isActive, layout.slotCount > 0 else { return }
        if hasPayload || sbr.configuration.isAnnounced { sbr.start(layout) }
    }

    /// Parses the SBR payloads of the last unit, and leaves the reader where it was.
    mutating func readSBRPayloads() {
        var hasPayload = false
        for index in 0..<layout.slotCount where !elements[index].sbrPayload.isEmpty { hasPayload = true }
        startSBR(hasPayload: hasPayload)
        guard sbr.isActive else { return }
        let position = reader.bitPosition
        for index in 0..<layout.slotCount where !elements[index].sbrPayload.isEmpty {
            sbr.read(elements[index].sbrPayload, of: index, from: &reader)
        }
        for index in 0..<coupling.count where coupling.elements[index].isIndependentlySwitched {
            sbr.readCoupling(coupling.sbrPayload[index], of: index, from: &reader)
        }
        reader.skip(position - reader.bitPosition)
    }

    /// Synthesises the output of SBR from the samples of the core.
    mutating func synthesizeSBR() {
        guard sbr.isActive else { return }
        for index in 0..<layout.slotCount {
            sbr.synthesize(index, slot: layout.slots[index], core: samples.span, coreStride: Self.channelStride)
        }
    }
}
