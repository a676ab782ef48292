// SPDX-License-Identifier: Apache-2.0

// The filters of the conversion qualities. Documentation/Guides/Conversion.md lists measurements of each.
extension RateFilterDesign {
    /// The shortest filter, with aliasing.
    package static var minimum: RateFilterDesign { RateFilterDesign(passBand: 0.6, attenuation: 50) }
    /// 16 bits, with a wide transition band.
    package static var low: RateFilterDesign { RateFilterDesign(passBand: 0.68, attenuation: 100) }
    /// 16 bits, with a narrow transition band.
    package static var medium: RateFilterDesign { RateFilterDesign(passBand: 0.87, attenuation: 100) }
    /// 20 bits of precision.
    package static var high: RateFilterDesign { RateFilterDesign(passBand: 0.913, attenuation: 125) }
    /// 28 bits of precision.
    package static var maximum: RateFilterDesign { RateFilterDesign(passBand: 0.913, attenuation: 175) }

    /// The filters in ascending order of quality.
    package static var qualities: [RateFilterDesign] { [minimum, low, medium, high, maximum] }
}
