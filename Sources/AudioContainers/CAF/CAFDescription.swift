// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The audio format of the file (`desc`, Core Audio Format specification 1.0).
package struct CAFDescription: Equatable {
    static let type: FourCharCode = "desc"
    static let byteCount = 32

    /// Hertz of the output.
    var sampleRate: Double
    /// `aac `, `aach` or `aacp` for the three kinds of AAC.
    var formatID: FourCharCode
    /// Kind of codec, or of PCM.
    var formatFlags = 0
    /// Bytes of a unit; 0: they differ.
    var bytesPerPacket = 0
    /// Sample frames of the output in a unit; 0: they differ.
    package var framesPerPacket: Int
    /// Channels of the output.
    var channelsPerFrame: Int

    /// The codes that stand for AAC.
    static let aacFormats: Set<FourCharCode> = ["aac ", "aach", "aacp", "aacl", "aace", "aacf", "aacg", "paac", "usac"]
}

extension CAFDescription {
    /// Parses the body of the chunk.
    init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        sampleRate = Double(bitPattern: try cursor.readBits(8))
        formatID = try cursor.readCode()
        formatFlags = try cursor.readInteger(4)
        bytesPerPacket = try cursor.readInteger(4)
        framesPerPacket = try cursor.readInteger(4)
        channelsPerFrame = try cursor.readInteger(4)
        try cursor.skip(4)
    }

    /// Writes the body of the chunk.
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
