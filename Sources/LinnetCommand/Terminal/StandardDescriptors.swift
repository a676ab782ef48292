// SPDX-License-Identifier: Apache-2.0

internal import SystemLibrary

/// The descriptors of standard input, output and error.
enum StandardDescriptors {
    /// Opens the null device for closed descriptors, so that no file gets their numbers and the program's messages.
    ///
    /// It is opened in the unused direction: reading standard input and writing standard output remain errors.
    static func reserve() {
        for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
            // The system uses the lowest free number, which is this one.
            _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
        }
    }
}
