// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import MPEG4Audio
import TransformCoding

/// Writing of elements that the encoder does not write, and reading without error resilience tools.
extension ChannelPairElement {
    mutating func read(from reader: inout BitReader, bands: ScaleFactorBands, syntax: Syntax) throws(CodecError) {
        var reordering = ReorderedSpectrum(isUsed: false)
        try read(from: &reader, bands: bands, context: .init(syntax: syntax), reordering: &reordering)
    }

    /// Reads a single-channel element as the first channel.
    mutating func readSingle(from reader: inout BitReader, bands: ScaleFactorBands, syntax: Syntax) throws(CodecError) {
        var reordering = ReorderedSpectrum(isUsed: false)
        try readSingle(from: &reader, bands: bands, context: .init(syntax: syntax), reordering: &reordering)
    }

    /// Writes the first channel as a single-channel element.
    func writeSingle(to sink: inout some BitSink, bands: ScaleFactorBands) {
        sink.write(UInt32(instanceTag), count: 4)
        first.write(to: &sink, bands: bands, hasCommonWindow: false)
    }
}

extension DataStreamElement {
    /// Writes an element with up to 510 `bytes`, including its identifier.
    static func write(instanceTag: Int, isAligned: Bool, bytes: Span<UInt8>, to sink: inout some BitSink) {
        sink.write(UInt32(SyntacticElementID.dataStream.rawValue), count: SyntacticElementID.bitCount)
        sink.write(UInt32(instanceTag), count: 4)
        sink.write(isAligned)
        sink.write(UInt32(min(bytes.count, 255)), count: 8)
        if bytes.count >= 255 { sink.write(UInt32(bytes.count - 255), count: 8) }
        if isAligned { sink.alignToByte() }
        for index in bytes.indices {
            sink.write(UInt32(bytes[index]), count: 8)
        }
    }
}

extension CouplingChannelElement {
    mutating func read(from reader: inout BitReader, bands: ScaleFactorBands, syntax: Syntax) throws(CodecError) {
        var reordering = ReorderedSpectrum(isUsed: false)
        try read(from: &reader, bands: bands, context: .init(syntax: syntax), reordering: &reordering)
    }

    /// Writes the element after its identifier.
    ///
    /// Consecutive gains of a list may differ by at most 60.
    func write(to sink: inout some BitSink, bands: ScaleFactorBands) {
        sink.write(UInt32(instanceTag), count: 4)
        sink.write(isIndependentlySwitched)
        sink.write(UInt32(targetCount - 1), count: 3)
        for index in 0..<targetCount {
            sink.write(targets[index].isPair)
            sink.write(UInt32(targets[index].instanceTag), count: 4)
            if targets[index].isPair {
                sink.write(targets[index].isLeft)
                sink.write(targets[index].isRight)
            }
        }
        sink.write(isAfterTNS)
        sink.write(hasGainSigns)
        sink.write(UInt32(gainScale), count: 2)
        stream.write(to: &sink, bands: bands, hasCommonWindow: false)
        let coder = ScaleFactorCoder.shared
        let codewords = coder.codewords.span
        for list in 1..<max(gainListCount, 1) {
            if !isIndependentlySwitched { sink.write(isCommon[list]) }
            if isCommon[list] {
                ScaleFactorCoder.write(Int(gains[list * ICSInfo.bandCapacity]), to: &sink, codewords: codewords)
            } else {
                writeGains(ofList: list, codewords: codewords, to: &sink)
            }
        }
    }

    /// Writes one list of gains, one per band.
    private func writeGains(ofList list: Int, codewords: Span<UInt32>, to sink: inout some BitSink) {
        var last = 0
        for group in 0..<stream.info.groupCount {
            for band in group * ICSInfo.bandStride..<group * ICSInfo.bandStride + stream.info.maxSFB
            where stream.codebooks[band] != BandCodebook.zero {
                let gain = Int(gains[list * ICSInfo.bandCapacity + band])
                ScaleFactorCoder.write(gain - last, to: &sink, codewords: codewords)
                last = gain
            }
        }
    }
}
