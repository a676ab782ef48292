// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

package import LiveAudio

/// A folder of HTTP Live Streaming.
package final class HLSDestination: StreamingDestination {
    package let name: String

    package init(_ folder: HLSFolder) { name = "hls:\(folder.path)" }

    package func connect(_ format: RecordingFormat, abort: ConnectionAbort) throws(StreamingError) -> any StreamingConnection {
        throw .cannotWrite(path: name, code: 0)
    }
}
