// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import Synchronization

/// A member by which a large struct is made, kept and borrowed where it is stored.
///
/// Swift 6.3 makes a struct as a value on the stack, moves it to its place, and copies its arrays at calls that borrow it, unless the struct
/// has to have an address. An atomic value has to, and so has each struct with one, or with such a struct. Nothing uses its value.
///
/// Measured in Storage.md#stack.
struct AddressOnly: ~Copyable {
    /// The byte that it takes.
    private let byte = Atomic<UInt8>(0)
}
