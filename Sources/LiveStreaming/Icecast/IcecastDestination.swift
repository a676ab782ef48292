// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

package import LiveAudio

/// A receiver of ADTS.
package final class IcecastDestination: StreamingDestination {
    package let name: String

    package init(_ address: IcecastAddress, timeout: Duration) { name = "icecast://\(address.host):\(address.port)" }

    package func connect(_ format: RecordingFormat, abort: ConnectionAbort) throws(StreamingError) -> any StreamingConnection {
        throw .libraryMissing(library: "libshout", package: "libshout3")
    }
}
extension IcecastAddress { package init?(_ url: String) { return nil } }
