// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
internal import MPEG4Audio

/// An audio sample entry: MPEG-4 audio (`mp4a`, ISO/IEC 14496-12, 12.2.3; ISO/IEC 14496-14, 6.7), Apple Lossless (`alac`) or Opus.
package struct AudioSampleEntry: Equatable {
    static let mpeg4Audio: FourCharCode = "mp4a"
    static let types: Set<FourCharCode> = [mpeg4Audio, ALACSpecificBox.type, OpusSpecificBox.sampleEntry]
    /// The box around the configuration in QuickTime files.
    private static let wave: FourCharCode = "wave"

    let type: FourCharCode
    package var channelCount = 2
    /// Bits per sample, or 16 for lossy codecs.
    package var bitDepth = 16
    /// The sample rate in hertz, or 0 above 65 535 Hz; the configuration takes precedence.
    var sampleRate = 0
    /// The MPEG-4 audio configuration.
    package var descriptor: ESDescriptorBox?
    var alac: ALACSpecificBox?
    var opus: OpusSpecificBox?

    /// Creates an MPEG-4 audio entry.
    package init(channelCount: Int, sampleRate: Int, descriptor: ESDescriptorBox) {
        type = Self.mpeg4Audio
        self.channelCount = channelCount
        self.sampleRate = sampleRate
        self.descriptor = descriptor
    }

    init(_ configuration: ALACConfiguration) {
        type = ALACSpecificBox.type
        channelCount = configuration.channelCount
        bitDepth = configuration.bitDepth
        sampleRate = configuration.sampleRate
        alac = ALACSpecificBox(configuration)
    }

    init(_ configuration: OpusConfiguration) {
        type = OpusSpecificBox.sampleEntry
        channelCount = configuration.channelCount
        sampleRate = OpusConfiguration.sampleRate
        opus = OpusSpecificBox(configuration)
    }

    /// Parses the body of an entry of the given type.
    ///
    /// `descriptionVersion` is the version of the enclosing `stsd`.
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

    /// Parses the fields common to all entries and the additional ones of QuickTime version 1, but not those of version 2.
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

    /// Parses a box of the entry if it is the first configuration of its kind.
    private mutating func take(_ type: FourCharCode, _ body: inout ByteCursor) throws(ContainerError) {
        if type == ESDescriptorBox.type, descriptor == nil { descriptor = try ESDescriptorBox(parsing: &body) }
        if type == ALACSpecificBox.type, self.type == type, alac == nil { alac = try ALACSpecificBox(parsing: &body) }
        if type == OpusSpecificBox.type, opus == nil { opus = try OpusSpecificBox(parsing: &body) }
    }

    /// Whether the codec is supported, judging by the entry.
    var isSupported: Bool { descriptor?.isAAC ?? true }

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
        if let profile = descriptor.mpeg2Profile, sampleRate > 0 {
            return .aac(
                AudioSpecificConfig(
                    objectType: AudioObjectType(rawValue: profile), sampleRate: sampleRate,
                    channelConfiguration: ChannelConfiguration(channelCount: channelCount)))
        }
        do {
            return .aac(try AudioSpecificConfig(parsing: descriptor.audioSpecificConfig))
        } catch {
            throw .codec(error)
        }
    }

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
