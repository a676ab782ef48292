// SPDX-License-Identifier: Apache-2.0

private import CLinnet

/// The library version, from `linnet.h`.
public enum LinnetVersion {
    /// The version as major, minor and patch number, such as `0.3.0`.
    public static let current = "\(LINNET_VERSION_MAJOR).\(LINNET_VERSION_MINOR).\(LINNET_VERSION_PATCH)"

    /// The encoder name for file tags.
    package static var encoderTag: String { "Linnet \(current)" }
}
