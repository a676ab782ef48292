// SPDX-License-Identifier: Apache-2.0

import Foundation
import LiveStreaming
import TestSupport

/// An SRT receiver that stores the exact stream: `srt-live-transmit`.
final class SRTReceiverProcess {
    private let folder: TemporaryFolder
    private let server: LiveServer

    /// Starts a receiver.
    ///
    /// - Parameter url: The URL in the program's syntax, such as `srt://127.0.0.1:9000?mode=listener`.
    init(_ url: String) throws {
        let program = try ProgramRun.require("srt-live-transmit")
        folder = try TemporaryFolder()
        // Unbuffered, so that the last bytes are written.
        let script = "exec stdbuf -o0 \(program) -q -loglevel:fatal '\(url)' file://con > '\(folder.path("received.ts"))'"
        server = try LiveServer("bash", in: folder, ["-c", script], port: 0)
    }

    deinit { server.kill() }

    /// The data received so far.
    var bytes: [UInt8] { (try? TestSupport.bytes(ofFile: folder.path("received.ts"))) ?? [] }

    /// The payloads received so far.
    var payloads: [[UInt8]] { LiveUnits.payloads(ofTransportStream: bytes) }

    func kill() { server.kill() }

    func send(_ signal: Int32) { server.send(signal) }
}
