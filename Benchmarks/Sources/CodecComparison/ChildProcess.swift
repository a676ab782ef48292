// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The resources used by one run of a program.
struct Cost {
    /// User and system time of the program and its children, in seconds.
    let processorSeconds: Double
    /// Peak resident memory in bytes.
    ///
    /// At least this program's, because the child is forked from it.
    let peakResidentBytes: Int
}

/// Errors that prevent a measurement.
enum ChildProcessError: Error {
    case cannotStart(program: String, errno: Int32)
    case failed(program: String, status: Int32)
}

/// Runs a program to completion, discards its output, and measures it.
func measure(_ arguments: [String]) throws -> Cost {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)

    var strings: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    strings.append(nil)
    defer { strings.forEach { free($0) } }
    var identifier: pid_t = 0
    let result = posix_spawnp(&identifier, arguments[0], &actions, nil, strings, environ)
    guard result == 0 else { throw ChildProcessError.cannotStart(program: arguments[0], errno: result) }

    var status: Int32 = 0
    var usage = rusage()
    guard wait4(identifier, &status, 0, &usage) == identifier, status == 0 else {
        throw ChildProcessError.failed(program: arguments[0], status: status)
    }
    let seconds = Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
    let microseconds = Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
    #if canImport(Darwin)
    let unit = 1
    #else
    let unit = 1024
    #endif
    return Cost(processorSeconds: seconds + microseconds / 1e6, peakResidentBytes: Int(usage.ru_maxrss) * unit)
}
