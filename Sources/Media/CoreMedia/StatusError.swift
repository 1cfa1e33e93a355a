package import Foundation
public import FoundationExtras

/// Makes the error that Apple's Swift overlay throws for a result code.
package func statusError(_ status: OSStatus) -> NSError {
  NSError(domain: NSOSStatusErrorDomain, code: Int(status))
}

/// Throws when a C-style call did not succeed.
func throwUnlessSucceeded(_ status: OSStatus) throws {
  guard status == noErr else { throw statusError(status) }
}

/// A number or count of samples.
public typealias CMItemCount = CFIndex

/// The position of a sample.
public typealias CMItemIndex = CFIndex

/// The number of a track in a movie; unique for ever within it.
public typealias CMPersistentTrackID = Int32

/// No track.
public let kCMPersistentTrackID_Invalid: CMPersistentTrackID = 0
