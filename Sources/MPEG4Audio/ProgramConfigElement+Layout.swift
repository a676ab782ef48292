// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

extension ProgramConfigElement {
    /// The rate that the coded index stands for; nil for 13 to 15.
    public var samplingFrequencyIndex: SamplingFrequencyIndex? { SamplingFrequencyIndex(rawValue: samplingFrequencyCode) }

    /// The number of channels.
    public var channelCount: Int {
        (front + side + back).reduce(lowFrequencyTags.count) { $0 + ($1.isPair ? 2 : 1) }
    }

    /// The elements with channels, in the order of the channels of ``channelLayout``: front, side, back, LFE.
    public var channelElements: [(element: ChannelElement, instanceTag: Int)] {
        (front + side + back).map { ($0.isPair ? .pair : .single, $0.instanceTag) }
            + lowFrequencyTags.map { (.lowFrequency, $0) }
    }

    /// The speakers in the order of ``channelElements``; nil if there are more than have names here.
    ///
    /// Front elements run from the centre outwards, back elements towards the centre; two SCEs in a row stand for a pair.
    public var channelLayout: ChannelLayout? {
        var speakers: [Speaker] = []
        guard let front = Self.frontSpeakers(front), let side = Self.sideSpeakers(side),
            let back = Self.backSpeakers(back), lowFrequencyTags.count <= 1
        else { return nil }
        speakers = front + side + back
        if !lowFrequencyTags.isEmpty { speakers.append(.lowFrequency) }
        return speakers.isEmpty ? nil : ChannelLayout(speakers)
    }

    /// Returns the number of channels of elements.
    private static func channelCount(_ elements: [Element]) -> Int { elements.reduce(0) { $0 + ($1.isPair ? 2 : 1) } }

    /// Returns whether a centre channel has the given index and all others are pairs.
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

    /// Returns the speakers of the front elements; nil if they have no names here.
    private static func frontSpeakers(_ elements: [Element]) -> [Speaker]? {
        let count = channelCount(elements)
        guard pairsUp(elements, middleAt: count % 2 == 1 ? 0 : nil) else { return nil }
        let pairs: [Speaker]
        switch count / 2 {
        case 0: pairs = []
        case 1: pairs = [.left, .right]
        case 2: pairs = [.leftOfCenter, .rightOfCenter, .left, .right]
        default: return nil
        }
        return count % 2 == 1 ? [.center] + pairs : pairs
    }

    /// Returns the speakers of the side elements; nil if they have no names here.
    private static func sideSpeakers(_ elements: [Element]) -> [Speaker]? {
        guard pairsUp(elements, middleAt: nil) else { return nil }
        switch channelCount(elements) {
        case 0: return []
        case 2: return [.sideLeft, .sideRight]
        default: return nil
        }
    }

    /// Returns the speakers of the back elements; nil if they have no names here.
    private static func backSpeakers(_ elements: [Element]) -> [Speaker]? {
        let count = channelCount(elements)
        guard pairsUp(elements, middleAt: count % 2 == 1 ? elements.count - 1 : nil) else { return nil }
        switch count {
        case 0: return []
        case 1: return [.backCenter]
        case 2: return [.backLeft, .backRight]
        case 3: return [.backLeft, .backRight, .backCenter]
        default: return nil
        }
    }
}
