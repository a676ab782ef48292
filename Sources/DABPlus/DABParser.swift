// SPDX-License-Identifier: Apache-2.0

public import AudioContainers
internal import AudioPrimitives
internal import MPEG4Audio

/// A parser that finds access units in a stream of DAB+ superframes, passed in chunks of any size (ETSI TS 102 563).
///
/// A superframe is valid if the Fire code of its header matches after error correction. Without synchronisation, the checksum of its last
/// access unit and half of its Reed-Solomon words must also be valid, which reveals the bit rate. In sync, the next superframe is expected
/// directly after the current one. If it is missing and no valid header follows at the next expected position, the parser searches byte by
/// byte. Access units with an invalid checksum are reported as damage. An access unit from uncorrectable words is protected only by its
/// checksum. The events do not depend on the chunk sizes. The parser never traps on invalid input.
public struct DABParser: FramedParser {
    package var progress = StreamProgress()
    /// The sub-channel bit rate in units of 8000 bit/s, or `nil` before the first superframe.
    private var subchannelIndex: Int?
    /// The number of bytes since the last superframe, or since the start of the stream.
    private var distance = 0
    /// The number of superframes so far.
    private var superframeCount = 0
    private let code = ReedSolomonCode.shared

    /// Creates a parser at the start of a stream.
    public init() {}

    /// The positions of the latest superframe's access units.
    private var positions: [SuperframePosition] = []

    /// Returns the position of an access unit of the latest superframe (including the latest event), or `nil` for others.
    package func position(of demuxed: DemuxedAccessUnit) -> SuperframePosition? { positions.first { $0.byteRange == demuxed.byteRange } }

    /// The size of a superframe at the maximum bit rate.
    private static let maximumByteCount = ReedSolomonCode.byteCount * 24

    /// Consumes a superframe or a byte, or returns `false` if more bytes are needed.
    package mutating func step() -> Bool {
        let window = progress.window
        if let subchannelIndex, distance % (ReedSolomonCode.byteCount * subchannelIndex) == 0 {
            return stepInPlace(subchannelIndex)
        }
        guard window.has(Self.maximumByteCount) || window.isFinished else { return false }
        let hasHeader =
            window.has(SuperframeHeader.protectedByteCount)
            && SuperframeHeader(window[0..<SuperframeHeader.protectedByteCount]) != nil
        // The header at the start of the stream may be damaged.
        if distance == 0 || hasHeader, let found = confirmedSuperframe() {
            estimateLoss()
            take(found)
        } else {
            lose(1, window.count < SuperframeHeader.protectedByteCount ? .truncatedFrame : .unrecognized)
        }
        return true
    }

    /// Processes the bytes at an expected superframe position, or returns `false` if more bytes are needed.
    private mutating func stepInPlace(_ index: Int) -> Bool {
        let window = progress.window
        let byteCount = ReedSolomonCode.byteCount * index
        // The next header shows whether bytes are missing or only wrong.
        guard window.has(byteCount + SuperframeHeader.protectedByteCount) || window.isFinished else { return false }
        guard window.has(byteCount) else {
            lose(window.count, .truncatedFrame)
            return true
        }
        let found = superframe(index)
        let next = byteCount..<byteCount + SuperframeHeader.protectedByteCount
        if found.isPlausible {
            if distance > 0 { estimateLoss() }
            take(found)
        } else if distance == 0, window.has(next.upperBound), SuperframeHeader(window[next]) != nil {
            progress.loseFrame(byteCount, .unrecognized)
            progress.advanceTime(by: accessUnitCount * DABAudioFormat.frameLength)
        } else {
            lose(1, .unrecognized)
        }
        return true
    }

    private mutating func lose(_ count: Int, _ reason: SkippedBytes.Reason) {
        progress.lose(count, reason)
        distance += count
    }

    /// Access units per superframe in the latest format.
    private var accessUnitCount = 0

    /// Advances the time by the number of superframes that fit into the skipped bytes.
    private mutating func estimateLoss() {
        guard let subchannelIndex, superframeCount > 0 else { return }
        let byteCount = ReedSolomonCode.byteCount * subchannelIndex
        let lost = (distance + byteCount / 2) / byteCount
        progress.advanceTime(by: lost * accessUnitCount * DABAudioFormat.frameLength)
    }

    /// A superframe after error correction.
    private struct Superframe {
        /// The assumed bit rate in units of 8000 bit/s.
        var index: Int
        var bytes: [UInt8]
        var correction: ReedSolomonCode.Correction
        /// The header, or `nil` if it is damaged.
        var header: SuperframeHeader?

