// SPDX-License-Identifier: Apache-2.0

package import ALACCodec
package import AudioContainers
package import AudioPrimitives

extension ALACEncoder: AudioPacketEncoder {
    package var codecConfiguration: CodecConfiguration { .alac(configuration) }
    package var sampleRate: Int { configuration.sampleRate }
    package var channelCount: Int { configuration.channelCount }
    package var framesPerPacket: Int { configuration.frameLength }
    /// Always 0.
    package var primingFrames: Int { 0 }
    /// Always `nil`: the bit rate depends on the signal.
    package var bitRate: Int? { nil }
    package var applicableBitRates: [ClosedRange<Int>] { [] }

    /// Throws, because the bit rate depends on the signal.
    package func setBitRate(_ bitRate: Int) throws(CodecError) { throw .variableBitRate }
}
