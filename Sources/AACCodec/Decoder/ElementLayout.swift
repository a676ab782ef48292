// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import MPEG4Audio

/// The elements with channels of a raw data block, in their order, and the channels that they decode to.
package struct ElementLayout {
    /// The largest number of channels of a stream, and of elements.
    static let maximumChannelCount = 8

    /// One element of the layout.
    struct Slot {
        /// The kind of element.
        var element = ChannelElement.single
        /// Its tag (`element_instance_tag`); -1 where elements of a kind are identified by their order.
        var instanceTag = -1
        /// The index of its first channel.
        var firstChannel = 0
    }

    /// The elements.
    private(set) var slots: [Slot] = []

    /// The number of channels of all elements.
    private(set) var channelCount = 0

    /// Whether elements are identified by their tags.
    private(set) var usesTags = false

    /// Creates a layout without elements.
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

    /// Appends an element, unless there is no room; a stream without a layout has the elements of its first unit.
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

    /// Returns the index of an element: by its tag, or the first of its kind that is not in `read`, one bit each.
    func index(of element: ChannelElement, instanceTag: Int, except read: UInt32) -> Int? {
        for index in slots.indices where slots[index].element == element {
            if usesTags ? slots[index].instanceTag == instanceTag : read >> UInt32(index) & 1 == 0 { return index }
        }
        return nil
    }
}
