// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

extension ILBCMode {
    /// The bytes at the beginning of a file: `#!iLBC20` or `#!iLBC30` and a line feed (RFC 3952 4.1).
    public var magicNumber: [UInt8] {
        self == .milliseconds20 ? Array("#!iLBC20\n".utf8) : Array("#!iLBC30\n".utf8)
    }

    /// The number of bytes of the magic number of either mode.
    static let magicNumberLength = 9

    /// The frame that a file has in the place of a lost one: all bits are 0 but the last, the empty frame indicator (RFC 3951 3.8).
    public var emptyFrame: [UInt8] {
        var frame = FrameParameters(mode: self)
        frame.isEmpty = true
        return frame.packed()
    }
}
