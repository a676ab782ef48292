// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
package import MPEG4Audio

/// The header at the start of an ADIF file (ISO/IEC 14496-3:2009, 1.A.2.1; ISO/IEC 13818-7, 6.1).
package struct ADIFHeader: Hashable, Sendable {
    /// `copyright_id` (72 bits), or `nil` if absent.
    package var copyrightID: [UInt8]?
    /// `original_copy`.
    package var isOriginal = false
    /// `home`.
    package var isHome = false
    /// Whether the bit rate is variable (`bitstream_type`).
    package var isVariableRate = true
    /// The bit rate in bit/s, or the peak of a variable rate (`bitrate`, 23 bits).
    package var bitRate = 0
    /// The bit reservoir before each program (`adif_buffer_fullness`); constant rate only.
    package var bufferFullness: [Int] = []
    /// The programs; players use the first program.
    package var programConfigs: [ProgramConfigElement]
    /// The size of a parsed header, in bytes.
    package private(set) var byteCount = 0

    private static let magic: UInt32 = 0x4144_4946
    private static let copyrightByteCount = 9

    /// Creates a header with one program and a variable rate.
    package init(programConfig: ProgramConfigElement) { programConfigs = [programConfig] }

    /// Parses the header at the start of `bytes`.
    ///
    /// - Throws: ``ContainerError/noSyncword(offset:)`` or ``ContainerError/truncated(offset:neededBytes:availableBytes:)``.
    package init(parsing bytes: [UInt8]) throws(ContainerError) {
        var reader = BitReader(bytes)
        guard reader.read(32) == Self.magic else { throw .noSyncword(offset: 0) }
        if reader.readFlag() { copyrightID = (0..<Self.copyrightByteCount).map { _ in UInt8(reader.read(8)) } }
        isOriginal = reader.readFlag()
        isHome = reader.readFlag()
        isVariableRate = reader.readFlag()
        bitRate = Int(reader.read(23))
        let count = Int(reader.read(4)) + 1
        programConfigs = []
        for _ in 0..<count {
            if !isVariableRate { bufferFullness.append(Int(reader.read(20))) }
            guard let config = try? ProgramConfigElement(reading: &reader, alignedTo: 0) else {
                throw .truncated(offset: 0, neededBytes: (reader.bitPosition + 7) / 8, availableBytes: bytes.count)
            }
            programConfigs.append(config)
        }
        byteCount = reader.bitPosition / 8
    }

    package func serialized() -> [UInt8] {
        var writer = BitWriter()
        writer.write(Self.magic, count: 32)
        writer.write(copyrightID != nil)
        for byte in copyrightID ?? [] {
            writer.write(UInt32(byte), count: 8)
        }
        writer.write(isOriginal)
        writer.write(isHome)
        writer.write(isVariableRate)
        writer.write(UInt32(bitRate), count: 23)
        writer.write(UInt32(programConfigs.count - 1), count: 4)
        for (index, config) in programConfigs.enumerated() {
            if !isVariableRate { writer.write(UInt32(bufferFullness[index]), count: 20) }
            config.write(to: &writer, alignedTo: 0)
        }
        return writer.bytes
    }

    /// The first program as a decoder configuration.
    ///
    /// Throws if its sample rate index is reserved.
    package var audioSpecificConfig: AudioSpecificConfig {
        get throws(ContainerError) {
            let config = programConfigs[0]
            guard let index = SamplingFrequencyIndex(rawValue: config.samplingFrequencyCode) else {
                throw .codec(.reservedSamplingFrequencyIndex(config.samplingFrequencyCode))
            }
            return AudioSpecificConfig(
                objectType: config.objectType, sampleRate: index.hertz, channelConfiguration: nil,
                generalAudio: GASpecificConfig(programConfig: config))
        }
    }
}
