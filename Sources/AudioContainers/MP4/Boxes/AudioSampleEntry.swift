// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

/// The sample entry of MPEG-4 audio (`mp4a`, ISO/IEC 14496-12, 12.2.3; ISO/IEC 14496-14, 6.7).
struct AudioSampleEntry: Box, Equatable {
    static let type: FourCharCode = "mp4a"
    /// A box around `esds` in QuickTime files.
    private static let wave: FourCharCode = "wave"

    var channelCount = 2
    /// The sample rate in hertz, as a hint; the configuration takes precedence.
    ///
    /// 0 for rates that don't fit in 16 bits.
    var sampleRate = 0
    var descriptor: ESDescriptorBox?

    /// Creates a box.
    init(channelCount: Int, sampleRate: Int, descriptor: ESDescriptorBox) {
        self.channelCount = channelCount
        self.sampleRate = sampleRate
        self.descriptor = descriptor
    }

    /// Parses the body of the box.
    init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        try cursor.skip(8)
        let version = try cursor.readInteger(2)
        try cursor.skip(6)
        channelCount = try cursor.readInteger(2)
        try cursor.skip(6)
        sampleRate = try cursor.readInteger(2)
        try cursor.skip(2)
        // QuickTime puts more fields here.
        if version == 1 { try cursor.skip(16) }
        if version == 2 { try cursor.skip(36) }
        while case (let type, var body)? = try cursor.nextBox() {
            if type == ESDescriptorBox.type { descriptor = try ESDescriptorBox(parsing: &body) }
            guard type == Self.wave, descriptor == nil else { continue }
            while case (let inner, var innerBody)? = try body.nextBox() {
                if inner == ESDescriptorBox.type { descriptor = try ESDescriptorBox(parsing: &innerBody) }
            }
        }
    }

    /// Writes the body of the box.
    func write(to writer: inout BoxWriter) {
        writer.write(repeatElement(0, count: 6))
        writer.write(1, 2)  // data reference
        writer.write(repeatElement(0, count: 8))
        writer.write(channelCount, 2)
        writer.write(16, 2)  // bits a sample, always said so
        writer.write(0, 4)
        writer.write(sampleRate > 0xFFFF ? 0 : sampleRate, 2)
        writer.write(0, 2)
        guard let descriptor else { return }
        writer.write(descriptor)
        writer.box("btrt") {
            $0.write(descriptor.bufferByteCount, 4)
            $0.write(descriptor.maximumBitRate, 4)
            $0.write(descriptor.averageBitRate, 4)
        }
    }
}
