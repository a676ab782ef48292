// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
internal import MPEG4Audio

/// A sample entry of audio: that of MPEG-4 audio (`mp4a`, ISO/IEC 14496-12, 12.2.3; ISO/IEC 14496-14, 6.7), of Apple Lossless (`alac`) or
/// of Opus.
package struct AudioSampleEntry: Equatable {
    static let mpeg4Audio: FourCharCode = "mp4a"
    /// The types of the entries that are read.
    static let types: Set<FourCharCode> = [mpeg4Audio, ALACSpecificBox.type, OpusSpecificBox.sampleEntry]
    /// A box around the configuration in QuickTime files.
    private static let wave: FourCharCode = "wave"

    /// The name of the entry.
    let type: FourCharCode
    package var channelCount = 2
    /// Bits a sample; coded streams other than lossless ones say 16.
    package var bitDepth = 16
    /// The sample rate in hertz, as a hint; the configuration takes precedence.
    ///
    /// 0 for rates that don't fit in 16 bits.
    var sampleRate = 0
    /// The configuration of MPEG-4 audio.
    package var descriptor: ESDescriptorBox?
    /// The configuration of Apple Lossless.
    var alac: ALACSpecificBox?
    /// The configuration of Opus.
    var opus: OpusSpecificBox?

    /// Creates an entry of MPEG-4 audio.
    package init(channelCount: Int, sampleRate: Int, descriptor: ESDescriptorBox) {
        type = Self.mpeg4Audio
        self.channelCount = channelCount
        self.sampleRate = sampleRate
        self.descriptor = descriptor
    }

    /// Creates an entry of Apple Lossless.
    init(_ configuration: ALACConfiguration) {
        type = ALACSpecificBox.type
        channelCount = configuration.channelCount
        bitDepth = configuration.bitDepth
        sampleRate = configuration.sampleRate
        alac = ALACSpecificBox(configuration)
    }

    /// Creates an entry of Opus.
    init(_ configuration: OpusConfiguration) {
        type = OpusSpecificBox.sampleEntry
        channelCount = configuration.channelCount
        sampleRate = OpusConfiguration.sampleRate
        opus = OpusSpecificBox(configuration)
    }

    /// Parses the body of an entry with this name in a description of a version.
    package init(_ type: FourCharCode, version descriptionVersion: Int = 0, parsing cursor: inout ByteCursor) throws(ContainerError) {
        self.type = type
        let version: Int
        (version, channelCount, bitDepth, sampleRate) = try Self.head(&cursor, descriptionVersion)
        if version == 2 { try cursor.skip(36) }
        while case (let type, var body)? = try cursor.nextBox() {
            try take(type, &body)
            guard type == Self.wave else { continue }
            while case (let inner, var innerBody)? = try body.nextBox() {
                try take(inner, &innerBody)
                if inner == ALACSpecificBox.layoutInfo { alac?.appendLayoutInfo(try innerBody.readRest()) }
            }
        }
    }

    /// Parses the fields that all entries begin with, QuickTime's of version 1 included; those of version 2 follow.
    static func head(
        _ cursor: inout ByteCursor, _ descriptionVersion: Int
    ) throws(ContainerError) -> (version: Int, channelCount: Int, bitDepth: Int, sampleRate: Int) {
        try cursor.skip(8)
        let version = try cursor.readInteger(2)
        try cursor.skip(6)
        let (channelCount, bitDepth) = (try cursor.readInteger(2), try cursor.readInteger(2))
        try cursor.skip(4)
        let sampleRate = try cursor.readInteger(2)
        try cursor.skip(version == 1 && descriptionVersion == 0 ? 18 : 2)
        return (version, channelCount, bitDepth, sampleRate)
    }

    /// Parses a box in the entry that has the configuration, the first of its kind.
    private mutating func take(_ type: FourCharCode, _ body: inout ByteCursor) throws(ContainerError) {
        if type == ESDescriptorBox.type, descriptor == nil { descriptor = try ESDescriptorBox(parsing: &body) }
        if type == ALACSpecificBox.type, self.type == type, alac == nil { alac = try ALACSpecificBox(parsing: &body) }
        if type == OpusSpecificBox.type, opus == nil { opus = try OpusSpecificBox(parsing: &body) }
    }

    /// Whether the codec is supported, as far as the entry says.
    var isSupported: Bool { descriptor?.isAAC ?? true }

    /// The configuration of the stream.
    package func configuration() throws(ContainerError) -> CodecConfiguration {
        if type == ALACSpecificBox.type {
            guard let alac else { throw .missingPart(ALACSpecificBox.type) }
            return try CodecConfiguration(alacCookie: alac.cookie)
        }
        if type == OpusSpecificBox.sampleEntry {
            guard let opus else { throw .missingPart(OpusSpecificBox.type) }
            return .opus(opus.configuration)
        }
        guard let descriptor else { throw .missingPart(ESDescriptorBox.type) }
        do {
            return .aac(try AudioSpecificConfig(parsing: descriptor.audioSpecificConfig))
        } catch {
            throw .codec(error)
        }
    }

    /// Writes the entry.
    func write(to writer: inout BoxWriter) {
        writer.box(type) { writer in
            writer.write(repeatElement(0, count: 6))
            writer.write(1, 2)  // data reference
            writer.write(repeatElement(0, count: 8))
            writer.write(channelCount, 2)
            writer.write(bitDepth, 2)
            writer.write(0, 4)
            writer.write(sampleRate > 0xFFFF ? 0 : sampleRate, 2)
            writer.write(0, 2)
            if let alac { writer.write(alac) }
            if let opus { writer.write(opus) }
            guard let descriptor else { return }
            writer.write(descriptor)
            writer.box("btrt") {
                $0.write(descriptor.bufferByteCount, 4)
                $0.write(descriptor.maximumBitRate, 4)
                $0.write(descriptor.averageBitRate, 4)
            }
        }
    }
}
