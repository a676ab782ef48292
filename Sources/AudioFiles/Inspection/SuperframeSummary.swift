// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioPrimitives
public import DABPlus

/// The superframes of a stream of DAB+, and the programme-associated data in them.
public struct SuperframeSummary: Hashable, Sendable {
    /// A label and the time at which it is complete for the first time.
    public struct Label: Hashable, Sendable {
        /// The time.
        public var time: Duration
        /// The label.
        public var label: DynamicLabel
    }

    /// The bit rate of the sub-channel in bits per second.
    package internal(set) var subchannelBitRate = 0
    /// The number of superframes with an intact unit.
    package internal(set) var superframeCount = 0
    /// The bytes that were wrong and are corrected.
    package internal(set) var correctedByteCount = 0
    /// The words that have more wrong bytes than can be corrected.
    package internal(set) var uncorrectableWordCount = 0
    /// The bytes of the shortest and the longest unit.
    package internal(set) var unitByteCounts = 0...0
    /// The units with programme-associated data.
    package internal(set) var padUnitCount = 0
    /// The bytes of programme-associated data.
    package internal(set) var padByteCount = 0
    /// The labels, each when it begins to be another one than before; at most 100.
    public internal(set) var labels: [Label] = []
    /// The number of labels, listed or not.
    package internal(set) var labelCount = 0
    /// The data groups of a slideshow or other objects.
    package internal(set) var dataGroupCount = 0
    /// The bytes of these data groups.
    package internal(set) var dataGroupByteCount = 0
    /// The segments of labels and the data groups whose checksum is wrong.
    package internal(set) var damagedGroupCount = 0

    /// The most labels that are listed.
    package static let labelLimit = 100
}

/// Collects what a stream of DAB+ has.
struct SuperframeCollector {
    private var summary = SuperframeSummary()
    private var pad = PADReader()
    private var latest: Int?

    /// The summary; nil if there was no superframe.
    var result: SuperframeSummary? {
        guard latest != nil else { return nil }
        var result = summary
        result.padUnitCount = pad.unitCount
        result.padByteCount = pad.byteCount
        result.damagedGroupCount = pad.damagedCount
        return result
    }

    /// Records a unit with its place.
    mutating func record(_ unit: CodedUnit, at place: SuperframePlace, time: Duration) {
        let byteCount = unit.accessUnit.payload.count
        if latest == nil {
            summary.unitByteCounts = byteCount...byteCount
        } else {
            summary.unitByteCounts = min(summary.unitByteCounts.lowerBound, byteCount)...max(summary.unitByteCounts.upperBound, byteCount)
        }
        if place.superframe != latest {
            latest = place.superframe
            summary.superframeCount += 1
            summary.subchannelBitRate = place.subchannelBitRate
            summary.correctedByteCount += place.correctedByteCount
            summary.uncorrectableWordCount += place.uncorrectableWordCount
        }
        guard let data = ProgrammeAssociatedData(inUnit: unit.accessUnit.payload) else { return }
        let before = pad.label
        for item in pad.read(data) {
            switch item {
            case .label(let label):
                guard label != before else { continue }
                summary.labelCount += 1
                if summary.labels.count < SuperframeSummary.labelLimit { summary.labels.append(.init(time: time, label: label)) }
            case .labelRemoval: break
            case .dataGroup(let bytes):
                summary.dataGroupCount += 1
                summary.dataGroupByteCount += bytes.count
            }
        }
    }
}
