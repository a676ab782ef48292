// SPDX-License-Identifier: Apache-2.0

import LiveStreaming
import SystemFiles

/// Gives the title in a file to destinations, whenever the file changes.
final class TitleWatcher {
    private let path: String
    private let streams: [StreamingSink]
    private var modificationTime: Int?

    /// Watches a file from its current state on.
    init(path: String, streams: [StreamingSink]) {
        self.path = path
        self.streams = streams
        modificationTime = (try? FileStatus(of: path))?.modified
    }

    /// Sets the title if the file has changed; a file that is missing for a moment changes nothing.
    func poll() {
        guard let time = (try? FileStatus(of: path))?.modified, time != modificationTime, let title = try? TextFile.firstLine(path) else {
            return
        }
        modificationTime = time
        for stream in streams { stream.title = title }
    }
}
