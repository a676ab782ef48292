// SPDX-License-Identifier: Apache-2.0

public import MPEG4Audio

/// Errors of the USAC decoder.
public enum USACError: Error, Hashable, Sendable {
    /// The configuration is not one of USAC: its object type.
    case unsupportedObjectType(Int)
    /// The access unit has no bytes.
    case emptyAccessUnit
    /// The access unit is longer than any valid one.
    case accessUnitTooLong(byteCount: Int, maximum: Int)
    /// The bits end before the frame does; it needs at least `neededBits` of them.
    case truncated(availableBits: Int, neededBits: Int)
    /// More bits are left after the last element than fill a byte.
    case excessBits(Int)
    /// A channel sends more bands than its windows have.
    case tooManyBands(Int, available: Int)
    /// A scale factor is outside 0 to 255.
    case scaleFactorOutOfRange(Int)
    /// The arithmetic code of a spectrum is damaged.
    case invalidSpectrum
    /// The frame continues from one that was damaged or is missing.
    case missingReference
    /// A reserved mode of linear prediction.
    case reservedMode(Int)
    /// A codebook number of the lattice quantiser is above the largest one.
    case codebookNumberOutOfRange(Int, maximum: Int)
    /// The linear prediction domain at a rate of the core, in hertz, that it is not defined for.
    case unsupportedCoreRate(Int)
    /// An extension is longer than the rest of the access unit, in bytes.
    case extensionTooLong(byteCount: Int)
    /// The data of enhanced SBR is damaged.
    case invalidSBRData
    /// The data of MPEG Surround is damaged.
    case invalidSurroundData
    /// The configuration within an audio pre-roll is damaged.
    case invalidConfiguration(MPEG4AudioError)
}
