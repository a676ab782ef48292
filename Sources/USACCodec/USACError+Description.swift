// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives
internal import MPEG4Audio

extension USACError: DescribedError {
    /// One line with the values that are wrong, and those that are right.
    public var description: String {
        switch self {
        case .unsupportedObjectType(let type): "object type \(type) is not USAC, which is 42"
        case .emptyAccessUnit: "the access unit has no bytes"
        case .accessUnitTooLong(let count, let maximum): "the access unit has \(count) bytes; more than \(maximum) are none of USAC"
        case .truncated(let available, let needed): "the access unit ends after \(available) bits; it needs at least \(needed)"
        case .excessBits(let count): "\(count) bits are left after the last element, more than fill a byte"
        case .tooManyBands(let count, let available): "\(count) bands are coded where windows have \(available)"
        case .scaleFactorOutOfRange(let value): "a scale factor is \(value), outside the range 0…255"
        case .invalidSpectrum: "the arithmetic code of a spectrum is damaged"
        case .missingReference: "the unit continues from one that is damaged or missing"
        case .reservedMode(let mode): "the mode \(mode) of linear prediction is reserved"
        case .codebookNumberOutOfRange(let number, let maximum):
            "a codebook number of the lattice quantizer is \(number), above \(maximum)"
        case .unsupportedCoreRate(let rate): "linear prediction is not defined for a core at \(rate) Hz, only for 6000…24000 Hz"
        case .extensionTooLong(let count): "an extension of \(count) bytes is longer than the rest of the access unit"
        case .invalidSBRData: "the data of spectral band replication is damaged"
        case .invalidSurroundData: "the data of MPEG Surround is damaged"
        case .invalidConfiguration(let error): "the configuration in the access unit is damaged: \(error)"
        }
    }
}
