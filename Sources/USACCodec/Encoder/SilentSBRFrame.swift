// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import TransformCoding

/// A silent frame of enhanced SBR that can replace the frame before another one.
///
/// The envelopes of a frame start at the end of the previous frame's (ISO/IEC 14496-3:2009, 4.6.18.3.3). A decoder that finds a gap can
/// take it for damage: fdk-aac then lowers the high bands for several frames.
struct SilentSBRFrame: ~Copyable {
    private(set) var data: EnhancedSBRData
    private var payload: SBRPayload

    /// Creates a silent frame.
    ///
    /// - Parameters:
    ///   - frame: A frame with the header.
    ///   - channelCount: 1 or 2.
    init(of frame: EnhancedSBRData, channelCount: Int) {
        data = frame
        payload = SBRPayload(silentChannelCount: channelCount)
        payload.syntax.isIndependent = true
    }

    /// Adopts a frame's header and the end of its envelopes.
    mutating func adoptEnds(of frame: EnhancedSBRData) {
        for channel in 0..<payload.channelCount {
            payload.channels[channel].grid.frameClass = frame.ends[channel] == 0 ? .fixFix : .fixVar
            payload.channels[channel].grid.variableEnd = Int(frame.ends[channel])
        }
        data.header = frame.header
        data.set(payload, tables: frame.tables)
    }
}

extension SBRPayload {
    init(silentChannelCount channelCount: Int) {
        self.init(channelCount: channelCount, slotCount: EnhancedSBRData.slotCount)
        for channel in 0..<channelCount { channels[channel].noiseDifferences[0] = Self.lowestNoise }
    }

    /// The level of the lowest noise floor.
    private static var lowestNoise: Int8 { 30 }
}
