// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The audio format of the file (`desc`, Core Audio Format specification 1.0).
package struct CAFDescription: Equatable {
    static let type: FourCharCode = "desc"

    /// The output sample rate, in hertz.
    var sampleRate: Double
    /// For example `aac `, `aach` (HE-AAC) or `aacp` (HE-AAC v2).
    var formatID: FourCharCode
    /// Codec-specific flags: the AAC object type, or the bit depth of Apple Lossless.
    var formatFlags = 0
    /// Bytes per access unit, or 0 if variable.
    var bytesPerPacket = 0
    /// Output sample frames per access unit, or 0 if variable.
    package var framesPerPacket: Int
    /// The output channel count.
    var channelsPerFrame: Int

    /// The format IDs of AAC.
    static let aacFormats: Set<FourCharCode> = ["aac ", "aach", "aacp", "aacl", "aace", "aacf", "aacg", "paac", "usac"]
}

extension CAFDescription {
    init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        sampleRate = Double(bitPattern: try cursor.readBits(8))
        formatID = try cursor.readCode()
        formatFlags = try cursor.readInteger(4)
        bytesPerPacket = try cursor.readInteger(4)
        framesPerPacket = try cursor.readInteger(4)
        channelsPerFrame = try cursor.readInteger(4)
        try cursor.skip(4)
    }

    func write(to writer: inout BoxWriter) {
        writer.write(Int(truncatingIfNeeded: sampleRate.bitPattern >> 32), 4)
        writer.write(Int(truncatingIfNeeded: sampleRate.bitPattern), 4)
        writer.write(formatID)
        writer.write(formatFlags, 4)
        writer.write(bytesPerPacket, 4)
        writer.write(framesPerPacket, 4)
        writer.write(channelsPerFrame, 4)
        writer.write(0, 4)
    }
}
