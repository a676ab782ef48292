// SPDX-License-Identifier: Apache-2.0

import SystemFiles
internal import SystemLibrary

/// Reports to the service manager, such as systemd, by datagrams to the socket in `NOTIFY_SOCKET`.
struct ServiceNotification {
    /// The path of the socket, or a zero byte and an abstract name.
    private let address: [UInt8]
    private let descriptor: Int32
    /// The time between watchdog messages: half the service manager's limit; `nil` without a limit.
    let interval: Duration?

    /// Reads the environment.
    ///
    /// - Returns: `nil` if no service manager requested reports.
    init?() {
        #if os(Linux)
        guard let name = getenv("NOTIFY_SOCKET") else { return nil }
        var address = Array(PathName.bytes(PathName.decoding(name)).prefix { $0 != 0 }.map { UInt8(bitPattern: $0) })
        guard let first = address.first, address.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { return nil }
        if first == UInt8(ascii: "@") { address[0] = 0 }
        #if canImport(Glibc)
        let type = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
        #else
        let type = SOCK_DGRAM | SOCK_CLOEXEC
        #endif
        descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { return nil }
        self.address = address
        // The variable can be meant for a parent process.
        let process = getenv("WATCHDOG_PID").flatMap { Int32(PathName.decoding($0)) }
        let microseconds = getenv("WATCHDOG_USEC").flatMap { Int64(PathName.decoding($0)) }
        interval = process == nil || process == getpid() ? microseconds.map { .microseconds($0 / 2) } : nil
        #else
        return nil
        #endif
    }

    /// Sends assignments such as `READY=1`, one per line.
    ///
    /// Failures are ignored.
    func send(_ state: String) {
        #if os(Linux)
        var target = sockaddr_un()
        target.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &target.sun_path) { $0.copyBytes(from: address) }
        let length = socklen_t((MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 0) + address.count)
        let text = Array(state.utf8)
        withUnsafePointer(to: &target) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = sendto(descriptor, text, text.count, Int32(MSG_NOSIGNAL), $0, length)
            }
        }
        #endif
    }
}
