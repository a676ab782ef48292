// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import MPEG4Audio

/// The tools of the standard that one element of an access unit uses (ISO/IEC 14496-3:2009, 4.5.2).
public struct ElementTools: Hashable, Sendable {
    /// The kind of element; nil for a coupling channel (CCE).
    public var element: ChannelElement?
    /// Tells elements of a kind apart, 0 to 15.
    public var instanceTag: Int
    /// Bits of the element, without band replication.
    public var bitCount: Int
    /// Whether both channels of a pair are divided alike.
    public var hasCommonWindow: Bool
    /// Bands, of all groups of windows, that are coded as middle and side.
    public var midSideBandCount: Int
    /// One a channel.
    public var channels: [ChannelTools]
    /// Spectral band replication; nil for an element without a payload of it.
    public var replication: ReplicationTools?
}

/// The tools that one channel uses.
public struct ChannelTools: Hashable, Sendable {
    /// The transform lengths.
    public var windowSequence: WindowSequence
    /// The window function.
    public var windowShape: WindowShape
    /// Windows of each group; only for eight short windows.
    public var groupLengths: [Int]
    /// Bands that are sent in each group (`max_sfb`).
    public var bandCount: Int
    /// Bands, of all groups, filled with noise (PNS).
    public var noiseBandCount: Int
    /// Bands, of all groups, taken from the other channel (intensity stereo).
    public var intensityBandCount: Int
    /// Orders of the filters of temporal noise shaping, those of the first window first.
    public var noiseShapingOrders: [Int]
    /// Pulses added to lines, 0 to 4.
    public var pulseCount: Int
    /// Whether lines are predicted from earlier units (Main and LTP).
    public var isPredicted: Bool
}

/// What a payload of spectral band replication says (ISO/IEC 14496-3:2009, 4.6.18).
public struct ReplicationTools: Hashable, Sendable {
    /// How the borders of envelopes are fixed (`bs_frame_class`).
    public enum FrameClass: String, Hashable, Sendable {
        /// Both ends of the frame, and equal envelopes.
        case fixFix = "FIXFIX"
        /// The start.
        case fixVar = "FIXVAR"
        /// The end.
        case varFix = "VARFIX"
        /// None.
        case varVar = "VARVAR"
    }

    /// The envelopes of one channel.
    public struct Channel: Hashable, Sendable {
        /// How borders are fixed.
        public var frameClass: FrameClass
        /// Envelopes, 1 to 5.
        public var envelopeCount: Int
        /// Sines that are added.
        public var sineCount: Int
    }

    /// Bits of the payload.
    public var bitCount: Int
    /// Whether the payload has a checksum.
    public var isChecked: Bool
    /// Whether the second channel holds differences from the first.
    public var isCoupled: Bool
    /// One a channel of the core; none if the payload is damaged, or comes before the first header.
    public var channels: [Channel]
    /// Parametric stereo, if the payload has it.
    public var stereo: StereoTools?
}

/// What parametric stereo says (ISO/IEC 14496-3:2009, 8.6.4).
public struct StereoTools: Hashable, Sendable {
    /// Envelopes, 0 to 4.
    public var envelopeCount: Int
    /// Bands of level differences: 10, 20 or 34; 0 if none are sent.
    public var levelBandCount: Int
    /// Bands of coherence: 10, 20 or 34; 0 if it isn't sent.
    public var coherenceBandCount: Int
    /// Whether phase differences are sent.
    public var hasPhases: Bool
}
