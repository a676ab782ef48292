// SPDX-License-Identifier: Apache-2.0

package import AudioDevices
internal import AudioPrimitives
internal import PCMFiles

/// Reads a player's sources and feeds the device, on the player's thread.
///
/// Reuses its buffers, and replaces them when the format changes.
package final class PlaybackEngine {
    package typealias Opening = @Sendable (PlaybackConfiguration) throws(DeviceError) -> any PlaybackBackend

    struct Settings: Sendable {
        var bufferDuration: Duration
        var device: String?
        var open: Opening
    }

    /// A source whose audio is in the device's buffer or being written to it.
    private struct Track {
        let entry: PlaybackControl.Entry
        /// The source frame that corresponds to device frame `deviceStart`.
        let sourceStart: Int
        /// The number of frames written to the device before this source, since it was opened or flushed.
        let deviceStart: Int
        var isAtEnd = false
    }

    private static let bufferFrames = 4096
    /// The maximum wait for the device before commands are processed.
    private static let step = Duration.milliseconds(50)
    /// The time that a device may need to play its buffer, beyond the buffer's duration.
    private static let drainMargin = Duration.seconds(10)

    private let control: PlaybackControl
    private let settings: Settings
    private var device: (any PlaybackBackend)?
    /// The previous source's device, until the next one is open.
    private var suspended: (any SystemPlaybackBackend)?
    private var format: PlaybackConfiguration?
    /// The sources from the audible one to the one being read.
    private var tracks: [Track] = []
    /// The next source, if it needs another device configuration.
    private var upcoming: PlaybackControl.Entry?
    private var buffer = PCMBuffer(sampleRate: 48_000, channelCount: 1, frameCapacity: 0)
    /// Interleaved samples.
    ///
    /// The range `unwritten` has not been written.
    private var samples: [Float] = []
    private var unwritten = 0..<0
    /// The number of frames written to the device since it was opened or flushed.
    private var writtenFrames = 0
    /// The number of these frames that have been heard.
    private var heardFrames = 0
    /// Whether a command has paused the device.
    private var hasPaused = false
    /// The number of timeouts while waiting for the device to finish.
    private var drainSteps = 0
    /// The error of a source, reported after all preceding audio has been heard.
    private var failure: DeviceError?

    init(_ control: PlaybackControl, _ settings: Settings) {
        self.control = control
        self.settings = settings
    }

    /// Plays until the queue is empty or a stop command arrives, or returns the error.
    func run() -> DeviceError? {
        do throws(DeviceError) {
            try play()
        } catch {
            failure = failure ?? error
            giveBackAll()
        }
        device?.flush()
        device?.close()
        suspended?.close()
        return failure
    }

    /// Processes commands and transfers audio, step by step.
    private func play() throws(DeviceError) {
        while true {
            let orders = control.dequeueOrders()
            guard !orders.isStopping else { return }
            for _ in 0..<orders.skipCount { try skip() }
            if let time = orders.seekTime { try seek(to: time) }
            setPaused(orders.isPaused)
            if orders.isPaused {
                publish()
                control.wait()
            } else if try fill() {
                try write()
                publish()
            } else if try drain() {
                closeDevice()
                if upcoming == nil, failure != nil || control.endIfEmpty() { return }
            } else {
                publish()
            }
        }
    }

    // MARK: Audio

    /// Reads until there is audio to write, and returns false if the open device has played everything.
    private func fill() throws(DeviceError) -> Bool {
        while unwritten.isEmpty {
            if let last = tracks.last, !last.isAtEnd {
                read(last.entry)
            } else {
                guard failure == nil, try startNext() else { return false }
            }
        }
        return true
    }

    /// Starts reading the next source.
    ///
    /// Returns false if the queue is empty or the source needs another device configuration.
    private func startNext() throws(DeviceError) -> Bool {
        upcoming = upcoming ?? control.dequeue()
        guard let next = upcoming else { return false }
        let wanted = configuration(next.source)
        if device == nil {
            device = try settings.open(wanted)
            suspended?.close()
            suspended = nil
            format = wanted
        } else if wanted != format {
            return false
        }
        if buffer.sampleRate != wanted.sampleRate || buffer.channelCount != wanted.pcm.channelCount || buffer.frameCapacity == 0 {
            buffer = PCMBuffer(
                sampleRate: wanted.sampleRate, channelCount: wanted.pcm.channelCount, frameCapacity: Self.bufferFrames)
        }
        upcoming = nil
        tracks.append(Track(entry: next, sourceStart: next.source.position, deviceStart: writtenFrames))
        return true
    }

    private func configuration(_ source: any PlayableSource) -> PlaybackConfiguration {
        var result = PlaybackConfiguration(
            device: settings.device, sampleRate: source.sampleRate, channelCount: source.channelCount)
        result.channelLayout = source.channelLayout ?? ChannelLayout(usualChannelCount: source.channelCount)
        result.bufferDuration = settings.bufferDuration
        return result
    }

    /// Reads the next block of the last track.
    private func read(_ entry: PlaybackControl.Entry) {
        do {
            try entry.source.read(into: &buffer)
        } catch {
            failure = .playback(error)
            buffer.frameCount = 0
        }
        guard buffer.frameCount > 0 else {
            tracks[tracks.count - 1].isAtEnd = true
            return
        }
        let count = buffer.frameCount * buffer.channelCount
        if samples.count < count { samples = [Float](repeating: 0, count: count) }
        buffer.forEachInterleaved { samples[$0] = $1 }
        unwritten = 0..<count
    }

    /// Writes as much as fits into the device's buffer, waiting up to one step.
    private func write() throws(DeviceError) {
        guard let device else { return }
        let (samples, unwritten) = (samples, unwritten)
        let byteCount = try samples.withSpan { (span) throws(DeviceError) in
            try device.write(span.extracting(unwritten).bytes, timeout: Self.step)
        }
        let count = byteCount / MemoryLayout<Float>.size
        self.unwritten = unwritten.lowerBound + count..<unwritten.upperBound
        writtenFrames += count / buffer.channelCount
        drainSteps = 0
    }

    /// Waits up to one step for the device to finish its buffer.
    ///
    /// Returns whether it has finished or never will.
    private func drain() throws(DeviceError) -> Bool {
        guard let device else { return true }
        guard !device.drain(timeout: Self.step) else {
            // A lost device has not played its buffer.
            if let failure = (device as? any SystemPlaybackBackend)?.failure {
                publish()
                throw failure
            }
            return true
        }
        // An interruption may last arbitrarily long.
        if !device.isInterrupted { drainSteps += 1 }
        return Self.step * drainSteps > settings.bufferDuration + Self.drainMargin
    }

    /// Closes the device after it has played everything.
    private func closeDevice() {
        publish(waitingFrameCount: 0)
        if upcoming != nil, let device = device as? any SystemPlaybackBackend {
            device.suspend()
            suspended = device
        } else {
            device?.close()
        }
        device = nil
        hasPaused = false
        forgetTracks()
    }

    /// Resets the tracks and frame counts.
    private func forgetTracks() {
        tracks.removeAll()
        unwritten = 0..<0
        writtenFrames = 0
        heardFrames = 0
    }

    /// Publishes the audible position and removes the finished tracks.
    private func publish(waitingFrameCount: Int? = nil) {
        heardFrames = max(0, writtenFrames - (waitingFrameCount ?? device?.waitingFrameCount ?? 0))
        while tracks.count > 1, tracks[1].deviceStart <= heardFrames, tracks[0].isAtEnd { tracks.removeFirst() }
        guard let track = tracks.first else { return }
        let source = track.entry.source
        control.publish(
            PlaybackControl.Progress(
                index: track.entry.index, position: .seconds(Double(heardFrame(of: track)) / Double(source.sampleRate)),
                duration: source.frameCount.map { .seconds(Double($0) / Double(source.sampleRate)) },
                isInterrupted: device?.isInterrupted ?? false))
    }

    /// Returns the audible frame of a source.
    private func heardFrame(of track: Track) -> Int { track.sourceStart + max(0, heardFrames - track.deviceStart) }

    // MARK: Orders

    /// Pauses or resumes the device.
    ///
    /// A pause by the system becomes a pause of the player.
    private func setPaused(_ isPaused: Bool) {
        guard let device else { return }
        let wasPaused = device.isPaused
        let isPausedBySystem = wasPaused && !isPaused && !hasPaused
        hasPaused = isPaused || isPausedBySystem
        if isPausedBySystem { return control.isPaused = true }
        guard wasPaused != isPaused else { return }
        if isPaused { publish() }
        device.isPaused = isPaused
    }

    private func skip() throws(DeviceError) {
        publish()
        guard !tracks.isEmpty else {
            if upcoming == nil { _ = control.dequeue() }
            upcoming = nil
            return
        }
        // If the next source is a pipe that has been read already, the end of the current one is played.
        guard try returnSources(to: tracks.dropFirst().map(\.sourceStart), of: tracks.dropFirst()) else { return }
        restart(tracks.dropFirst().map(\.entry))
    }

    private func seek(to time: Duration) throws(DeviceError) {
        if tracks.isEmpty { guard try startNext() else { return } }
        publish()
        guard let source = tracks.first?.entry.source else { return }
        try move(to: min(time.frameCount(atRate: source.sampleRate), source.frameCount ?? .max))
    }

    /// Seeks the audible source to a frame.
    ///
    /// Does nothing if it or a later source that was already read is not seekable.
    private func move(to frame: Int) throws(DeviceError) {
        guard try returnSources(to: [frame] + tracks.dropFirst().map(\.sourceStart), of: tracks[...]) else { return }
        restart(tracks.map(\.entry))
        _ = try startNext()
        publish(waitingFrameCount: 0)
    }

    /// Seeks sources back to frames.
    ///
    /// If one of them is not seekable, restores all positions and returns false.
    private func returnSources(to frames: [Int], of tracks: ArraySlice<Track>) throws(DeviceError) -> Bool {
        do {
            var moved: [(any PlayableSource, Int)] = []
            for (track, frame) in zip(tracks, frames) {
                let source = track.entry.source
                let before = source.position
                guard source.canSeek else {
                    for (source, before) in moved { try source.seek(toFrame: before) }
                    return false
                }
                try source.seek(toFrame: frame)
                moved.append((source, before))
            }
            return true
        } catch {
            throw .playback(error)
        }
    }

    /// Flushes the device and continues with sources, then with those that followed.
    private func restart(_ entries: [PlaybackControl.Entry]) {
        control.giveBack(entries + [upcoming].compactMap(\.self))
        upcoming = nil
        forgetTracks()
        device?.flush()
    }

    /// Returns all unheard audio to the queue after the device was lost.
    private func giveBackAll() {
        let starts = tracks.prefix(1).map(heardFrame) + tracks.dropFirst().map(\.sourceStart)
        _ = try? returnSources(to: starts, of: tracks[...])
        restart(tracks.map(\.entry))
    }
}
