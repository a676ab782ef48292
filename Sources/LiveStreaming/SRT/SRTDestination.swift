// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

package import LiveAudio

/// A receiver of MPEG-TS over SRT.
package final class SRTDestination: StreamingDestination {
    package let name: String

    package init(_ address: SRTAddress, timeout: Duration) { name = "srt://\(address.host):\(address.port)" }

    package func connect(_ format: RecordingFormat, abort: ConnectionAbort) throws(StreamingError) -> any StreamingConnection {
        throw .libraryMissing(library: "libsrt", package: "libsrt1.5-gnutls")
    }
}
extension SRTAddress { package init?(_ url: String) { return nil } }
