// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives
internal import PCMFiles

/// The error of a codec that could not decode an access unit.
public struct CodecDamage: Error {
    /// The codec's error, such as `CodecError`.
    public let underlyingError: any Error

    /// Wraps the error of a codec.
    package init(_ error: any Error) { underlyingError = error }
}

extension CodecDamage: DescribedError {
    /// The text of the codec's error.
    public var description: String { String(describing: underlyingError) }
}

extension CodecDamage: Hashable {
    /// Whether two errors of codecs are the same.
    public static func == (left: CodecDamage, right: CodecDamage) -> Bool { left.underlyingError.isSame(as: right.underlyingError) }

    /// Hashes the codec's error.
    public func hash(into hasher: inout Hasher) { hasher.combine(underlyingError as? AnyHashable) }
}
