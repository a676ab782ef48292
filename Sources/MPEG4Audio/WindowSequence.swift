// SPDX-License-Identifier: Apache-2.0

/// The transform lengths of a block and its windows (`window_sequence`, ISO/IEC 14496-3:2009, 4.6.11).
///
/// Public so that other modules can inline comparisons. As a package type it costs the encoder 1 to 2 % more instructions.
public enum WindowSequence: UInt8, Hashable, Sendable {
    /// One long transform with two long slopes.
    case onlyLong = 0
    /// One long transform with a short falling slope.
    case longStart
    /// Eight short transforms.
    case eightShort
    /// One long transform with a short rising slope.
    case longStop
    /// One long transform with two short slopes: in xHE-AAC, coded as ``longStart`` after a short slope (ISO/IEC 23003-3).
    case stopStart
}
