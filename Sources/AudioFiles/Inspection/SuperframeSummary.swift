// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioPrimitives
public import DABPlus

/// The superframes of a DAB+ stream and their programme-associated data.
public struct SuperframeSummary: Hashable, Sendable {
    /// A label and the time at which it was first complete.
    public struct Label: Hashable, Sendable {
        /// The playing time.
        public var time: Duration
        /// The decoded label.
        public var label: DynamicLabel
    }

    /// The sub-channel bit rate, in bits per second.
    package internal(set) var subchannelBitRate = 0
    /// The number of superframes with an intact access unit.
    package internal(set) var superframeCount = 0
    package internal(set) var correctedByteCount = 0
    /// The number of code words with too many errors to correct.
    package internal(set) var uncorrectableWordCount = 0
    /// The sizes of the shortest and longest access unit, in bytes.
    package internal(set) var unitByteCounts = 0...0
    /// The number of access units with programme-associated data.
    package internal(set) var padUnitCount = 0
    /// The size of the programme-associated data, in bytes.
    package internal(set) var padByteCount = 0
    /// The labels, one entry per change; at most 100.
    public internal(set) var labels: [Label] = []
    /// The total number of labels, including unlisted ones.
    package internal(set) var labelCount = 0
    /// The number of data groups of slideshows and other objects.
    package internal(set) var dataGroupCount = 0
    package internal(set) var dataGroupByteCount = 0
    /// The number of label segments and data groups with an invalid checksum.
    package internal(set) var damagedGroupCount = 0

    /// The maximum number of listed labels.
    package static let labelLimit = 100
}

/// Collects the superframe summary of a DAB+ stream.
struct SuperframeCollector {
    private var summary = SuperframeSummary()
    private var pad = PADReader()
    private var latest: Int?

    /// The summary, or `nil` if there was no superframe.
    var result: SuperframeSummary? {
        guard latest != nil else { return nil }
        var result = summary
        result.padUnitCount = pad.accessUnitCount
        result.padByteCount = pad.byteCount
        result.damagedGroupCount = pad.damagedCount
        return result
    }

    mutating func record(_ demuxed: DemuxedAccessUnit, at position: SuperframePosition, time: Duration) {
        let byteCount = demuxed.accessUnit.payload.count
        if latest == nil {
            summary.unitByteCounts = byteCount...byteCount
        } else {
            summary.unitByteCounts = min(summary.unitByteCounts.lowerBound, byteCount)...max(summary.unitByteCounts.upperBound, byteCount)
        }
        if position.superframe != latest {
            latest = position.superframe
            summary.superframeCount += 1
            summary.subchannelBitRate = position.subchannelBitRate
            summary.correctedByteCount += position.correctedByteCount
            summary.uncorrectableWordCount += position.uncorrectableWordCount
        }
        guard let data = ProgrammeAssociatedData(inUnit: demuxed.accessUnit.payload) else { return }
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
