// SPDX-License-Identifier: Apache-2.0

package import MPEG4Audio
internal import TransformCoding

/// The coding tools that one element of an access unit uses (ISO/IEC 14496-3:2009, 4.5.2).
package struct ElementTools: Hashable, Sendable {
    /// The kind of element; `nil` for a coupling channel (CCE).
    package var element: ChannelElement?
    /// `element_instance_tag`, 0 to 15.
    package var instanceTag: Int
    /// The size of the element in bits, without SBR.
    package var bitCount: Int
    /// Whether both channels of a pair share a window (`common_window`).
    package var hasCommonWindow: Bool
    /// The number of M/S bands, in all window groups.
    package var midSideBandCount: Int
    package var channels: [ChannelTools]
    /// The SBR payload; `nil` without one.
    package var sbr: SBRTools?
}

/// The coding tools that one channel uses.
package struct ChannelTools: Hashable, Sendable {
    package var windowSequence: WindowSequence
    package var windowShape: WindowShape
    /// The number of windows in each group; empty for long windows.
    package var groupLengths: [Int]
    /// The number of sent bands per group (`max_sfb`).
    package var bandCount: Int
    /// The number of PNS bands, in all groups.
    package var noiseBandCount: Int
    /// The number of intensity stereo bands, in all groups.
    package var intensityBandCount: Int
    /// The orders of the TNS filters, first window first.
    package var tnsOrders: [Int]
    /// The number of pulses added to lines, 0 to 4.
    package var pulseCount: Int
    /// Whether lines are predicted from previous access units (Main and LTP object types).
    package var isPredicted: Bool
}

/// The content of an SBR payload (ISO/IEC 14496-3:2009, 4.6.18).
package struct SBRTools: Hashable, Sendable {
    /// The variable boundaries of the time grid (`bs_frame_class`).
    package enum FrameClass: String, Hashable, Sendable {
        /// Fixed leading and trailing boundaries, equal envelopes.
        case fixFix = "FIXFIX"
        /// Fixed leading, variable trailing boundary.
        case fixVar = "FIXVAR"
        /// Variable leading, fixed trailing boundary.
        case varFix = "VARFIX"
        /// Variable leading and trailing boundaries.
        case varVar = "VARVAR"
        case lowDelayTransient = "LD_TRAN"
    }

    /// The time grid and sinusoids of one channel.
    package struct Channel: Hashable, Sendable {
        package var frameClass: FrameClass
        /// The number of envelopes, 1 to 5.
        package var envelopeCount: Int
        /// The number of added sinusoids.
        package var sineCount: Int
    }

    /// The size of the payload in bits.
    package var bitCount: Int
    package var isChecked: Bool
    /// Whether the second channel is coded relative to the first.
    package var isCoupled: Bool
    /// The envelopes of each core channel; empty if the payload is damaged or precedes the first header.
    package var channels: [Channel]
    /// Parametric stereo data, if present.
    package var stereo: ParametricStereoTools?
}

/// The content of parametric stereo data (ISO/IEC 14496-3:2009, 8.6.4).
package struct ParametricStereoTools: Hashable, Sendable {
    /// The number of envelopes, 0 to 4.
    package var envelopeCount: Int
    /// The number of intensity difference (IID) bands: 10, 20 or 34; 0 if none are sent.
    package var levelBandCount: Int
    /// The number of coherence (ICC) bands: 10, 20 or 34; 0 if none are sent.
    package var coherenceBandCount: Int
    /// Whether phase differences (IPD and OPD) are sent.
    package var hasPhases: Bool
}
