// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin) && canImport(Foundation) && !hasFeature(Embedded)
public import Foundation

/// An error with one line for people.
///
/// It is what alerts of AppKit, UIKit and SwiftUI show, and what `localizedDescription` returns.
public protocol DescribedError: LocalizedError, CustomStringConvertible {}

extension DescribedError {
    /// The description of the error.
    public var errorDescription: String? { description }
}
#else
/// An error with one line for people.
///
/// On Apple's systems it is a `LocalizedError` too. Elsewhere nothing here imports Foundation.
public protocol DescribedError: Error, CustomStringConvertible {}
#endif

extension Error {
    /// Returns whether another error is of the same type and, where that has an equality, the same value.
    package func isSame(as other: any Error) -> Bool {
        guard let own = self as? AnyHashable, let found = other as? AnyHashable else { return type(of: other) == Self.self }
        return own == found
    }
}
