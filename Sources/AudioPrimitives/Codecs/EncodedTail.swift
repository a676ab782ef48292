// SPDX-License-Identifier: Apache-2.0

/// The end of an encoded stream.
public struct EncodedTail: Hashable, Sendable {
    /// The last access units or packets, possibly none.
    public var units: [AccessUnit]

    /// The priming and padding to trim from the decoded stream.
    public var gapless: GaplessInfo

    package init(units: [AccessUnit], gapless: GaplessInfo) {
        self.units = units
        self.gapless = gapless
    }
}
