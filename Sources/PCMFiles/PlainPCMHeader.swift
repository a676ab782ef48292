// SPDX-License-Identifier: Apache-2.0

internal import AudioMetadata
internal import AudioPrimitives

/// The header of a file with samples without compression.
struct PlainPCMHeader {
    /// The usual name of the container.
    var containerName: String
    /// The format of a sample.
    var encoding: SampleEncoding
    /// The sample rate in hertz.
    var sampleRate: Int
    /// The number of channels.
    var channelCount: Int
    /// The speakers in the order of the file.
    var layout: ChannelLayout?
    /// The size of the samples in bytes; nil to read to the end of the file.
    var declaredByteCount: Int?
    /// Whether the samples end there whatever follows.
    var hasReliableLength = false
    /// Title, artist and so on.
    var tags = AudioTags()

    /// The size of a sample frame in bytes.
    var bytesPerFrame: Int { encoding.byteCount * channelCount }
}
