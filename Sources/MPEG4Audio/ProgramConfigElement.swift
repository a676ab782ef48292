// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// An explicit channel layout (`program_config_element`, PCE; ISO/IEC 14496-3:2009, 4.4.1.1 and 4.5.1.2).
package struct ProgramConfigElement: Hashable, Sendable {
    /// A reference to an SCE or CPE.
    package struct Element: Hashable, Sendable {
        /// Whether the element is a CPE instead of an SCE.
        package var isPair: Bool
        /// `element_instance_tag`, 0 to 15.
        package var instanceTag: Int

        package init(isPair: Bool, instanceTag: Int) {
            self.isPair = isPair
            self.instanceTag = instanceTag
        }
    }

    package struct CouplingElement: Hashable, Sendable {
        /// `cc_element_is_ind_sw`.
        package var isIndependentlySwitched: Bool
        /// `element_instance_tag`, 0 to 15.
        package var instanceTag: Int

        package init(isIndependentlySwitched: Bool, instanceTag: Int) {
            self.isIndependentlySwitched = isIndependentlySwitched
            self.instanceTag = instanceTag
        }
    }

    /// The matrix downmix of multichannel audio to stereo (`matrix_mixdown_idx_present`).
    package struct MatrixMixdown: Hashable, Sendable {
        /// The index of the surround gain: 1/√2, 1/2, 1/(2√2) or 0.
        package var index: Int
        /// Whether surround channels are mixed out of phase (`pseudo_surround_enable`).
        package var isPseudoSurround: Bool

        package init(index: Int, isPseudoSurround: Bool) {
            self.index = index
            self.isPseudoSurround = isPseudoSurround
        }
    }

    /// `element_instance_tag` of this PCE, 0 to 15.
    package var instanceTag = 0
    /// The profile as an object type, Main to LTP (1 to 4).
    package var objectType: AudioObjectType
    /// The sampling frequency index, 0 to 15, which the enclosing configuration or header overrides.
    package var samplingFrequencyCode: Int
    /// Front elements, from the centre outwards.
    package var front: [Element] = []
    /// Side elements, from front to back.
    package var side: [Element] = []
    /// Back elements, from the outside to the centre.
    package var back: [Element] = []
    /// The tags of the LFE elements, at most 3.
    package var lowFrequencyTags: [Int] = []
    /// The tags of associated data stream elements, at most 7.
    package var associatedDataTags: [Int] = []
    package var coupling: [CouplingElement] = []
    /// The element with a mono downmix, if any.
    package var monoMixdownTag: Int?
    /// The element with a stereo downmix, if any.
    package var stereoMixdownTag: Int?
    /// The matrix downmix, if any.
    package var matrixMixdown: MatrixMixdown?
    /// Comment bytes, at most 255.
    package var comment: [UInt8] = []

    package init(objectType: AudioObjectType = .aacLC, samplingFrequencyCode: Int) {
        self.objectType = objectType
        self.samplingFrequencyCode = samplingFrequencyCode
    }

    /// Reads a PCE without its element ID.
    ///
    /// The comment is byte-aligned relative to bit `start`, the first bit of the enclosing `AudioSpecificConfig`, raw data block or ADIF
    /// header.
    package init(reading reader: inout BitReader, alignedTo start: Int) throws(CodecError) {
        instanceTag = Int(reader.read(4))
        objectType = AudioObjectType(rawValue: Int(reader.read(2)) + 1)
        samplingFrequencyCode = Int(reader.read(4))
        let frontCount = Int(reader.read(4))
        let sideCount = Int(reader.read(4))
        let backCount = Int(reader.read(4))
        let lowFrequencyCount = Int(reader.read(2))
        let dataCount = Int(reader.read(3))
        let couplingCount = Int(reader.read(4))
        if reader.readFlag() { monoMixdownTag = Int(reader.read(4)) }
        if reader.readFlag() { stereoMixdownTag = Int(reader.read(4)) }
        if reader.readFlag() {
            matrixMixdown = MatrixMixdown(index: Int(reader.read(2)), isPseudoSurround: reader.readFlag())
        }
        front = (0..<frontCount).map { _ in Element(isPair: reader.readFlag(), instanceTag: Int(reader.read(4))) }
        side = (0..<sideCount).map { _ in Element(isPair: reader.readFlag(), instanceTag: Int(reader.read(4))) }
        back = (0..<backCount).map { _ in Element(isPair: reader.readFlag(), instanceTag: Int(reader.read(4))) }
        lowFrequencyTags = (0..<lowFrequencyCount).map { _ in Int(reader.read(4)) }
        associatedDataTags = (0..<dataCount).map { _ in Int(reader.read(4)) }
        coupling = (0..<couplingCount).map { _ in
            CouplingElement(isIndependentlySwitched: reader.readFlag(), instanceTag: Int(reader.read(4)))
        }
        reader.skip((start - reader.bitPosition) & 7)
        comment = reader.readBytes(bitCount: 8 * Int(reader.read(8)))
        try reader.checkOverrun()
    }

    /// Writes the PCE without its element ID, aligned to bit `start` as for reading.
    package func write(to sink: inout some BitSink, alignedTo start: Int) {
        sink.write(UInt32(instanceTag), count: 4)
        sink.write(UInt32(objectType.rawValue - 1), count: 2)
        sink.write(UInt32(samplingFrequencyCode), count: 4)
        for list in [front, side, back] {
            sink.write(UInt32(list.count), count: 4)
        }
        sink.write(UInt32(lowFrequencyTags.count), count: 2)
        sink.write(UInt32(associatedDataTags.count), count: 3)
        sink.write(UInt32(coupling.count), count: 4)
        writeMixdowns(to: &sink)
        for element in front + side + back {
            sink.write(element.isPair)
            sink.write(UInt32(element.instanceTag), count: 4)
        }
        for tag in lowFrequencyTags + associatedDataTags {
            sink.write(UInt32(tag), count: 4)
        }
        for element in coupling {
            sink.write(element.isIndependentlySwitched)
            sink.write(UInt32(element.instanceTag), count: 4)
        }
        sink.write(0, count: (start - sink.bitCount) & 7)
        sink.write(UInt32(comment.count), count: 8)
        sink.write(comment)
    }

    /// Writes the three downmix fields.
    private func writeMixdowns(to sink: inout some BitSink) {
        for tag in [monoMixdownTag, stereoMixdownTag] {
            sink.write(tag != nil)
            if let tag { sink.write(UInt32(tag), count: 4) }
        }
        sink.write(matrixMixdown != nil)
        if let matrixMixdown {
            sink.write(UInt32(matrixMixdown.index), count: 2)
            sink.write(matrixMixdown.isPseudoSurround)
        }
    }
}
