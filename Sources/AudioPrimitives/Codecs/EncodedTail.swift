// SPDX-License-Identifier: Apache-2.0

/// The end of an encoded stream.
public struct EncodedTail: Hashable, Sendable {
    /// The last access units or packets, possibly none.
    public var accessUnits: [AccessUnit]

    /// The former name of ``accessUnits``.
    @available(*, deprecated, renamed: "accessUnits")
    public var units: [AccessUnit] { accessUnits }

    /// The priming and padding to trim from the decoded stream.
    public var gapless: GaplessInfo

    package init(accessUnits: [AccessUnit], gapless: GaplessInfo) {
        self.accessUnits = accessUnits
        self.gapless = gapless
    }
}
