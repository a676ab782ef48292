// SPDX-License-Identifier: Apache-2.0

extension AudioDevice {
    /// Returns the inputs of all systems of this machine, with those that capture what an output plays.
    ///
    /// Blocks while it asks the systems.
    ///
    /// - Throws: ``DeviceError/noBackend(_:)`` with the error of each system if none is available.
    public static func inputs() throws(DeviceError) -> [AudioDevice] { try all().filter { $0.direction == .input } }

    /// Returns the outputs of all systems of this machine.
    ///
    /// Blocks while it asks the systems.
    ///
    /// - Throws: ``DeviceError/noBackend(_:)`` with the error of each system if none is available.
    public static func outputs() throws(DeviceError) -> [AudioDevice] { try all().filter { $0.direction == .output } }

    /// Returns the devices of some systems; one that isn't available is an error only if no other has devices.
    package static func all(_ systems: [any CaptureBackend] = AutomaticCaptureBackend.systems()) throws(DeviceError) -> [AudioDevice] {
        var found: [AudioDevice] = []
        var failures: [DeviceError] = []
        for system in systems {
            do { found += try system.devices() } catch { failures.append(error) }
        }
        guard !found.isEmpty || failures.isEmpty else { throw .noBackend(failures) }
        return found
    }
}