        func isIntact(_ accessUnitIndex: Int) -> Bool {
            header?.range(ofUnit: accessUnitIndex, subchannelIndex: index).map { DABChecksum.accessUnits.isValid(bytes[$0]) } ?? false
        }

        /// Whether any byte of an access unit is in an uncorrectable word.
        func isInUncorrectableWords(_ range: Range<Int>) -> Bool {
            let words = correction.uncorrectableWords
            return words != 0 && range.prefix(index).contains { words >> UInt32($0 % index) & 1 != 0 }
        }

        /// Whether the assumed bit rate, one of 24, is right: the last access unit's checksum and half of the words are valid.
        ///
        /// At another bit rate, one checksum in 65 536 and one word in 5000 appear valid.
        var isConfirmed: Bool {
            guard let header, isIntact(header.starts.count - 1) else { return false }
            return 2 * correction.uncorrectableWordCount <= index
        }

        /// Whether the header and either all words or one access unit are valid.
        var isPlausible: Bool {
            guard let header else { return false }
            return correction.uncorrectableWordCount == 0 || header.starts.indices.contains { isIntact($0) }
        }
    }

    /// Returns the superframe at the start of the window after error correction.
    private func superframe(_ index: Int) -> Superframe {
        var bytes = Array(progress.window[0..<ReedSolomonCode.byteCount * index])
        let correction = code.correct(&bytes, wordCount: index)
        return Superframe(index: index, bytes: bytes, correction: correction, header: SuperframeHeader(bytes[...]))
    }

    /// Returns a plausible superframe at the known bit rate, or else a confirmed one at any bit rate.
    private func confirmedSuperframe() -> Superframe? {
        /// Returns the superframe at a bit rate, or `nil` if there are too few bytes.
        func complete(_ index: Int) -> Superframe? {
            progress.window.has(ReedSolomonCode.byteCount * index) ? superframe(index) : nil
        }
        if let found = subchannelIndex.flatMap(complete), found.isPlausible { return found }
        return (1...24).lazy.compactMap(complete).first { $0.isConfirmed }
    }

    /// Reports the access units of the superframe at the start of the window.
    private mutating func take(_ found: Superframe) {
        guard let header = found.header else { return }
        let index = found.index
        let byteCount = ReedSolomonCode.byteCount * index
        positions.removeAll(keepingCapacity: true)
        progress.reportLost()
        progress.announce(.aac(header.format.audioSpecificConfig))
        let start = progress.window.offset
        for accessUnitIndex in header.starts.indices {
            let range = header.range(ofUnit: accessUnitIndex, subchannelIndex: index) ?? byteCount..<byteCount
            // The header counts as part of the first access unit, the parity bytes as part of the last.
            let first = accessUnitIndex == 0 ? 0 : min(range.lowerBound, byteCount)
            let end = accessUnitIndex + 1 < header.starts.count ? min(range.upperBound, byteCount) : byteCount
            let own = start + first..<start + max(first, end)
            guard found.isIntact(accessUnitIndex) else {
                progress.report(SkippedBytes(byteRange: own, reason: .damagedUnit))
                progress.advanceTime(by: DABAudioFormat.frameLength)
                continue
            }
            positions.append(
                SuperframePosition(
                    byteRange: own, superframe: superframeCount, accessUnitIndex: accessUnitIndex, subchannelBitRate: 8_000 * index,
                    correctedByteCount: found.correction.correctedByteCount,
                    uncorrectableWordCount: found.correction.uncorrectableWordCount,
                    isInUncorrectableWords: found.isInUncorrectableWords(range)))
            progress.append(payload: Array(found.bytes[range].dropLast(2)), duration: DABAudioFormat.frameLength, byteRange: own)
        }
        progress.window.advance(by: byteCount)
        subchannelIndex = index
        accessUnitCount = header.format.accessUnitCount
        superframeCount += 1
        distance = 0
    }
}

/// The position of an access unit in a stream of superframes, and the state of its superframe.
package struct SuperframePosition: Hashable, Sendable {
    /// The range of the access unit in the stream.
    var byteRange: Range<Int>
    /// The index of the superframe in the stream.
    package var superframe: Int
    package var accessUnitIndex: Int
    /// The sub-channel bit rate, in bits per second.
    package var subchannelBitRate: Int
    package var correctedByteCount: Int
    package var uncorrectableWordCount: Int
    /// Whether bytes of the access unit are in uncorrectable words, so that only its 16-bit checksum shows that it is valid.
    package var isInUncorrectableWords: Bool
}
