// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
package import LiveAudio
internal import Synchronization
internal import SystemLibrary

/// An HTTP Live Streaming folder.
package final class HLSDestination: ServerDestination {
    /// The position of a variant stream in a master playlist.
    struct MasterEntry {
        let file: HLSMasterFile
        let index: Int
        /// The media playlist's name, relative to the master playlist.
        let name: String
    }

    package let name: String
    private let folder: HLSFolder
    private let entry: MasterEntry
    /// The stream, shared by all connections.
    private let stream = Mutex<HLSStream?>(nil)

    /// Creates a destination with its own master playlist.
    ///
    /// - Parameter clock: Returns the wall-clock time in seconds since 1970.
    package convenience init(_ folder: HLSFolder, clock: @escaping @Sendable () -> Double = HLSDestination.systemTime) {
        let master = HLSMasterFile(folder: folder.path, variantCount: 1, clock: clock)
        self.init(folder, MasterEntry(file: master, index: 0, name: HLSFileNames.playlist))
    }

    /// Creates a destination listed in a master playlist.
    init(_ folder: HLSFolder, _ entry: MasterEntry) {
        name = "hls:\(folder.path)"
        self.folder = folder
        self.entry = entry
    }

    /// The rules for folders.
    ///
    /// A queue is the incomplete segment; it does not indicate a slow network.
    package var rules: DeliveryRules {
        var rules = DeliveryRules()
        // Twice the duration that stays in memory until it is written. An on-demand folder never discards any.
        rules.minimumQueueDuration =
            folder.playlistKind == .onDemand ? .seconds(Int32.max) : (folder.partDuration ?? folder.segmentDuration) * 2 + .seconds(1)
        rules.needsAllUnits = true
        rules.limitsBitRate = false
        rules.accessPointInterval = folder.segmentDuration
        // Half a second matters only for parts.
        rules.sendsAtOnce = folder.partDuration != nil
        return rules
    }

    /// Prepares the folder.
    ///
    /// After a failure, access units that were not written to a file are sent again.
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

    /// Returns the wall-clock time in seconds since 1970.
    package static func systemTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
