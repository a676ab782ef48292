// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
package import LiveAudio
internal import Synchronization
internal import SystemLibrary

/// A folder of HTTP Live Streaming.
package final class HLSDestination: ServerDestination {
    /// The position of a variant stream in a master playlist.
    struct MasterEntry {
        /// The master playlist.
        let file: HLSMasterFile
        /// The position.
        let index: Int
        /// The name of the media playlist, relative to the master playlist.
        let name: String
    }

    package let name: String
    private let folder: HLSFolder
    private let entry: MasterEntry
    /// The stream, which connections share.
    private let stream = Mutex<HLSStream?>(nil)

    /// Creates a destination.
    ///
    /// - Parameters:
    ///   - folder: The folder and the form of its segments.
    ///   - clock: Returns the date and time in seconds since 1970.
    package convenience init(_ folder: HLSFolder, clock: @escaping @Sendable () -> Double = HLSDestination.systemTime) {
        let master = HLSMasterFile(folder: folder.path, variantCount: 1, clock: clock)
        self.init(folder, MasterEntry(file: master, index: 0, name: HLSFileNames.playlist))
    }

    /// Creates a destination with a place in a master playlist.
    init(_ folder: HLSFolder, _ entry: MasterEntry) {
        name = "hls:\(folder.path)"
        self.folder = folder
        self.entry = entry
    }

    /// The rules of folders: a queue is the segment that is not complete, and no sign of a network that is too slow.
    package var rules: DeliveryRules {
        var rules = DeliveryRules()
        // Twice the duration of what has to be kept until it stands in a file; a folder on demand is complete or a failure.
        rules.leastQueueDuration =
            folder.playlistKind == .onDemand ? .seconds(Int32.max) : (folder.partDuration ?? folder.segmentDuration) * 2 + .seconds(1)
        rules.needsAllUnits = folder.playlistKind == .onDemand
        rules.limitsBitRate = false
        // Only parts are short enough that half a second matters.
        rules.sendsAtOnce = folder.partDuration != nil
        return rules
    }

    /// Prepares the folder; after a failure, units that stand in no file are sent again.
    package func connect(_ format: RecordingFormat, abort: ConnectionAbort) throws(StreamingError) -> any StreamingConnection {
        try stream.withLock { stream throws(StreamingError) -> HLSStream in
            if let stream {
                try stream.reopen()
                return stream
            }
            let new = try HLSStream(folder, format, entry)
            try new.open()
            stream = new
            return new
        }
    }

    /// Returns the date and time of the system in seconds since 1970.
    package static func systemTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
