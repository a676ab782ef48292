// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import MPEG4Audio

/// The header of a superframe, with audio format and access unit offsets (`he_aac_super_frame_header`, ETSI TS 102 563, 5.2).
package struct SuperframeHeader: Hashable, Sendable {
    let format: DABAudioFormat
    /// The offsets of the access units in the superframe.
    package let starts: [Int]

    /// The number of bytes protected by the Fire code, including the code.
    static let protectedByteCount = 11

    /// Creates a header.
    ///
    /// - Parameter byteCounts: The size of each access unit, including its checksum.
    init(_ format: DABAudioFormat, byteCounts: [Int]) {
        self.format = format
        var starts = [format.headerByteCount]
        for count in byteCounts.dropLast() { starts.append(starts[starts.count - 1] + count) }
        self.starts = starts
    }

    /// Parses the header at the start of `bytes`, or returns `nil` if its Fire code or the order of its access units is invalid.
    package init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= Self.protectedByteCount else { return nil }
        let head = bytes.prefix(Self.protectedByteCount)
        let (first, second) = (head[head.startIndex], head[head.startIndex + 1])
        let fields = head.dropFirst(2)
        guard DABChecksum.fireCode.value(fields.span) == UInt16(first) << 8 | UInt16(second) else { return nil }
        var reader = BitReader(fields)
        // Reserved.
        reader.skip(1)
        let (isFullRate, hasSBR, isStereo, hasParametricStereo) = (
            reader.readFlag(), reader.readFlag(), reader.readFlag(), reader.readFlag()
        )
        var format = DABAudioFormat(
            isFullRate: isFullRate, hasSBR: hasSBR, isStereo: isStereo, hasParametricStereo: hasParametricStereo)
        format.surroundConfig = Int(reader.read(3))
        // Parametric stereo requires a mono core and SBR.
        guard !hasParametricStereo || (hasSBR && !isStereo) else { return nil }
        var starts = [format.headerByteCount]
        for _ in 1..<format.accessUnitCount {
            let start = Int(reader.read(12))
            guard start >= starts[starts.count - 1] + Self.minimumAccessUnitByteCount else { return nil }
            starts.append(start)
        }
        self.format = format
        self.starts = starts
    }

    /// The minimum size of an access unit, including its checksum.
    private static let minimumAccessUnitByteCount = 3

    func append(to bytes: inout [UInt8]) {
        var writer = BitWriter(byteCapacity: Self.protectedByteCount)
        writer.write(0, count: 1)
        writer.write(format.isFullRate)
        writer.write(format.hasSBR)
        writer.write(format.isStereo)
        writer.write(format.hasParametricStereo)
        writer.write(UInt32(format.surroundConfig), count: 3)
        for start in starts.dropFirst() { writer.write(UInt32(start), count: 12) }
        writer.alignToByte()
        bytes += [0, 0]
        writer.append(to: &bytes)
    }

    /// Writes the Fire code into the first two bytes of a superframe.
    ///
    /// It also covers the start of the first access unit.
    static func protect(_ bytes: inout [UInt8], from start: Int) {
        let value = bytes.withSpan { DABChecksum.fireCode.value($0.extracting(start + 2..<start + protectedByteCount)) }
        bytes[start] = UInt8(value >> 8)
        bytes[start + 1] = UInt8(value & 0xFF)
    }

    /// Returns the range of an access unit in the superframe, including its checksum, or `nil` if it does not fit.
    ///
    /// - Parameter subchannelIndex: The sub-channel bit rate in units of 8000 bit/s.
    func range(ofUnit index: Int, subchannelIndex: Int) -> Range<Int>? {
        let limit = ReedSolomonCode.dataByteCount * subchannelIndex
        let end = index + 1 < starts.count ? starts[index + 1] : limit
        return end >= starts[index] + Self.minimumAccessUnitByteCount && end <= limit ? starts[index]..<end : nil
    }
}
