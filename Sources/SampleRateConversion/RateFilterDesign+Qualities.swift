// SPDX-License-Identifier: Apache-2.0

// The filters of the qualities of a conversion; Documentation/Guides/Conversion.md has what was measured for each.
extension RateFilterDesign {
    /// The shortest filter; aliases.
    package static var minimum: RateFilterDesign { RateFilterDesign(passBand: 0.6, attenuation: 50) }
    /// 16 bits, with a wide transition band.
    package static var low: RateFilterDesign { RateFilterDesign(passBand: 0.68, attenuation: 100) }
    /// 16 bits.
    package static var medium: RateFilterDesign { RateFilterDesign(passBand: 0.87, attenuation: 100) }
    /// 20 bits.
    package static var high: RateFilterDesign { RateFilterDesign(passBand: 0.913, attenuation: 125) }
    /// 28 bits.
    package static var maximum: RateFilterDesign { RateFilterDesign(passBand: 0.913, attenuation: 175) }

    /// The filters, from the shortest to the most precise one.
    package static var qualities: [RateFilterDesign] { [minimum, low, medium, high, maximum] }
}
