// SPDX-License-Identifier: Apache-2.0

extension StreamDescription: CustomStringConvertible {
    /// Eight lines, one per field (the ninth is always 0), with the Core Audio names of the set flags.
    public var description: String {
        """
        Sample Rate: \(sampleRate)
        Format ID: \(formatID.characters)
        Format Flags: \(formatFlagNames.joined(separator: " "))
        Bits per Channel: \(bitsPerChannel)
        Channels per Frame: \(channelsPerFrame)
        Bytes per Frame: \(bytesPerFrame)
        Frames per Packet: \(framesPerPacket)
        Bytes per Packet: \(bytesPerPacket)
        """
    }

    /// The names of the set flags.
    ///
    /// For linear PCM, each bit has a name. For other formats, the number has a name.
    package var formatFlagNames: [String] {
        let value = formatFlags.rawValue
        if formatID == .linearPCM { return formatFlags.linearPCMNames }
        if value == 0 { return [] }
        let names: [UInt32: String] =
            switch formatID {
            case .appleLossless:
                [
                    1: "kAppleLosslessFormatFlag_16BitSourceData", 2: "kAppleLosslessFormatFlag_20BitSourceData",
                    3: "kAppleLosslessFormatFlag_24BitSourceData", 4: "kAppleLosslessFormatFlag_32BitSourceData",
                ]
            case .mpeg4AAC:
                [
                    1: "kMPEG4Object_AAC_Main", 2: "kMPEG4Object_AAC_LC", 3: "kMPEG4Object_AAC_SSR", 4: "kMPEG4Object_AAC_LTP",
                    5: "kMPEG4Object_AAC_SBR", 6: "kMPEG4Object_AAC_Scalable",
                ]
            default: [:]
            }
        return [names[value] ?? "0x" + String(value, radix: 16)]
    }
}

extension FourCharCode {
    /// The four characters without quotes, or the number if they are not printable.
    var characters: String {
        let text = description
        return text.hasPrefix("'") ? String(text.dropFirst().dropLast()) : text
    }
}
