// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
package import LiveAudio

/// A receiver of MPEG-TS over SRT.
///
/// The receiver's SRT stack acknowledges all data; unacknowledged data is sent again over the next connection. A receiver that stops loses
/// acknowledged audio that it has not delivered yet, up to the latency. A receiver skips packets that arrive too late without reporting it.
package final class SRTDestination: ServerDestination {
    package let name: String

    private let address: SRTAddress
    private let timeout: Duration
    private let origin: Int64

    /// - Parameters:
    ///   - address: The receiver's address, or the local address of a listener.
    ///   - timeout: The time limit per step. A listener waits for receivers without limit.
    ///   - origin: The clock reference at presentation time 0, in units of 1/90 000 s.
    package init(_ address: SRTAddress, timeout: Duration, origin: Int64 = 0) {
        self.address = address
        self.timeout = timeout
        self.origin = origin
        name = address.connectionURL
    }

    /// Connects to the receiver, or waits for one.
    package func connect(_ format: RecordingFormat, abort: ConnectionAbort) throws(StreamingError) -> any StreamingConnection {
        #if os(Linux)
        let writer: TransportStreamWriter<MemorySink>
        do throws(ContainerError) {
            writer = try TransportStreamWriter(
                to: MemorySink(), format.configuration, options: TransportStreamWriterOptions(startTimeStamp: origin))
        } catch {
            throw .unsupportedFormat(reason: "MPEG-TS cannot carry the stream: \(error)")
        }
        let addresses = try SocketAddress.resolve(address.host, port: address.port, for: .datagrams)
        let socket = address.mode == .caller ? try call(addresses, abort: abort) : try listen(addresses, abort: abort)
        var isOpus = false
        if case .opus = format.configuration { isOpus = true }
        return SRTConnection(socket, writer: writer, heldUnitCount: isOpus ? 2 : 1, timeout: timeout, abort: abort)
        #else
        throw .libraryMissing(library: "libsrt", package: "libsrt1.5-gnutls (Linux only)")
        #endif
    }

    #if os(Linux)
    /// Connects to the first address that accepts.
    private func call(_ addresses: [SocketAddress], abort: ConnectionAbort) throws(StreamingError) -> SRTSocket {
        let end = ContinuousClock.now + timeout
        var failure = StreamingError.timedOut(.connect, after: timeout)
        for (index, address) in addresses.enumerated() {
            // An address without a receiver never refuses, so each address gets an equal part of the time.
            let share = ContinuousClock.now.duration(to: end) / (addresses.count - index)
            let socket = try makeSocket(timeout: share)
            do throws(StreamingError) {
                if try socket.connect(to: address, until: ContinuousClock.now + share, abort: abort) { return socket }
            } catch {
                if error == .aborted { throw error }
                failure = error
            }
        }
        throw failure
    }

    /// Waits for a receiver.
    private func listen(_ addresses: [SocketAddress], abort: ConnectionAbort) throws(StreamingError) -> SRTSocket {
        var failure = StreamingError.invalidAddress(name, reason: "no local address to listen on")
        // The IPv6 wildcard address also covers IPv4.
        for address in addresses.filter(\.isIPv6) + addresses.filter({ !$0.isIPv6 }) {
            let socket = try makeSocket(timeout: timeout)
            do throws(StreamingError) {
                try socket.listen(at: address)
            } catch {
                failure = error
                continue
            }
            return try socket.accept(abort: abort)
        }
        throw failure
    }

    private func makeSocket(timeout: Duration) throws(StreamingError) -> SRTSocket {
        try SRTSocket(address, sendBufferPacketCount: SRTConnection.bufferedPacketCount, timeout: max(timeout, .milliseconds(1)))
    }
    #endif
}
