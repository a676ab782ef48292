// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Errors that prevent a measurement.
enum ListenerError: Error {
    case cannotStart(String)
    case cannotWrite(String)
}

/// A shell command whose output is monitored for bursts.
final class Listener {
    let name: String
    /// The detection times of bursts, in seconds of the monotonic clock.
    private(set) var onsets: [Double] = []
    /// The ratio of processor time to elapsed time since the start or ``beginMeasuring()``.
    ///
    /// Set at the end.
    private(set) var processorShare = 0.0

    private var watcher: any OnsetWatcher
    private let descriptor: Int32
    private let identifier: pid_t
    private var measuredFrom = Listener.now
    private var secondsBefore = 0.0

    init(_ name: String, _ command: String, _ watcher: any OnsetWatcher) throws {
        self.name = name
        self.watcher = watcher
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw ListenerError.cannotStart(name) }
        descriptor = ends[0]
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addclose(&actions, ends[1])
        // A separate process group, so that a pipeline can be terminated as a whole.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        let arguments = ["/bin/bash", "-c", command]
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { (word: String) in strdup(word) }
        words.append(nil)
        defer { for word in words { free(word) } }
        var identifier = pid_t()
        guard posix_spawn(&identifier, "/bin/bash", &actions, &attributes, &words, environ) == 0 else {
            throw ListenerError.cannotStart(name)
        }
        self.identifier = identifier
        close(ends[1])
    }

    static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Monitors all listeners for a time.
    static func listen(_ listeners: [Listener], seconds: Double) {
        let end = now + seconds
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while now < end {
            var questions = listeners.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
            guard poll(&questions, nfds_t(questions.count), 100) > 0 else { continue }
            let time = now
            for (listener, question) in zip(listeners, questions) where question.revents & Int16(POLLIN) != 0 {
                let count = read(listener.descriptor, &buffer, buffer.count)
                if count > 0, listener.watcher.accept(buffer[..<count]) { listener.onsets.append(time) }
            }
        }
    }

    /// Starts the measurement, excluding the processor time used so far.
    func beginMeasuring() {
        secondsBefore = processorSeconds
        measuredFrom = Self.now
    }

    /// Terminates the command, and stores its processor time including its children.
    func end() {
        processorShare = (processorSeconds - secondsBefore) / (Listener.now - measuredFrom)
        kill(-identifier, SIGTERM)
        // Pending output must not block the pipeline's exit.
        close(descriptor)
        var status: Int32 = 0
        waitpid(identifier, &status, 0)
    }

    /// The processor time of all programs of the command, from `/proc`, because a terminated pipeline does not report it.
    private var processorSeconds: Double {
        guard let folder = opendir("/proc") else { return 0 }
        defer { closedir(folder) }
        var ticks = 0
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard Int(name) != nil, let file = fopen("/proc/\(name)/stat", "r") else { continue }
            defer { fclose(file) }
            var line = [CChar](repeating: 0, count: 1024)
            guard fgets(&line, 1023, file) != nil else { continue }
            // After the name in parentheses: state, parent, group, ... The times are fields 14 and 15 of the whole line.
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
            guard fields.count > 12, Int(fields[2]) == Int(identifier) else { continue }
            ticks += (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0)
        }
        return Double(ticks) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}
