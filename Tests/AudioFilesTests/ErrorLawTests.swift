// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioFiles
import AudioPrimitives
import PCMFiles
import TestSupport
import Testing

@Suite struct ErrorLawTests {
    /// An error that is not Equatable.
    private struct Opaque: Error { var number = 0 }
    /// An error that is Equatable but not Hashable.
    private struct Equal: Error, Equatable { var number = 0 }

    /// Several kinds of errors, each twice.
    private static let causes: [any Error] =
        (0..<2).flatMap { _ in
            [
                CodecError.fixedBandwidth(.lowDelay), CodecError.fixedBandwidth(.lowComplexity),
                CodecError.unsupportedVersion(1, maximum: 0),
                Opaque(number: 0),
                Opaque(number: 1), Equal(number: 0), Equal(number: 1), AudioFileError(.damagedInput, path: "a"),
                AudioFileError(.damagedInput, path: "b"),
            ] as [any Error]
        }

    @Test func `File errors are equal if code, path and cause are equal`() {
        let errors = (Self.causes + [nil, nil]).flatMap { cause in
            ["a", "b"].flatMap { path in
                [
                    AudioFileError(.damagedInput, path: path, underlying: cause),
                    AudioFileError(.cannotOpen(systemCode: 2), path: path, underlying: cause),
                ]
            }
        }
        let violations = ValueLaws.equalityViolations(errors)
        #expect(violations.isEmpty, "\(violations.prefix(3))")
    }
}
