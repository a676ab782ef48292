// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A build on a machine that lacks the headers of libraries.
@Suite struct MissingHeaderTests {
    @Test(
        "A build without the headers of a library names the packages that have them",
        arguments: [
            ("CEchoCanceller/CEchoCanceller.cpp", ["libspeexdsp-dev", "libwebrtc-audio-processing-dev"]),
            ("CPCMLibraries/include/CPCMLibraries.h", ["libflac-dev", "libmpg123-dev", "libsndfile1-dev", "libsoxr-dev"]),
            ("CLinuxAudio/include/CLinuxAudio.h", ["libasound2-dev", "libpulse-dev"]),
        ])
    func packages(file: String, packages: [String]) throws {
        let shims = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources/CShims").standardized
        let own = ["CEchoCanceller", "CRuntimeLibraries"].flatMap { ["-I", shims.appending(path: $0 + "/include").path] }
        // Without the folders of the system only the headers of the package are found.
        let arguments = ["clang", "-fsyntax-only", "-nostdinc", "-nostdinc++"] + own
        let result = try Shell.run("/usr/bin/env", arguments + [shims.appending(path: file).path])
        #expect(result.status != 0 && packages.allSatisfy { result.output.contains($0) }, "\(result.output)")
    }
}
