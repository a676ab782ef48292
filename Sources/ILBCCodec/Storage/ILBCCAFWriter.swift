// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Makes the beginning of a Core Audio Format file with iLBC, whose packets all have the same size (Core Audio Format specification 1.0).
public enum ILBCCAFWriter {
    /// The version of the format.
    private static let version = 1

    /// The size of the header of a chunk: a type of 4 bytes and a length of 8.
    static let chunkHeaderLength = 12

    /// The length of the audio description (`desc`).
    static let descriptionLength = 32

    /// The length of the fields of the packet table (`pakt`).
    static let packetTableLength = 24

    /// Returns the bytes before the first frame; the frames follow, and end the file.
    ///
    /// - Parameters:
    ///   - mode: The mode of all frames.
    ///   - frameCount: The number of frames, or nil while it is not known: the data then reach to the end of the file.
    ///   - primingSamples: Samples to drop at the beginning, such as the delay of the decoder that is expected.
    ///   - remainderSamples: Samples to drop at the end, such as those that filled the last block.
    /// - Returns: The header; without a number of frames, it has no packet table, so that priming and remainder are not stored.
    public static func header(mode: ILBCMode, frameCount: Int?, primingSamples: Int = 0, remainderSamples: Int = 0) -> [UInt8] {
        var bytes = Array("caff".utf8) + bigEndian(version, 2) + bigEndian(0, 2)
        bytes += Array("desc".utf8) + bigEndian(descriptionLength, 8)
        bytes += bigEndian(Int(Double(ILBCMode.sampleRate).bitPattern), 8) + Array("ilbc".utf8)
        // No flags, bytes and samples of a packet, one channel, no bits of a sample.
        for number in [0, mode.bytesPerFrame, mode.samplesPerFrame, 1, 0] { bytes += bigEndian(number, 4) }
        if let frameCount {
            let validSamples = max(0, frameCount * mode.samplesPerFrame - primingSamples - remainderSamples)
            bytes += Array("pakt".utf8) + bigEndian(packetTableLength, 8)
            bytes += bigEndian(frameCount, 8) + bigEndian(validSamples, 8) + bigEndian(primingSamples, 4) + bigEndian(remainderSamples, 4)
        }
        // The data begin with the number of edits; a length of -1 reaches to the end of the file.
        let length = frameCount.map { 4 + $0 * mode.bytesPerFrame } ?? -1
        return bytes + Array("data".utf8) + bigEndian(length, 8) + bigEndian(0, 4)
    }

    /// Returns the lowest bytes of a number, the most significant one first.
    private static func bigEndian(_ value: Int, _ byteCount: Int) -> [UInt8] {
        (0..<byteCount).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
