// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioMetadata
internal import AudioPrimitives
internal import SystemFiles
internal import SystemLibrary

/// Loudness metadata in a file: ReplayGain and iTunNORM tags, and the loudness boxes of MP4.
///
/// They are adjusted in place, so that no size changes.
struct LevelMetadata {
    /// A range of bytes that was replaced.
    struct Replacement: Equatable {
        let offset: Int
        /// The original bytes.
        let bytes: [UInt8]
    }

    /// The gain of the audio, in decibels.
    private let gain: Double
    private var replaced: [Replacement] = []

    /// The names of the tags, in lower case, with their kinds.
    private static let names: [(name: [UInt8], kind: Kind)] = [
        (Array("replaygain_track_gain".utf8), .gain), (Array("replaygain_album_gain".utf8), .gain),
        (Array("replaygain_track_peak".utf8), .peak), (Array("replaygain_album_peak".utf8), .peak),
        (Array("itunnorm".utf8), .norm),
    ]

    private enum Kind { case gain, peak, norm }

    /// Adjusts the metadata of a file in memory.
    ///
    /// - Parameters:
    ///   - gaps: The file ranges between access units.
    ///   - gain: The gain of the audio, in decibels.
    /// - Returns: The replaced bytes.
    /// - Throws: ``GainProblem/loudnessMetadata`` if not all values can be adjusted.
    static func adjust(_ bytes: inout [UInt8], gaps: [Range<Int>], gain: Double, path: String) throws -> [Replacement] {
        let reader = try AccessUnitReader(FileInput(bytes: bytes, path: path))
        var adjustment = LevelMetadata(gain: gain)
        for gap in gaps { try adjustment.adjustTags(&bytes, in: gap) }
        if let format = reader.format, format != .adts, format != .loas, format != .caf { try adjustment.adjustBoxes(&bytes) }
        let (old, new) = (reader.metadata.tags, try AccessUnitReader(FileInput(bytes: bytes, path: path)).metadata.tags)
        for (old, new) in [(old.replayGain, new.replayGain), (old.albumReplayGain, new.albumReplayGain)] {
            guard let old else { continue }
            guard let new, abs(new.gain + gain - old.gain) < 0.06 else { throw GainProblem.loudnessMetadata }
        }
        return adjustment.replaced
    }

    private init(gain: Double) { self.gain = gain }

    /// Replaces bytes of the same number.
    private mutating func replace(_ bytes: inout [UInt8], at offset: Int, by new: [UInt8]) {
        replaced.append(Replacement(offset: offset, bytes: Array(bytes[offset..<offset + new.count])))
        bytes.replaceSubrange(offset..<offset + new.count, with: new)
    }

    // MARK: Tags

    private mutating func adjustTags(_ bytes: inout [UInt8], in gap: Range<Int>) throws {
        let gain = gain
        var index = gap.lowerBound
        while index < gap.upperBound {
            // Most bytes do not start a name.
            let first = bytes[index] | 0x20
            guard first == UInt8(ascii: "r") || first == UInt8(ascii: "i"), let found = Self.name(in: bytes[index..<gap.upperBound])
            else {
                index += 1
                continue
            }
            index += found.byteCount
            let value = Self.valueRange(bytes[index..<gap.upperBound])
            switch found.kind {
            case .gain: try adjustNumber(&bytes, in: value) { $0 - gain }
            case .peak: try adjustNumber(&bytes, in: value) { $0 * pow(10, gain / 20) }
            case .norm: try adjustNorm(&bytes, in: value)
            }
        }
    }

    /// Returns the kind and length of the name at the start, if any.
    private static func name(in bytes: ArraySlice<UInt8>) -> (kind: Kind, byteCount: Int)? {
        for (name, kind) in names where bytes.count > name.count && zip(bytes, name).allSatisfy({ $0 | 0x20 == $1 | 0x20 }) {
            return (kind, name.count)
        }
        return nil
    }

