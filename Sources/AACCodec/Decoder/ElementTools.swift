// SPDX-License-Identifier: Apache-2.0

package import MPEG4Audio
internal import TransformCoding

/// The tools of the standard that one element of an access unit uses (ISO/IEC 14496-3:2009, 4.5.2).
package struct ElementTools: Hashable, Sendable {
    /// The kind of element; nil for a coupling channel (CCE).
    package var element: ChannelElement?
    /// Distinguishes elements of a kind, 0 to 15 (`element_instance_tag`).
    package var instanceTag: Int
    /// The number of bits of the element, without SBR.
    package var bitCount: Int
    /// Whether both channels of a pair have common windows (`common_window`).
    package var hasCommonWindow: Bool
    /// The number of bands, of all groups of windows, that are coded as middle and side.
    package var midSideBandCount: Int
    /// The tools of each channel.
    package var channels: [ChannelTools]
    /// Spectral band replication; nil for an element without an SBR payload.
    package var sbr: SBRTools?
}

/// The tools that one channel uses.
package struct ChannelTools: Hashable, Sendable {
    /// The transform lengths.
    package var windowSequence: WindowSequence
    /// The window function.
    package var windowShape: WindowShape
    /// The number of windows in each group; empty for long windows.
    package var groupLengths: [Int]
    /// The number of bands sent in each group (`max_sfb`).
    package var bandCount: Int
    /// The number of bands, of all groups, with perceptual noise substitution (PNS).
    package var noiseBandCount: Int
    /// The number of bands, of all groups, with intensity stereo.
    package var intensityBandCount: Int
    /// The orders of the filters of temporal noise shaping (TNS), those of the first window first.
    package var tnsOrders: [Int]
    /// The number of pulses added to lines, 0 to 4.
    package var pulseCount: Int
    /// Whether lines are predicted from earlier units (Main and LTP object types).
    package var isPredicted: Bool
}

/// The content of an SBR payload (ISO/IEC 14496-3:2009, 4.6.18).
package struct SBRTools: Hashable, Sendable {
    /// Classes of time grids: which boundaries of the frame are variable (`bs_frame_class`).
    package enum FrameClass: String, Hashable, Sendable {
        /// Fixed leading and trailing boundaries, equal envelopes.
        case fixFix = "FIXFIX"
        /// Fixed leading, variable trailing boundary.
        case fixVar = "FIXVAR"
        /// Variable leading, fixed trailing boundary.
        case varFix = "VARFIX"
        /// Variable leading and trailing boundaries.
        case varVar = "VARVAR"
        /// A transient, in low delay SBR.
        case lowDelayTransient = "LD_TRAN"
    }

    /// The envelopes of one channel.
    package struct Channel: Hashable, Sendable {
        /// The class of the time grid.
        package var frameClass: FrameClass
        /// The number of envelopes, 1 to 5.
        package var envelopeCount: Int
        /// The number of sinusoids that are added.
        package var sineCount: Int
    }

    /// The number of bits of the payload.
    package var bitCount: Int
    /// Whether the payload has a checksum.
    package var isChecked: Bool
    /// Whether the second channel holds differences from the first.
    package var isCoupled: Bool
    /// The envelopes of each channel of the core; empty if the payload is damaged, or comes before the first header.
    package var channels: [Channel]
    /// Parametric stereo, if the payload has it.
    package var stereo: ParametricStereoTools?
}

/// The content of parametric stereo data (ISO/IEC 14496-3:2009, 8.6.4).
package struct ParametricStereoTools: Hashable, Sendable {
    /// The number of envelopes, 0 to 4.
    package var envelopeCount: Int
    /// The number of bands of level differences (IID): 10, 20 or 34; 0 if none are sent.
    package var levelBandCount: Int
    /// The number of bands of coherence (ICC): 10, 20 or 34; 0 if none are sent.
    package var coherenceBandCount: Int
    /// Whether phase differences (IPD and OPD) are sent.
    package var hasPhases: Bool
}
