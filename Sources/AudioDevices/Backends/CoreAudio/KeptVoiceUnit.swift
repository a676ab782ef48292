// SPDX-License-Identifier: Apache-2.0

#if os(macOS)
internal import AudioToolbox
internal import Dispatch
internal import Synchronization

/// A voice processing unit that is kept for a short time after a stop, because creating one takes seconds.
enum KeptVoiceUnit {
    /// A unit that any thread may use.
    private final class Kept: @unchecked Sendable {
        let unit: AudioUnit
        init(_ unit: AudioUnit) { self.unit = unit }
    }

    /// The time that a unit is kept, in seconds.
    private static let lifetime = 10.0
    private static let state = Mutex<Kept?>(nil)
    private static let queue = DispatchQueue(label: "KeptVoiceUnit")

    /// Keeps a stopped and uninitialized unit, or disposes of it if another one is kept.
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

    /// Returns the kept unit if it is usable and passes ownership to the caller.
    static func take() -> AudioUnit? {
        guard let unit = remove()?.unit else { return nil }
        do {
            // Units become invalid when the server restarts.
            try CoreAudioUnit.enable(unit, input: true, output: true)
            return unit
        } catch {
            AudioComponentInstanceDispose(unit)
            return nil
        }
    }

    /// Removes the kept unit.
    ///
    /// If `wanted` is given, only that one.
    private static func remove(_ wanted: Kept? = nil) -> Kept? {
        state.withLock { state in
            guard wanted == nil || wanted === state else { return nil }
            defer { state = nil }
            return state
        }
    }
}
#endif
