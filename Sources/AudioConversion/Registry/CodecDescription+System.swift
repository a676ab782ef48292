// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if canImport(Darwin)
internal import AudioPrimitives

extension CodecDescription {
    /// The encoders of AAC that the system has, in software and in hardware.
    ///
    /// Each is tried: hardware encoders are not in the system's list, but exist where a converter can be made by them.
    static var systemCodecs: [CodecDescription] {
        aacCodecs.filter { $0.kind == .encoder }.flatMap { ours in
            [Maker.appleSoftware, .appleHardware].compactMap { maker -> CodecDescription? in
                let channelCount = min(2, ours.channelCounts.last ?? 1)
                guard
                    let converter = try? SystemConverter(
                        ours.formatID, sampleRate: 44_100, channelCount: channelCount, isHardware: maker.isHardware),
                    let delay = try? converter.primingFrames()
                else { return nil }
                var description = ours
                description.maker = maker
                description.quality = nil
                description.delay = [delay]
                return description
            }
        }
    }
}
#endif
