// SPDX-License-Identifier: Apache-2.0

public import AudioContainers
internal import AudioPrimitives
internal import MPEG4Audio

/// Finds access units in a stream of DAB+ superframes, given in chunks of any size (ETSI TS 102 563).
///
/// A superframe counts when, with its wrong bytes corrected, the Fire code of its header fits, and in a stream whose superframes have not been
/// found yet the checksum of its last unit and half of its words, which tell the bit rate too. After that the next one is expected right behind it;
/// where there is none, and no intact header in the place after that, a header is searched for byte by byte. Units whose checksum is wrong are
/// reported as damage; others may be of words that could not be corrected, where nothing but that checksum speaks for them.
/// The events do not depend on the chunks. No input can make it trap.
public struct DABParser: FramedParser {
    package var progress = StreamProgress()
    /// The bit rate of the sub-channel in units of 8000 bits per second; nil before the first superframe.
    private var subchannelIndex: Int?
    /// The bytes since the last superframe, or since the beginning of the stream.
    private var distance = 0
    /// The superframes so far.
    private var superframeCount = 0
    /// The code of the words.
    private let code = ReedSolomonCode.shared

    /// Creates a parser at the start of a stream.
    public init() {}

    /// The places of the units of the latest superframe.
    private var places: [SuperframePlace] = []

    /// Returns the place of an access unit of the latest superframe, as that of the latest event is; nil for others.
    package func place(of unit: CodedUnit) -> SuperframePlace? { places.first { $0.byteRange == unit.byteRange } }

    /// The bytes of a superframe at the highest bit rate.
    private static let largestByteCount = ReedSolomonCode.byteCount * 24

    /// Advances by a superframe or a byte; returns false if that needs more bytes.
    package mutating func step() -> Bool {
        let window = progress.window
        if let subchannelIndex, distance % (ReedSolomonCode.byteCount * subchannelIndex) == 0 {
            return stepInPlace(subchannelIndex)
        }
        guard window.has(Self.largestByteCount) || window.isFinished else { return false }
        let hasHeader =
            window.has(SuperframeHeader.protectedByteCount)
            && SuperframeHeader(window[0..<SuperframeHeader.protectedByteCount]) != nil
        // At the start of the stream the header may be damaged.
        if distance == 0 || hasHeader, let found = confirmedSuperframe() {
            estimateLoss()
            take(found)
        } else {
            lose(1, window.count < SuperframeHeader.protectedByteCount ? .truncatedFrame : .unrecognized)
        }
        return true
    }

