// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

extension ILBCMode {
    /// The frame stored in files for a lost one, in which only the last bit (the empty frame indicator) is set (RFC 3951, 3.8).
    package var emptyFrame: [UInt8] {
        var frame = FrameParameters(mode: self)
        frame.isEmpty = true
        return frame.packed()
    }
}
