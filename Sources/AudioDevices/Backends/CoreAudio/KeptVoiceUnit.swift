// SPDX-License-Identifier: Apache-2.0

#if os(macOS)
internal import AudioToolbox
internal import Dispatch
internal import Synchronization

/// A unit of voice processing that is kept for a short time after a stop: a process without one waits for seconds until it has made one.
enum KeptVoiceUnit {
    /// A unit, which any thread may use.
    private final class Kept: @unchecked Sendable {
        let unit: AudioUnit
        /// Keeps a unit.
        init(_ unit: AudioUnit) { self.unit = unit }
    }

    /// The time that a unit is kept, in seconds.
    private static let lifetime = 10.0
    private static let state = Mutex<Kept?>(nil)
    private static let queue = DispatchQueue(label: "KeptVoiceUnit")

    /// Keeps a unit that is stopped and uninitialised, or disposes of it if one is kept.
    static func keep(_ unit: AudioUnit) {
        let new = Kept(unit)
        let isKept = state.withLock { state in
            guard state == nil else { return false }
            state = new
            return true
        }
        guard isKept else {
            AudioComponentInstanceDispose(unit)
            return
        }
        queue.asyncAfter(deadline: .now() + lifetime) {
            if let kept = remove(new) { AudioComponentInstanceDispose(kept.unit) }
        }
    }

    /// Returns the unit that was kept, which is the caller's then; nil if there is none that can be used.
    static func take() -> AudioUnit? {
        guard let unit = remove()?.unit else { return nil }
        do {
            // Units end with the server.
            try CoreAudioUnit.enable(unit, input: true, output: true)
            return unit
        } catch {
            AudioComponentInstanceDispose(unit)
            return nil
        }
    }

    /// Removes the unit; only if it is this one, where one is given.
    private static func remove(_ wanted: Kept? = nil) -> Kept? {
        state.withLock { state in
            guard wanted == nil || wanted === state else { return nil }
            defer { state = nil }
            return state
        }
    }
}
#endif
