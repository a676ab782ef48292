// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
package import TransformCoding

/// A channel that is mixed into others (`coupling_channel_element`, ISO/IEC 14496-3:2009, 4.4.2.1 and 4.6.8.3).
package struct CouplingChannelElement: ~Copyable {
    /// An element that the channel is mixed into.
    package struct Target: BitwiseCopyable {
        package var isPair = false
        /// The target's `element_instance_tag`.
        package var instanceTag = 0
        /// Whether the left channel of a pair has its own gains (`cc_l`).
        package var isLeft = false
        /// Whether the right channel of a pair has its own gains (`cc_r`).
        ///
        /// If neither channel has, both share one list.
        package var isRight = false

        var gainListCount: Int { isPair && isLeft && isRight ? 2 : 1 }
    }

    /// `element_instance_tag`, 0 to 15.
    package var instanceTag = 0

    /// The size of the element in bits.
    ///
    /// Set after reading.
    var bitCount = 0

    /// Whether samples are mixed, with one gain per list, instead of lines (`ind_sw_cce_flag`).
    package var isIndependentlySwitched = false

    /// The number of targets, 1 to 8.
    package var targetCount = 1

    package var targets = FixedArray<Target>(repeating: Target(), count: 8)

    /// Whether lines are mixed after the target's TNS (`cc_domain`).
    package var isAfterTNS = false

    /// Whether the lowest bit of a band's gain is its sign (`gain_element_sign`).
    package var hasGainSigns = false

    /// The step of gains: 2^(1/8), 2^(1/4), 2^(1/2), or 2 (`gain_element_scale`, 0 to 3).
    package var gainScale = 0

    package var stream: IndividualChannelStream

    /// Attenuations in gain steps, with the sign still in the lowest bit.
    ///
    /// The first list is all zero.
    ///
    /// The index is `list * ICSInfo.bandCapacity + band`.
    package var gains = FixedArray<Int16>(repeating: 0, count: maximumGainListCount * ICSInfo.bandCapacity)

    /// Whether each list has one gain for all bands.
    package var isCommon = FixedArray<Bool>(repeating: true, count: maximumGainListCount)

    /// The maximum number of gain lists: two for each of eight targets.
    static let maximumGainListCount = 16

    /// Creates a silent element.
    package init(frameLength: Int) { stream = IndividualChannelStream(frameLength: frameLength) }

    /// The total number of gain lists, 1 to ``maximumGainListCount``.
    package var gainListCount: Int {
        var count = 0
        for index in 0..<targetCount { count += targets[index].gainListCount }
        return count
    }

    /// Reads the element after its identifier.
    package mutating func read(
        from reader: inout BitReader, bands: ScaleFactorBands, context: IndividualChannelStream.Context,
        reordering: inout ReorderedSpectrum
    ) throws(CodecError) {
        instanceTag = Int(reader.read(4))
        isIndependentlySwitched = reader.readFlag()
        targetCount = Int(reader.read(3)) + 1
        for index in 0..<targetCount {
            var target = Target()
            target.isPair = reader.readFlag()
            target.instanceTag = Int(reader.read(4))
            if target.isPair {
                target.isLeft = reader.readFlag()
                target.isRight = reader.readFlag()
            }
            targets[index] = target
        }
        isAfterTNS = reader.readFlag()
        hasGainSigns = reader.readFlag()
        gainScale = Int(reader.read(2))
        try stream.read(from: &reader, bands: bands, context: context, reordering: &reordering)
        readGains(from: &reader)
        guard !reader.hasOverrun else { throw .truncated(byteCount: reader.bitCount / 8) }
    }

    /// Reads the gain lists.
    ///
    /// The first is implicit.
    private mutating func readGains(from reader: inout BitReader) {
        let coder = ScaleFactorCoder.shared
        let entries = coder.decodingEntries.span
        for list in 1..<max(gainListCount, 1) {
            isCommon[list] = isIndependentlySwitched || reader.readFlag()
            var gain = isCommon[list] ? ScaleFactorCoder.read(from: &reader, entries: entries) : 0
            for group in 0..<stream.info.groupCount {
                for band in group * ICSInfo.bandStride..<group * ICSInfo.bandStride + stream.info.maxSFB {
                    if !isCommon[list] && stream.codebooks[band] != BandCodebook.zero {
                        gain += ScaleFactorCoder.read(from: &reader, entries: entries)
                    }
                    gains[list * ICSInfo.bandCapacity + band] = Int16(gain)
                }
            }
        }
    }

    /// Returns the gain of a band in a list.
    ///
    /// Common lists ignore the band.
    package func factor(list: Int, band: Int) -> Float {
        guard list > 0 else { return 1 }
        var steps = Int(gains[list * ICSInfo.bandCapacity + band])
        var sign: Float = 1
        if hasGainSigns && !isCommon[list] {
            sign = steps & 1 == 0 ? 1 : -1
            steps >>= 1
        }
        // Steps of 1/8, 1/4, 1/2 or 1 octave.
        return sign * PortableMath.exp2(-Float(steps << gainScale) / 8)
    }
}
