// SPDX-License-Identifier: Apache-2.0

internal import AudioMetadata
internal import AudioPrimitives

/// The header of a file with uncompressed samples.
struct PlainPCMHeader {
    /// The container's name, such as `WAV`.
    var containerName: String
    var encoding: SampleEncoding
    var sampleRate: Int
    var channelCount: Int
    /// The channel layout in file order.
    var layout: ChannelLayout?
    /// The size of the samples, in bytes, or `nil` to read to the end of the file.
    var declaredByteCount: Int?
    /// The alignment of a chunk after the samples, in bytes.
    var chunkAlignment = 2
    /// Whether the samples end at ``declaredByteCount``, whatever follows.
    var hasReliableLength = false
    var tags = AudioTags()
    /// The number of valid bits per sample, if fewer than all.
    var validBitCount: Int?

    var bytesPerFrame: Int { encoding.byteCount * channelCount }
}
