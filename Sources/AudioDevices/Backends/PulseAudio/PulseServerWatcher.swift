// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
internal import CLinuxAudio

/// Reports server events outside the stream: added and removed devices, default devices, and mute.
///
/// All methods must be called under the connection's lock.
final class PulseServerWatcher: PulseUserData, @unchecked Sendable {
    private let connection: PulseConnection
    private let input: CaptureInput
    private var sources: [UInt32: AudioDevice] = [:]
    private var defaults: (source: String?, sink: String?) = (nil, nil)
    /// The record stream's index.
    private var output: UInt32 = .max
    private var isSourceMuted = false
    private var isOutputMuted = false
    /// The reported mute state; `nil` before the first report.
    private var isMuted: Bool?

    /// The captured source's index.
    private var source: UInt32 = .max
    private var hasUnreportedMove = false

    /// Called with the new default output's identifier, before the notice.
    var onDefaultOutput: ((String) -> Void)?
    /// Called when a program's stream or an output has changed.
    ///
    /// Set before ``begin(sources:defaults:source:output:)``. A move changes only the outputs on PipeWire.
    var onPlayback: (() -> Void)?

    private var pulse: UnsafePointer<LinnetPulseFunctions> { connection.pulse }

    init(_ connection: PulseConnection, input: CaptureInput) {
        self.connection = connection
        self.input = input
    }

    /// Starts reporting events.
    ///
    /// - Parameters:
    ///   - sources: The sources before the stream was opened.
    ///   - defaults: The default devices before the stream was opened.
    ///   - source: The index of the stream's source; `UInt32.max` for none.
    ///   - output: The index of the stream; `UInt32.max` for none.
    func begin(
        sources: [PulseDevice], defaults: (source: String?, sink: String?), source: UInt32 = .max, output: UInt32 = .max
    ) {
        for device in sources { self.sources[device.index] = device.device }
        self.defaults = defaults
        self.source = source
        self.output = output
        isSourceMuted = sources.first { $0.index == source }?.isMuted ?? false
        pulse.pointee.pa_context_set_subscribe_callback(
            connection.context, { @Sendable _, kind, index, this in PulseServerWatcher.from(this)?.changed(kind.rawValue, index: index) },
            userData)
        var mask =
            PA_SUBSCRIPTION_MASK_SOURCE.rawValue | PA_SUBSCRIPTION_MASK_SERVER.rawValue | PA_SUBSCRIPTION_MASK_SOURCE_OUTPUT.rawValue
        if onPlayback != nil { mask |= PA_SUBSCRIPTION_MASK_SINK.rawValue | PA_SUBSCRIPTION_MASK_SINK_INPUT.rawValue }
        connection.release(pulse.pointee.pa_context_subscribe(connection.context, pa_subscription_mask_t(mask), nil, nil))
        // A server can restore the mute of a stream.
        if output == .max { setMuted(source: isSourceMuted, output: false) } else { requestStream() }
        // Catches changes between these queries and the subscription.
        requestDefaults()
        connection.release(pulse.pointee.pa_context_get_source_info_list(connection.context, Self.receiveSource, userData))
    }

    /// Sets the index of the stream's source after a move.
    func follow(source: UInt32) {
        self.source = source
        requestSource(source)
    }

    /// Follows and reports a move by the server.
    ///
    /// The server answers in order, so a new default that caused the move is reported before it.
    func reportMove(to source: UInt32) {
        hasUnreportedMove = true
        requestDefaults()
        follow(source: source)
    }

    /// Stops reporting events.
    func end() { pulse.pointee.pa_context_set_subscribe_callback(connection.context, nil, nil) }

    /// Returns a source's display name.
    func name(ofSource id: String) -> String? { sources.values.first { $0.id == id }?.name }

    private func changed(_ event: UInt32, index: UInt32) {
        let facility = event & PA_SUBSCRIPTION_EVENT_FACILITY_MASK.rawValue
        let isRemoval = event & PA_SUBSCRIPTION_EVENT_TYPE_MASK.rawValue == PA_SUBSCRIPTION_EVENT_REMOVE.rawValue
        switch facility {
        case PA_SUBSCRIPTION_EVENT_SERVER.rawValue: requestDefaults()
        case PA_SUBSCRIPTION_EVENT_SINK.rawValue, PA_SUBSCRIPTION_EVENT_SINK_INPUT.rawValue: onPlayback?()
        case PA_SUBSCRIPTION_EVENT_SOURCE.rawValue where isRemoval:
            if let device = sources.removeValue(forKey: index) { input.report(.deviceRemoved(id: device.id)) }
        case PA_SUBSCRIPTION_EVENT_SOURCE.rawValue: requestSource(index)
        case PA_SUBSCRIPTION_EVENT_SOURCE_OUTPUT.rawValue where index == output && !isRemoval: requestStream()
        default: break
        }
    }

    private func requestDefaults() {
        connection.release(
            pulse.pointee.pa_context_get_server_info(
                connection.context,
                { @Sendable _, info, this in
                    guard let info = info?.pointee else { return }
                    PulseServerWatcher.from(this)?.updateDefaults(
                        source: info.default_source_name.map { String(cString: $0) },
                        sink: info.default_sink_name.map { String(cString: $0) })
                }, userData))
    }

    /// Reports changed default devices.
    private func updateDefaults(source id: String?, sink: String?) {
        if let id, id != defaults.source {
            defaults.source = id
            input.report(.defaultChanged(id: id))
        }
        if let sink, sink != defaults.sink {
            defaults.sink = sink
            onDefaultOutput?(sink)
            if sources[source]?.isMonitor == true { input.report(.defaultOutputChanged(id: sink)) }
        }
    }

    private func requestSource(_ index: UInt32) {
        connection.release(pulse.pointee.pa_context_get_source_info_by_index(connection.context, index, Self.receiveSource, userData))
    }

    /// The callback for a source's description.
    private static let receiveSource: pa_source_info_cb_t = { @Sendable _, info, _, this in
        guard let info = info?.pointee else { return }
        PulseServerWatcher.from(this)?.updateSource(PulseDevice(info))
    }

    /// Reports an added source, and a changed mute state of the stream's source.
    private func updateSource(_ new: PulseDevice) {
        if sources.updateValue(new.device, forKey: new.index) == nil { input.report(.deviceAdded(id: new.device.id)) }
        guard new.index == source else { return }
        if hasUnreportedMove {
            hasUnreportedMove = false
            input.report(.moved(id: new.device.id, name: new.device.name))
        }
        setMuted(source: new.isMuted, output: isOutputMuted)
    }

    private func requestStream() {
        connection.release(
            pulse.pointee.pa_context_get_source_output_info(
                connection.context, output,
                { @Sendable _, info, _, this in
                    guard let info = info?.pointee, let watcher = PulseServerWatcher.from(this) else { return }
                    watcher.setMuted(source: watcher.isSourceMuted, output: info.mute != 0)
                }, userData))
    }

    /// Reports a new mute state.
    private func setMuted(source: Bool, output: Bool) {
        isSourceMuted = source
        isOutputMuted = output
        guard isMuted != (source || output) else { return }
        isMuted = source || output
        input.report(.muted(source || output))
    }
}
#endif
