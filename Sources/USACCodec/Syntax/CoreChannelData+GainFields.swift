// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

extension CoreChannelData {
    /// Returns the field of a frequency-domain channel that was read.
    ///
    /// The level and the scale factor offset of noise filling are relative to the scale factors.
    ///
    /// - Parameter hasNoise: Whether the element uses noise filling.
    func gainField(hasNoise: Bool) -> GainFields.Field {
        var (lower, upper) = (-globalGain, 255 - globalGain)
        for group in 0..<windows.groupCount {
            for band in group * WindowDivision.bandStride..<group * WindowDivision.bandStride + windows.maxSFB {
                lower = max(lower, -Int(scaleFactors[band]))
                upper = min(upper, 255 - Int(scaleFactors[band]))
            }
        }
        var field = GainFields.Field(bit: globalGainBit, changes: min(lower, 0)...max(upper, 0))
        field.isSilent = windows.maxSFB == 0 || (!hasNoise || noiseLevel == 0) && isZero
        return field
    }

    private var isZero: Bool {
        for line in lines.indices where lines[line] != 0 { return false }
        return true
    }
}
