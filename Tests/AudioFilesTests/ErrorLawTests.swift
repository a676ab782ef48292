// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioFiles
import AudioPrimitives
import PCMFiles
import TestSupport
import Testing

@Suite struct ErrorLawTests {
    /// An error that can't be compared.
    private struct Opaque: Error { var number = 0 }
    /// An error that can be compared, but not hashed.
    private struct Equal: Error, Equatable { var number = 0 }

    /// Errors of several kinds, each of them twice.
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

    @Test func `Errors of files are equal by code, path and cause`() {
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
