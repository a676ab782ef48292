// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
package import MPEG4Audio
internal import TransformCoding

/// The contents of an access unit besides its signal.
package struct UnitContents {
    /// The channel elements, without coupling channels.
    package var elements: [ChannelElement] = []
    package var hasCoupling = false
    package var hasSBR = false
    package var hasDamagedSBR = false
    /// Whether it contains data stream elements, or gains or levels of dynamic range control.
    package var hasMetadata = false
}

extension DecoderState {
    /// Parses an access unit.
    ///
    /// The next access unit can be parsed like after ``decode(_:)``, which must not follow.
    ///
    /// - Throws: `CodecError` if the access unit is damaged.
    mutating func parse(_ accessUnit: Span<UInt8>) throws(CodecError) -> UnitContents {
        needsQuantizedLines = true
        try read(accessUnit)
        var contents = UnitContents(elements: layout.slots.map { $0.element })
        contents.hasCoupling = coupling.count > 0 || coupling.hasIgnored
        for index in layout.slots.indices where !elements[index].sbrPayload.isEmpty { contents.hasSBR = true }
        contents.hasDamagedSBR = sbr.hasLoss
        contents.hasMetadata = hasAncillaryData || dynamicRange.count > 0
        sbr.startFrames()
        return contents
    }
}
