// SPDX-License-Identifier: Apache-2.0

package import TransformEncoding

extension AACEncoder {
    /// Resumes encoding within a stream from a checkpoint.
    ///
    /// - Parameter checkpoint: The ``checkpoint`` of an encoder with the same configuration.
    /// - Returns: The index of the first sample frame to pass, or `nil` if the checkpoint is not valid for this configuration. The encoder
    ///   is then reset to the first frame.
    package func start(at checkpoint: EncoderCheckpoint) -> Int? {
        let frame = start(
            atUnit: segments.isFirst(checkpoint.accessUnitIndex) ? min(max(checkpoint.accessUnitIndex, 0), Self.maximumAccessUnitIndex) : 0)
        if nextFrame > 0, firstFrame == checkpoint.accessUnitIndex, rate.restore(checkpoint) { return frame }
        reset()
        return nil
    }

    /// The highest access unit index accepted from a stored checkpoint.
    ///
    /// Its sample index does not overflow.
    private static let maximumAccessUnitIndex = Int.max / 8192
}