    /// Advances where a superframe is expected; returns false if that needs more bytes.
    private mutating func stepInPlace(_ index: Int) -> Bool {
        let window = progress.window
        let byteCount = ReedSolomonCode.byteCount * index
        // The header of the next one tells whether bytes are missing, or only wrong.
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
            progress.advanceTime(by: unitCount * DABAudioFormat.frameLength)
        } else {
            lose(1, .unrecognized)
        }
        return true
    }

    /// Skips bytes.
    private mutating func lose(_ count: Int, _ reason: SkippedBytes.Reason) {
        progress.lose(count, reason)
        distance += count
    }

    /// The access units of a superframe of the latest format.
    private var unitCount = 0

    /// Advances the time by the superframes that the skipped bytes have room for.
    private mutating func estimateLoss() {
        guard let subchannelIndex, superframeCount > 0 else { return }
        let byteCount = ReedSolomonCode.byteCount * subchannelIndex
        let lost = (distance + byteCount / 2) / byteCount
        progress.advanceTime(by: lost * unitCount * DABAudioFormat.frameLength)
    }

    /// A superframe after its correction.
    private struct Superframe {
        /// The bit rate in units of 8000 bits per second, at which it was read.
        var index: Int
        /// The bytes.
        var bytes: [UInt8]
        /// The wrong bytes.
        var correction: ReedSolomonCode.Correction
        /// The header; nil if it is damaged.
        var header: SuperframeHeader?

        /// Whether the checksum of a unit fits.
        func isIntact(_ unit: Int) -> Bool {
            header?.range(ofUnit: unit, subchannelIndex: index).map { DABChecksum.units.isValid(bytes[$0]) } ?? false
        }

        /// Whether any byte of a unit is in a word with more wrong bytes than can be corrected.
        func isInUncorrectableWords(_ range: Range<Int>) -> Bool {
            let words = correction.uncorrectableWords
            return words != 0 && range.prefix(index).contains { words >> UInt32($0 % index) & 1 != 0 }
        }

        /// Whether the bit rate, one of 24 that are tried, is right: the checksum of the last unit fits, and half of the words are intact.
        ///
        /// Read at another bit rate one checksum in 65 536 fits, and one word in 5000 can be corrected.
        var isConfirmed: Bool {
            guard let header, isIntact(header.starts.count - 1) else { return false }
            return 2 * correction.uncorrectableWordCount <= index
        }

        /// Whether there is a header, and either all words or one of its units are intact.
        var isPlausible: Bool {
            guard let header else { return false }
            return correction.uncorrectableWordCount == 0 || header.starts.indices.contains { isIntact($0) }
        }
    }

    /// Returns the superframe at the start of the window, corrected.
    private func superframe(_ index: Int) -> Superframe {
        var bytes = Array(progress.window[0..<ReedSolomonCode.byteCount * index])
        let correction = code.correct(&bytes, wordCount: index)
        return Superframe(index: index, bytes: bytes, correction: correction, header: SuperframeHeader(bytes[...]))
    }

    /// Returns the superframe at the start of the window: at the known bit rate if the checksum of any unit fits, or at another that it confirms.
    private func confirmedSuperframe() -> Superframe? {
        /// Returns the superframe at a bit rate; nil if there are too few bytes.
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
        places.removeAll(keepingCapacity: true)
        progress.reportLost()
        progress.announce(.aac(header.format.audioSpecificConfig))
        let start = progress.window.offset
        for unit in header.starts.indices {
            let range = header.range(ofUnit: unit, subchannelIndex: index) ?? byteCount..<byteCount
            // The header is counted with the first unit, and the parity bytes with the last one.
            let first = unit == 0 ? 0 : min(range.lowerBound, byteCount)
            let end = unit + 1 < header.starts.count ? min(range.upperBound, byteCount) : byteCount
            let own = start + first..<start + max(first, end)
            guard found.isIntact(unit) else {
                progress.report(SkippedBytes(byteRange: own, reason: .damagedUnit))
                progress.advanceTime(by: DABAudioFormat.frameLength)
                continue
            }
            places.append(
                SuperframePlace(
                    byteRange: own, superframe: superframeCount, unit: unit, subchannelBitRate: 8_000 * index,
                    correctedByteCount: found.correction.correctedByteCount,
                    uncorrectableWordCount: found.correction.uncorrectableWordCount,
                    isInUncorrectableWords: found.isInUncorrectableWords(range)))
            progress.append(payload: Array(found.bytes[range].dropLast(2)), duration: DABAudioFormat.frameLength, byteRange: own)
        }
        progress.window.advance(by: byteCount)
        subchannelIndex = index
        unitCount = header.format.unitCount
        superframeCount += 1
        distance = 0
    }
}

/// The place of an access unit in a stream of superframes, and the state of its superframe.
package struct SuperframePlace: Hashable, Sendable {
    /// The bytes of the access unit in the stream.
    var byteRange: Range<Int>
    /// The index of the superframe in the stream.
    package var superframe: Int
    /// The index of the access unit in the superframe.
    package var unit: Int
    /// The bit rate of the sub-channel in bits per second.
    package var subchannelBitRate: Int
    /// The bytes of the superframe that were wrong and are corrected.
    package var correctedByteCount: Int
    /// The words of the superframe that had more wrong bytes than can be corrected.
    package var uncorrectableWordCount: Int
    /// Whether bytes of the unit are in these words, so that nothing but its checksum of 16 bits tells that the unit is right.
    package var isInUncorrectableWords: Bool
}
