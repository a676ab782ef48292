// SPDX-License-Identifier: Apache-2.0

internal import SystemLibrary

/// The descriptors of standard input, output and error.
enum StandardDescriptors {
    /// Opens the null device for those that the caller has closed, so that no file gets their numbers and with it the program's messages.
    ///
    /// It is opened in the direction that is not used: reading standard input and writing standard output remain errors.
    static func reserve() {
        for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest free number is this one.
            _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
        }
    }
}