    /// Returns the range of the value after a name: after a zero, or in an MP4 `data` box.
    private static func valueRange(_ bytes: ArraySlice<UInt8>) -> Range<Int> {
        let (start, head) = (bytes.startIndex, 16)
        if bytes.count > head, bytes[(start + 4)...].starts(with: "data".utf8) {
            let size = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
            return start + head..<min(bytes.endIndex, start + max(head, size))
        }
        guard bytes.first == 0 else { return start..<start }
        let rest = bytes.dropFirst()
        return rest.startIndex..<(rest.firstIndex(of: 0) ?? rest.endIndex)
    }

    private mutating func adjustNumber(_ bytes: inout [UInt8], in range: Range<Int>, _ change: (Double) -> Double) throws {
        let text = bytes[range].prefix {
            $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
                || (48...57).contains($0)
        }
        guard let old = AudioTags.ReplayGain.number(String(decoding: text, as: UTF8.self)) else { throw GainProblem.loudnessMetadata }
        let new = change(old)
        let hasSign = text.contains(UInt8(ascii: "+")) || text.contains(UInt8(ascii: "-"))
        for digits in stride(from: 6, through: 0, by: -1) {
            let magnitude = DecimalText.fixed(abs(new), digits: digits) ?? ""
            let signed = Array(((new < 0 ? "-" : hasSign ? "+" : "") + magnitude).utf8)
            guard signed.count <= text.count else { continue }
            let padding = [UInt8](repeating: UInt8(ascii: " "), count: text.count - signed.count)
            return replace(&bytes, at: range.lowerBound, by: padding + signed)
        }
        throw GainProblem.loudnessMetadata
    }

    /// Adjusts iTunNORM, ten numbers of eight hexadecimal digits: four inverse gains in power, two statistics, two peaks, two statistics.
    private mutating func adjustNorm(_ bytes: inout [UInt8], in range: Range<Int>) throws {
        let numbers = String(decoding: bytes[range], as: UTF8.self).split(separator: " ")
        guard numbers.count == 10, numbers.allSatisfy({ $0.utf8.count == 8 && UInt32($0, radix: 16) != nil }) else {
            throw GainProblem.loudnessMetadata
        }
        var offset = range.lowerBound
        for (index, number) in numbers.enumerated() {
            while bytes[offset] == UInt8(ascii: " ") { offset += 1 }
            let exponent: Double? = index < 4 ? 10 : index == 6 || index == 7 ? 20 : nil
            if let exponent, let old = UInt32(number, radix: 16) {
                let new = min(Double(old) * pow(10, gain / exponent), Double(UInt32.max)).rounded()
                let digits = String(UInt32(new), radix: 16, uppercase: true)
                replace(&bytes, at: offset, by: Array((String(repeating: "0", count: 8 - digits.utf8.count) + digits).utf8))
            }
            offset += 8
        }
    }

    // MARK: MP4

    private mutating func adjustBoxes(_ bytes: inout [UInt8]) throws {
        let fields = try MP4LevelFields(bytes)
        for offset in fields.loudness {
            let code = Int(bytes[offset]) + Int((4 * gain).rounded())
            guard (0...255).contains(code) else { throw GainProblem.loudnessMetadata }
            replace(&bytes, at: offset, by: [UInt8(code)])
        }
        for offset in fields.peaks {
            let pair = bytes[offset..<offset + 3].reduce(0) { $0 << 8 | Int($1) }
            let (sample, truePeak) = (try peakCode(pair >> 12), try peakCode(pair & 0xFFF))
            let new = sample << 12 | truePeak
            replace(&bytes, at: offset, by: [UInt8(new >> 16), UInt8(new >> 8 & 0xFF), UInt8(new & 0xFF)])
        }
    }

    /// Returns the code of a peak after the gain; 0 stands for an unknown peak.
    private func peakCode(_ old: Int) throws -> Int {
        guard old > 0 else { return 0 }
        let new = old - Int((32 * gain).rounded())
        guard (1...0xFFF).contains(new) else { throw GainProblem.loudnessMetadata }
        return new
    }
}
