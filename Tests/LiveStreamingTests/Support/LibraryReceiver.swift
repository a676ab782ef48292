// SPDX-License-Identifier: Apache-2.0

import LiveStreaming
import Testing

#if os(Linux)
import CStreamingLibraries

/// A receiver based on libsrt in this process.
final class LibraryReceiver {
    private let functions: LinnetSRTFunctions
    private let identifier: Int32

    init(port: Int) throws {
        functions = try #require(linnet_srt_functions()).pointee
        identifier = functions.srt_create_socket()
        var off: Int32 = 0
        _ = functions.srt_setsockflag(identifier, UInt32(LINNET_SRT_RECEIVING_BLOCKS), &off, 4)
        let address = try SocketAddress.resolve("127.0.0.1", port: port, for: .datagrams)[0]
        try #require(address.withPointer { functions.srt_bind(identifier, $0, Int32($1)) } == 0)
        try #require(functions.srt_listen(identifier, 10) == 0)
    }

    deinit { _ = functions.srt_close(identifier) }

    /// Closes all pending connections.
    func closeWaiting() {
        while true {
            let accepted = functions.srt_accept(identifier, nil, nil)
            guard accepted >= 0 else { return }
            _ = functions.srt_close(accepted)
        }
    }

    func accept() async throws -> Accepted? {
        var accepted: Int32 = -1
        _ = try await waitUntil {
            accepted = functions.srt_accept(identifier, nil, nil)
            return accepted >= 0
        }
        return accepted >= 0 ? Accepted(functions: functions, identifier: accepted) : nil
    }

    final class Accepted {
        private let functions: LinnetSRTFunctions
        private let identifier: Int32
        private(set) var packets: [[UInt8]] = []

        init(functions: LinnetSRTFunctions, identifier: Int32) {
            self.functions = functions
            self.identifier = identifier
        }

        deinit { _ = functions.srt_close(identifier) }

        /// The stream ID sent by the caller.
        var streamID: String {
            var bytes = [UInt8](repeating: 0, count: 513)
            var size = Int32(bytes.count)
            _ = functions.srt_getsockflag(identifier, UInt32(LINNET_SRT_STREAM_ID), &bytes, &size)
            return String(decoding: bytes.prefix(Int(size)), as: UTF8.self)
        }

        var latency: Int {
            var (value, size): (Int32, Int32) = (0, 4)
            _ = functions.srt_getsockflag(identifier, UInt32(LINNET_SRT_LATENCY), &value, &size)
            return Int(value)
        }

        func receive() {
            var buffer = [CChar](repeating: 0, count: 1500)
            while true {
                let count = functions.srt_recv(identifier, &buffer, Int32(buffer.count))
                guard count > 0 else { return }
                packets.append(buffer.prefix(Int(count)).map { UInt8(bitPattern: $0) })
            }
        }
    }
}
#endif
