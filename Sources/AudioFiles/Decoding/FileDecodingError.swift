// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AACCodec

/// What stops a file from being decoded.
public enum FileDecodingError: Error, Hashable, Sendable {
    /// The configuration asks for something that the decoder lacks.
    case unsupported(path: String, AACError)
    /// No unit could be decoded; the first one failed by this reason.
    case nothingDecodable(path: String, AACError)
    /// The stream changes its sample rate, in hertz, and what follows can't be brought back to the one it began with.
    case rateChange(path: String, from: Int, to: Int)
    /// The file wants its sound played in another order than it lies there, or parts of it again.
    case rearranged(path: String)
    /// There is no access unit at all.
    case noAccessUnits(path: String)
}

extension FileDecodingError: CustomStringConvertible {
    /// One line: what could not be decoded, and why.
    public var description: String {
        switch self {
        case .unsupported(let path, let error): "\(path) can't be decoded: it has \(error)"
        case .nothingDecodable(let path, let error): "nothing in \(path) can be decoded; the first unit has a fault: \(error)"
        case .rateChange(let path, let old, let new):
            "\(path) changes from \(old) Hz to \(new) Hz, and libsoxr, which could convert it, is missing"
        case .rearranged(let path):
            "\(path) has an edit list that plays parts of it in another order or repeatedly"
        case .noAccessUnits(let path): "\(path) holds no AAC that can be found"
        }
    }
}
