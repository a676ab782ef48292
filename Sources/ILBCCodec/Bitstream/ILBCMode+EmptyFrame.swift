// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

extension ILBCMode {
    /// The frame that a file has in the place of a lost one: all bits are 0 but the last, the empty frame indicator (RFC 3951 3.8).
    package var emptyFrame: [UInt8] {
        var frame = FrameParameters(mode: self)
        frame.isEmpty = true
        return frame.packed()
    }
}
