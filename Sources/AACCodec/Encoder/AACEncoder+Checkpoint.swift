// SPDX-License-Identifier: Apache-2.0

package import TransformEncoding

extension AACEncoder {
    /// Starts encoding within a stream, as an encoder that has reached a checkpoint goes on.
    ///
    /// - Parameter checkpoint: The ``checkpoint`` of an encoder with the same configuration.
    /// - Returns: The sample frame from which the input has to be passed; `nil` if no encoder of this configuration has such a checkpoint, and
    ///   then the encoder is at the first frame.
    package func start(at checkpoint: EncoderCheckpoint) -> Int? {
        let frame = start(atUnit: segments.isFirst(checkpoint.unit) ? min(max(checkpoint.unit, 0), Self.largestUnit) : 0)
        if nextFrame > 0, firstFrame == checkpoint.unit, rate.restore(checkpoint) { return frame }
        reset()
        return nil
    }

    /// The largest index of a unit that a stored checkpoint may have, far beyond any stream: its sample frames can be counted.
    private static let largestUnit = Int.max / 8192
}
