// SPDX-License-Identifier: Apache-2.0

import SystemFiles
internal import SystemLibrary

/// Reports to the service manager that has started the program, such as systemd: datagrams to the socket that `NOTIFY_SOCKET` names.
struct ServiceNotification {
    /// The path of the socket; a zero byte first for a name outside the file system.
    private let address: [UInt8]
    private let descriptor: Int32
    /// The time between two signs of life: half of what the service manager waits for one; nil if it does not wait.
    let interval: Duration?

    /// Reads the environment.
    ///
    /// - Returns: Nil if no service manager has asked for reports, or the system has none.
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
        // The variable may be meant for a parent process.
        let process = getenv("WATCHDOG_PID").flatMap { Int32(PathName.decoding($0)) }
        let microseconds = getenv("WATCHDOG_USEC").flatMap { Int64(PathName.decoding($0)) }
        interval = process == nil || process == getpid() ? microseconds.map { .microseconds($0 / 2) } : nil
        #else
        return nil
        #endif
    }

    /// Sends assignments such as `READY=1`, one a line; a service manager that is gone misses them.
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
