// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import CLinnet
public import CLinnetAnalysis
internal import MPEG4Audio

extension linnet_tools {
    /// Sums the tools of an access unit's elements.
    fileprivate init(_ elements: [ElementTools]) {
        self.init()
        for element in elements {
            bits += UInt32(clamping: element.bitCount)
            sbr_bits += UInt32(clamping: element.sbr?.bitCount ?? 0)
            mid_side_bands += UInt32(clamping: element.midSideBandCount)
            for channel in element.channels {
                if channels == 0 { window_sequence = UInt32(channel.windowSequence.rawValue) }
                channels += 1
                if channel.windowSequence == .eightShort { short_channels += 1 }
                bands += UInt32(clamping: channel.bandCount * max(1, channel.groupLengths.count))
                noise_bands += UInt32(clamping: channel.noiseBandCount)
            }
        }
    }
}

/// Returns the tools of the last access unit.
@c @implementation
public func linnet_decoder_tools(_ decoder: OpaquePointer?, _ tools: UnsafeMutablePointer<linnet_tools>?) -> Int32 {
    guard let handle: DecoderHandle = unsafe Handle.object(decoder), let tools = unsafe tools else { return LINNET_ERROR_ARGUMENT.code }
    unsafe tools.pointee = linnet_tools(handle.decoder.aac?.codingTools ?? [])
    return LINNET_OK.code
}
