// SPDX-License-Identifier: Apache-2.0

/// The window function (`window_shape`, ISO/IEC 14496-3:2009, 4.6.11.3.2).
public enum WindowShape: UInt8, Hashable, Sendable {
    /// A sine half period.
    case sine = 0
    /// The Kaiser-Bessel derived window.
    case kaiserBesselDerived
}
