// SPDX-License-Identifier: Apache-2.0

import LiveStreaming
import SystemFiles

/// A watcher that sends the title in a file to destinations when the file changes.
final class TitleWatcher {
    private let path: String
    private let streams: [StreamingSink]
    private var modificationTime: Int?

    /// Watches a file, starting with its current state.
    init(path: String, streams: [StreamingSink]) {
        self.path = path
        self.streams = streams
        modificationTime = (try? FileStatus(of: path))?.modified
    }

    /// Sets the title if the file has changed.
    ///
    /// A missing file changes nothing.
    func poll() {
        guard let time = (try? FileStatus(of: path))?.modified, time != modificationTime, let title = try? TextFile.firstLine(path) else {
            return
        }
        modificationTime = time
        for stream in streams { stream.title = title }
    }
}
