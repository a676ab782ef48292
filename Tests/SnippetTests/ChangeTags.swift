// SPDX-License-Identifier: Apache-2.0

import Linnet

/// Copies a file with changed tags.
func changeTags(_ input: String, _ output: String, picture: String) async throws {
    // snippet: change-tags
    var configuration = FileRemuxerConfiguration()
    configuration.tags.title = "Gnossienne"
    configuration.tags[.artist] = ["Erik Satie", "Reinbert de Leeuw"]
    configuration.tags["LOCATION"] = ["Utrecht"]
    configuration.tags.cover = try AudioTags.Picture(path: picture)
    try await FileRemuxer(input: input, output: output, configuration: configuration).run()
    print(try AudioTags(contentsOf: output).title ?? "")
    // end
}
