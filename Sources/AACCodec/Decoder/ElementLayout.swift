// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives
internal import MPEG4Audio

/// Which elements with channels a raw data block has, and where their channels go.
struct ElementLayout {
    /// The most channels of a stream.
    static let maximumChannelCount = 8

    /// One element.
    struct Slot {
        /// The kind of element.
        var element = ChannelElement.single
        /// The tag that leads to it; -1 where elements are taken in the order of arrival.
        var instanceTag = -1
        /// The number of its first channel.
        var firstChannel = 0
    }

    /// The elements; ``slotCount`` of them are in use.
    private(set) var slots = [8 of Slot](repeating: Slot())

    /// Elements in use.
    private(set) var slotCount = 0

    /// Channels of all elements.
    private(set) var channelCount = 0

    /// Whether elements are found by their tags.
    private(set) var usesTags = false

    /// A layout without elements.
    init() {}

    /// The layout of a channel configuration.
    init(_ configuration: ChannelConfiguration) {
        for element in configuration.elements {
            append(element, instanceTag: -1)
        }
    }

    /// The layout of a program config element.
    init(_ program: ProgramConfigElement) throws(AACError) {
        guard program.channelCount <= Self.maximumChannelCount else {
            throw .tooManyChannels(program.channelCount, maximum: Self.maximumChannelCount)
        }
        usesTags = true
        for (element, tag) in program.channelElements {
            append(element, instanceTag: tag)
        }
    }

    /// The layout of a stream without any: the elements that its first unit has.
    mutating func append(_ element: ChannelElement, instanceTag: Int) {
        guard slotCount < slots.count, channelCount + element.channelCount <= Self.maximumChannelCount else { return }
        slots[slotCount] = Slot(element: element, instanceTag: instanceTag, firstChannel: channelCount)
        slotCount += 1
        channelCount += element.channelCount
    }

    /// The speakers of a layout that no one described: those of the channel configuration with the same elements.
    var impliedChannelLayout: ChannelLayout? {
        let elements = (0..<slotCount).map { slots[$0].element }
        return ChannelConfiguration.all.first { $0.elements == elements }?.layout
    }

    /// The place of an element: by its tag, or as the next of its kind that is not in `taken`, one bit a place.
    func place(of element: ChannelElement, instanceTag: Int, taken: UInt32) -> Int? {
        for place in 0..<slotCount where slots[place].element == element {
            if usesTags ? slots[place].instanceTag == instanceTag : taken >> UInt32(place) & 1 == 0 { return place }
        }
        return nil
    }
}
