// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// A channel layout spelled out (`program_config_element`, PCE; ISO/IEC 14496-3:2009, 4.4.1.1 and 4.5.1.2).
package struct ProgramConfigElement: Hashable, Sendable {
    /// An element with one or two channels, by the tag it carries.
    package struct Element: Hashable, Sendable {
        /// Whether the element is a CPE and not an SCE.
        package var isPair: Bool
        /// `element_instance_tag`, 0 to 15.
        package var instanceTag: Int

        /// Creates a reference to an element.
        package init(isPair: Bool, instanceTag: Int) {
            self.isPair = isPair
            self.instanceTag = instanceTag
        }
    }

    /// A coupling channel element.
    package struct CouplingElement: Hashable, Sendable {
        /// `cc_element_is_ind_sw`.
        package var isIndependentlySwitched: Bool
        /// `element_instance_tag`, 0 to 15.
        package var instanceTag: Int

        /// Creates a reference to a coupling channel element.
        package init(isIndependentlySwitched: Bool, instanceTag: Int) {
            self.isIndependentlySwitched = isIndependentlySwitched
            self.instanceTag = instanceTag
        }
    }

    /// The matrix mix-down of multichannel audio to stereo (`matrix_mixdown_idx_present`).
    package struct MatrixMixdown: Hashable, Sendable {
        /// 0 to 3: the surround channels enter with 1/√2, 1/2, 1/(2√2) or 0.
        package var index: Int
        /// Whether the surround channels enter out of phase (`pseudo_surround_enable`).
        package var isPseudoSurround: Bool

        /// Creates a mix-down rule.
        package init(index: Int, isPseudoSurround: Bool) {
            self.index = index
            self.isPseudoSurround = isPseudoSurround
        }
    }

    /// The tag of this PCE, 0 to 15.
    package var instanceTag = 0
    /// The profile as an object type, Main to LTP (1 to 4).
    package var objectType: AudioObjectType
    /// The coded sampling frequency index, 0 to 15; a configuration or header around the PCE says the true rate.
    package var samplingFrequencyCode: Int
    /// Front elements, from the centre outwards.
    package var front: [Element] = []
    /// Side elements, from the front to the back.
    package var side: [Element] = []
    /// Back elements, from the outside to the centre.
    package var back: [Element] = []
    /// Tags of the LFE elements, at most 3.
    package var lowFrequencyTags: [Int] = []
    /// Tags of the data stream elements that belong to the program, at most 7.
    package var associatedDataTags: [Int] = []
    /// Coupling channel elements.
    package var coupling: [CouplingElement] = []
    /// The element that is a mono mix-down, if there is one.
    package var monoMixdownTag: Int?
    /// The element that is a stereo mix-down, if there is one.
    package var stereoMixdownTag: Int?
    /// The rule for a matrix mix-down, if there is one.
    package var matrixMixdown: MatrixMixdown?
    /// Free bytes, at most 255.
    package var comment: [UInt8] = []

    /// Creates a PCE without channels.
    package init(objectType: AudioObjectType = .aacLC, samplingFrequencyCode: Int) {
        self.objectType = objectType
        self.samplingFrequencyCode = samplingFrequencyCode
    }

    /// Reads a PCE without its element id; the comment begins at a byte boundary counted from bit `start` of the reader,
    /// which is the first bit of the `AudioSpecificConfig`, the raw data block or the ADIF header around it.
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

    /// Writes the PCE without its element id; `start` as for reading.
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

    /// Writes the three mix-down fields.
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
