// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import Linnet

@main
struct LinnetCommand {
    static func main() {
        print("linnet \(LinnetVersion.current)")
    }
}
