// SPDX-License-Identifier: Apache-2.0

private import CLinnet

/// The library's version, which stands in linnet.h alone.
public enum LinnetVersion {
    /// Major, minor and patch.
    public static let current = "\(LINNET_VERSION_MAJOR).\(LINNET_VERSION_MINOR).\(LINNET_VERSION_PATCH)"

    /// The name of the encoder in the tags of files.
    package static var encoderTag: String { "Linnet \(current)" }
}
