// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin) && canImport(Foundation) && !hasFeature(Embedded)
public import Foundation

/// An error with a one-line description for users.
///
/// Alerts in AppKit, UIKit and SwiftUI show the description, and `localizedDescription` returns it.
public protocol DescribedError: LocalizedError, CustomStringConvertible {}

extension DescribedError {
    /// The description of the error.
    public var errorDescription: String? { description }
}
#else
/// An error with a one-line description for users.
///
/// On Apple platforms it is also a `LocalizedError`. Elsewhere this package does not import Foundation.
public protocol DescribedError: Error, CustomStringConvertible {}
#endif
