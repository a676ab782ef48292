// SPDX-License-Identifier: Apache-2.0

import Foundation
import LiveStreaming
import TestSupport

/// A receiver of SRT, which stores what arrives byte for byte: `srt-live-transmit`.
final class SRTReceiverProcess {
    private let folder: TemporaryFolder
    private let server: LiveServer

    /// Starts a receiver.
    ///
    /// - Parameter url: The URL in the form of the program, such as `srt://127.0.0.1:9000?mode=listener`.
    init(_ url: String) throws {
        let program = try ProgramRun.require("srt-live-transmit")
        folder = try TemporaryFolder()
        // Without a buffer, which would keep the last bytes back.
        let script = "exec stdbuf -o0 \(program) -q -loglevel:fatal '\(url)' file://con > '\(folder.path("received.ts"))'"
        server = try LiveServer("bash", in: folder, ["-c", script], port: 0)
    }

    deinit { server.kill() }

    /// What has arrived so far.
    var bytes: [UInt8] { (try? TestSupport.bytes(ofFile: folder.path("received.ts"))) ?? [] }

    /// The payloads of the units that have arrived so far.
    var payloads: [[UInt8]] { LiveUnits.payloads(ofTransportStream: bytes) }

    /// Ends the receiver without warning.
    func kill() { server.kill() }

    /// Sends a signal to the receiver.
    func send(_ signal: Int32) { server.send(signal) }
}
