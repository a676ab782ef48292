// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
internal import AACCodec
internal import AudioPrimitives
internal import AudioToolbox

extension CodecDescription {
    /// The system's AAC encoders, in software and hardware.
    ///
    /// Each one is tried: hardware encoders are not in the system's list, but exist if the system can create a converter with them.
    ///
    /// Tested only with a model of Core Audio; see Documentation/Internals/Apple.md.
    static var systemCodecs: [CodecDescription] {
        aacCodecs.filter { $0.kind == .encoder }.flatMap { ours in
            [Maker.appleSoftware, .appleHardware].compactMap { maker -> CodecDescription? in
                let channelCount = min(2, ours.channelCounts.last ?? 1)
                guard
                    let converter = try? SystemConverter(
                        ours.formatID, sampleRate: 44_100, channelCount: channelCount, isHardware: maker.isHardware),
                    let delay = try? converter.primeInfo().leading, let frames = try? converter.framesPerPacket(),
                    let byteCount = try? converter.number(kAudioConverterPropertyMaximumOutputPacketSize, "largest packet")
                else { return nil }
                var description = ours
                description.maker = maker
                description.framesPerPacket = [frames]
                description.maximumPacketByteCountPerChannel = (byteCount + channelCount - 1) / channelCount
                description.delay = [delay]
                do {
                    try converter.setRateControl(.variable(quality: 100))
                } catch {
                    description.quality = nil
                }
                return description
            }
        }
    }
}
#endif
