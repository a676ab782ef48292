// SPDX-License-Identifier: Apache-2.0

extension AudioDevice {
    /// Returns the inputs of all audio systems of this machine, including monitors of outputs.
    ///
    /// Blocks.
    ///
    /// - Throws: ``DeviceError/noBackend(_:)`` with the error of each system if none is available.
    public static func inputs() throws(DeviceError) -> [AudioDevice] { try all().filter { $0.direction == .input } }

    /// Returns the outputs of all audio systems of this machine.
    ///
    /// Blocks.
    ///
    /// - Throws: ``DeviceError/noBackend(_:)`` with the error of each system if none is available.
    public static func outputs() throws(DeviceError) -> [AudioDevice] { try all().filter { $0.direction == .output } }

    /// Returns the devices of some systems.
    ///
    /// An unavailable system is an error only if no other system has devices.
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
