// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
package import MPEG4Audio

/// The configuration of a LATM stream with one program and one layer (`StreamMuxConfig`, ISO/IEC 14496-3:2009, 1.7.3).
package struct StreamMuxConfig: Hashable, Sendable {
    /// The signalling of payload lengths.
    package enum FrameLength: Hashable, Sendable {
        /// A length precedes each payload (`frameLengthType` 0). `bufferFullness` is `latmBufferFullness`, 255 for a variable rate.
        case variable(bufferFullness: Int)
        /// All payloads have the same length, 20 to 531 bytes (`frameLengthType` 1).
        case fixed(byteCount: Int)
    }

    /// The syntax version, 0 or 1 (`audioMuxVersion`).
    ///
    /// In version 1, the configuration's length precedes it.
    package var audioMuxVersion = 0
    /// Access units per `AudioMuxElement`, 1 to 64 (`numSubFrames` + 1).
    package var accessUnitCount = 1
    package var configuration: AudioSpecificConfig
    package var frameLength = FrameLength.variable(bufferFullness: 255)
    /// The number of bits of other data after the payloads (`otherDataLenBits`).
    package var otherDataBitCount = 0
    /// A checksum of this configuration (`crcCheckSum`).
    ///
    /// It is read and written but not verified: no stream with a checksum was available for testing.
    package var checksum: UInt8?

    /// The smallest fixed length, coded as 0.
    private static let fixedOffset = 20

    /// Creates a configuration with one access unit per element.
    package init(_ configuration: AudioSpecificConfig) { self.configuration = configuration }

    /// Reads a configuration.
    ///
    /// - Throws: ``ContainerError/unsupportedMultiplex(_:)`` unless the stream has one program with one layer.
    package init(reading reader: inout BitReader) throws(ContainerError) {
        audioMuxVersion = Int(reader.read(1))
        if audioMuxVersion == 1 {
            guard !reader.readFlag() else { throw .unsupportedMultiplex(.futureVersion) }
            _ = Self.readValue(&reader)
        }
        guard reader.readFlag() else { throw .unsupportedMultiplex(.separateTiming) }
        accessUnitCount = Int(reader.read(6)) + 1
        let programCount = Int(reader.read(4)) + 1
        let layerCount = Int(reader.read(3)) + 1
        guard programCount == 1, layerCount == 1 else {
            throw .unsupportedMultiplex(.severalStreams(programs: programCount, layers: layerCount))
        }
        configuration = try Self.readConfiguration(&reader, hasLength: audioMuxVersion == 1)
        switch reader.read(3) {
        case 0: frameLength = .variable(bufferFullness: Int(reader.read(8)))
        case 1: frameLength = .fixed(byteCount: Int(reader.read(9)) + Self.fixedOffset)
        case let type: throw .unsupportedMultiplex(.frameLengthType(Int(type)))
        }
        if reader.readFlag() {
            otherDataBitCount = audioMuxVersion == 1 ? Self.readValue(&reader) : Self.readEscapedLength(&reader)
        }
        if reader.readFlag() { checksum = UInt8(reader.read(8)) }
        guard !reader.hasOverrun else { throw Self.truncated(reader) }
    }

    /// Reads the `AudioSpecificConfig`, in version 1 after its length.
    private static func readConfiguration(_ reader: inout BitReader, hasLength: Bool) throws(ContainerError) -> AudioSpecificConfig {
        do throws(CodecError) {
            guard hasLength else {
                let configuration = try AudioSpecificConfig(reading: &reader)
                // Without a length, the end is known only for object types with a known syntax.
                guard configuration.generalAudio != nil || configuration.enhancedLowDelay != nil else {
                    throw .unsupportedObjectType(configuration.objectType.rawValue)
                }
                return configuration
            }
            let length = readValue(&reader)
            guard length <= reader.bitsRemaining else {
                throw .truncatedConfiguration(availableBits: reader.bitsRemaining, neededBits: length)
            }
            return try AudioSpecificConfig(parsing: reader.readBytes(bitCount: length))
        } catch {
            throw .codec(error)
        }
    }

    package func write(to sink: inout some BitSink) {
        sink.write(audioMuxVersion == 1)
        if audioMuxVersion == 1 {
            // audioMuxVersionA
            sink.write(false)
            Self.writeValue(0xFF, to: &sink)
        }
        sink.write(true)
        sink.write(UInt32(accessUnitCount - 1), count: 6)
        sink.write(0, count: 4 + 3)
        if audioMuxVersion == 1 {
            var counter = BitCounter()
            configuration.write(to: &counter)
            Self.writeValue(counter.bitCount, to: &sink)
        }
        configuration.write(to: &sink)
        switch frameLength {
        case .variable(let bufferFullness):
            sink.write(0, count: 3)
            sink.write(UInt32(bufferFullness), count: 8)
        case .fixed(let byteCount):
            sink.write(1, count: 3)
            sink.write(UInt32(byteCount - Self.fixedOffset), count: 9)
        }
        sink.write(otherDataBitCount > 0)
        if otherDataBitCount > 0 { writeOtherDataLength(to: &sink) }
        sink.write(checksum != nil)
        if let checksum { sink.write(UInt32(checksum), count: 8) }
    }

    /// Writes `otherDataLenBits`, as the version requires.
    private func writeOtherDataLength(to sink: inout some BitSink) {
        if audioMuxVersion == 1 { return Self.writeValue(otherDataBitCount, to: &sink) }
        let digits = Self.digits(otherDataBitCount)
        for (index, digit) in digits.enumerated() {
            sink.write(index + 1 < digits.count)
            sink.write(digit, count: 8)
        }
    }

    /// Reads a number of one to four bytes (`LatmGetValue`).
    static func readValue(_ reader: inout BitReader) -> Int {
        let byteCount = Int(reader.read(2)) + 1
        return Int(clamping: (0..<byteCount).reduce(UInt32(0)) { value, _ in value << 8 | reader.read(8) })
    }

    /// Writes a number of one to four bytes (`LatmGetValue`).
    private static func writeValue(_ value: Int, to sink: inout some BitSink) {
        let digits = digits(value)
        sink.write(UInt32(digits.count - 1), count: 2)
        for digit in digits {
            sink.write(digit, count: 8)
        }
    }

    /// Returns the significant bytes of a number below 2³², at least one.
    private static func digits(_ value: Int) -> [UInt32] {
        let bytes: [UInt32] = [24, 16, 8, 0].map { UInt32(truncatingIfNeeded: value >> $0) & 0xFF }
        let first = bytes.firstIndex { $0 != 0 } ?? 3
        return Array(bytes[first...])
    }

    /// Reads a number of up to four bytes, each preceded by a flag that signals another byte.
    private static func readEscapedLength(_ reader: inout BitReader) -> Int {
        var value = 0
        for _ in 0..<4 {
            let goesOn = reader.readFlag()
            value = value << 8 | Int(reader.read(8))
            if !goesOn { break }
        }
        return value
    }

    /// Returns the error for a truncated `StreamMuxConfig`.
    static func truncated(_ reader: BitReader) -> ContainerError {
        .truncated(offset: 0, neededBytes: (reader.bitPosition + 7) / 8, availableBytes: reader.bitCount / 8)
    }
}
