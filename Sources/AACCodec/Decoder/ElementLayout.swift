// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import MPEG4Audio

/// The channel elements of a raw data block in order, and their channels.
package struct ElementLayout: Equatable {
    static let maximumChannelCount = 8

    struct Slot: Equatable {
        var element = ChannelElement.single
        /// `element_instance_tag`; -1 if elements of a kind are identified by their order.
        var instanceTag = -1
        var firstChannel = 0
    }

    private(set) var slots: [Slot] = []

    private(set) var channelCount = 0

    private(set) var usesTags = false

    package init() {}

    /// Creates the layout of a channel configuration (ISO/IEC 14496-3:2009, Table 1.19).
    init(_ configuration: ChannelConfiguration) {
        for element in configuration.elements {
            append(element, instanceTag: -1)
        }
    }

    /// Creates the layout of a program config element (ISO/IEC 14496-3:2009, 4.5.1.2).
    ///
    /// - Throws: `CodecError.tooManyChannels`.
    init(_ program: ProgramConfigElement) throws(CodecError) {
        guard program.channelCount <= Self.maximumChannelCount else {
            throw .tooManyChannels(program.channelCount, maximum: Self.maximumChannelCount)
        }
        usesTags = true
        for (element, tag) in program.channelElements {
            append(element, instanceTag: tag)
        }
    }

    /// Appends an element if it fits.
    ///
    /// A stream without a layout uses the elements of its first access unit.
    mutating func append(_ element: ChannelElement, instanceTag: Int) {
        guard channelCount + element.channelCount <= Self.maximumChannelCount else { return }
        slots.append(Slot(element: element, instanceTag: instanceTag, firstChannel: channelCount))
        channelCount += element.channelCount
    }

    /// The speakers of the channel configuration with the same elements, for a layout that the stream does not describe.
    var impliedChannelLayout: ChannelLayout? {
        let elements = slots.map { $0.element }
        return ChannelConfiguration.all.first { $0.elements == elements }?.decodedLayout
    }

    /// Returns the index of an element: by tag, or the first of its kind that is not in the bit set `read`.
    func index(of element: ChannelElement, instanceTag: Int, except read: UInt32) -> Int? {
        for index in slots.indices where slots[index].element == element {
            if usesTags ? slots[index].instanceTag == instanceTag : read >> UInt32(index) & 1 == 0 { return index }
        }
        return nil
    }
}
