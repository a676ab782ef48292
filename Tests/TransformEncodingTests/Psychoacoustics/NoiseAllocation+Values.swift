// SPDX-License-Identifier: Apache-2.0

import TransformEncoding

extension NoiseAllocation {
    /// Creates a rule from some of its values.
    init(
        energyExponent: Float, thresholdExponent: Float, shortExponentOffset: Float, shortNoiseTilt: Float, longNoiseTilt: Float,
        raiseLimit: Float,
        prominenceWeight: Float = 0, onsetExponent: Float, fallWeight: Float = 0, maskingWeight: Float = 0, signalToMaskWeight: Float = 0
    ) {
        self.init()
        self.energyExponent = energyExponent
        self.thresholdExponent = thresholdExponent
        self.shortExponentOffset = shortExponentOffset
        self.shortNoiseTilt = shortNoiseTilt
        self.longNoiseTilt = longNoiseTilt
        self.raiseLimit = raiseLimit
        self.prominenceWeight = prominenceWeight
        self.onsetExponent = onsetExponent
        self.fallWeight = fallWeight
        self.maskingWeight = maskingWeight
        self.signalToMaskWeight = signalToMaskWeight
    }
}
