// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: AlwaysUseLowerCamelCase

// What Swift's module of Android's C library leaves out.
#if os(Android)
/// The option of TCP's sockets that sends at once.
package let TCP_NODELAY: Int32 = 1
#endif
