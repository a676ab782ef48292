// SPDX-License-Identifier: Apache-2.0

/// An audio stream of a transport stream.
package struct TransportStreamChoice: Hashable, Sendable {
    let program: UInt16
    let pid: Int
    /// The three letters of an ISO 639-2 code, or `nil` if unknown.
    let language: [UInt8]?
}
