// SPDX-License-Identifier: Apache-2.0

import Linnet

/// Moves the access units of a file to another container, unchanged.
func remuxFile(_ input: String, _ output: String) async throws {
    // snippet: remux-file
    let summary = try await FileRemuxer(input: input, output: output).run()
    print(summary.accessUnitCount, "access units")
    // end
}
