// SPDX-License-Identifier: Apache-2.0

import TransformEncoding

extension NoiseAllocation {
    /// Creates a rule from some of its values.
    init(
        energyExponent: Float, thresholdExponent: Float, shortExponentOffset: Float, shortTilt: Float, longTilt: Float, raiseLimit: Float,
        prominenceShare: Float = 0, onsetExponent: Float, fallShare: Float = 0, maskingShare: Float = 0, signalToMaskShare: Float = 0
    ) {
        self.init()
        self.energyExponent = energyExponent
        self.thresholdExponent = thresholdExponent
        self.shortExponentOffset = shortExponentOffset
        self.shortTilt = shortTilt
        self.longTilt = longTilt
        self.raiseLimit = raiseLimit
        self.prominenceShare = prominenceShare
        self.onsetExponent = onsetExponent
        self.fallShare = fallShare
        self.maskingShare = maskingShare
        self.signalToMaskShare = signalToMaskShare
    }
}
