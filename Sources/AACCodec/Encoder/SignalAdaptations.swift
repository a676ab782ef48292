// SPDX-License-Identifier: Apache-2.0

/// Changes of the encoder for files that its usual choices do not suit, by trial.
///
/// Measured in Search.md#tools-by-trial.
package struct SignalAdaptations: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Short windows for weaker attacks.
    package static let moreShortWindows = SignalAdaptations(rawValue: 1)

    /// Lines instead of PNS.
    package static let noNoiseSubstitution = SignalAdaptations(rawValue: 2)

    /// The single changes of the set.
    package var members: [SignalAdaptations] { [.moreShortWindows, .noNoiseSubstitution].filter { isSuperset(of: $0) } }

    /// The factor of the pre-echo exposure above which windows are short.
    var preEchoFactor: Float { contains(.moreShortWindows) ? 1.0 / 3 : 1 }
}
