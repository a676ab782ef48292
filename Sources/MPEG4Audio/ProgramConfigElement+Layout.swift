// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

extension ProgramConfigElement {
    package var channelCount: Int { Self.channelCount(front + side + back) + lowFrequencyTags.count }

    /// The elements with channels: front, side, back, LFE, as in ``channelLayout``.
    package var channelElements: [(element: ChannelElement, instanceTag: Int)] {
        (front + side + back).map { ($0.isPair ? .pair : .single, $0.instanceTag) }
            + lowFrequencyTags.map { (.lowFrequency, $0) }
    }

    /// The speakers in the order of ``channelElements``, or `nil` if some have no name.
    ///
    /// Front elements run from the centre outwards, back elements towards the centre. Two consecutive SCEs form a pair.
    package var channelLayout: ChannelLayout? {
        guard let front = Self.speakers(front, Self.frontSpeakers, middleAt: 0),
            let side = Self.speakers(side, Self.sideSpeakers, middleAt: nil),
            let back = Self.speakers(back, Self.backSpeakers, middleAt: back.count - 1), lowFrequencyTags.count <= 1
        else { return nil }
        let speakers = front + side + back + (lowFrequencyTags.isEmpty ? [] : [.lowFrequency])
        return speakers.isEmpty ? nil : ChannelLayout(speakers)
    }

    private static func channelCount(_ elements: [Element]) -> Int { elements.reduce(0) { $0 + ($1.isPair ? 2 : 1) } }

    /// Whether all elements form pairs, except a centre channel at index `middle`.
    private static func pairsUp(_ elements: [Element], middleAt middle: Int?) -> Bool {
        var index = 0
        while index < elements.count {
            if index == middle && !elements[index].isPair {
                index += 1
            } else if elements[index].isPair {
                index += 1
            } else if index + 1 < elements.count && !elements[index + 1].isPair {
                index += 2
            } else {
                return false
            }
        }
        return true
    }

    /// Returns the speakers of elements, or `nil` if they have no names.
    ///
    /// - Parameters:
    ///   - names: The speakers by channel count.
    ///   - middle: The index of the single channel if the channel count is odd.
    private static func speakers(_ elements: [Element], _ names: [[Speaker]?], middleAt middle: Int?) -> [Speaker]? {
        let count = channelCount(elements)
        guard count < names.count, pairsUp(elements, middleAt: count % 2 == 1 ? middle : nil) else { return nil }
        return names[count]
    }

    private static let frontSpeakers: [[Speaker]?] = [
        [], [.center], [.left, .right], [.center, .left, .right], [.leftOfCenter, .rightOfCenter, .left, .right],
        [.center, .leftOfCenter, .rightOfCenter, .left, .right],
    ]
    private static let sideSpeakers: [[Speaker]?] = [[], nil, [.sideLeft, .sideRight]]
    private static let backSpeakers: [[Speaker]?] = [[], [.backCenter], [.backLeft, .backRight], [.backLeft, .backRight, .backCenter]]
}
