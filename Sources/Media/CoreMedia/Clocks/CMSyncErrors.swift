public import Foundation
public import FoundationExtras

/// A required parameter is missing.
public let kCMClockError_MissingRequiredParameter: OSStatus = -12745
/// An argument is out of range.
public let kCMClockError_InvalidParameter: OSStatus = -12746
/// There is not enough memory.
public let kCMClockError_AllocationFailed: OSStatus = -12747
/// The clock cannot do that.
public let kCMClockError_UnsupportedOperation: OSStatus = -12756

/// A required parameter is missing.
public let kCMTimebaseError_MissingRequiredParameter: OSStatus = -12748
/// An argument is out of range.
public let kCMTimebaseError_InvalidParameter: OSStatus = -12749
/// There is not enough memory.
public let kCMTimebaseError_AllocationFailed: OSStatus = -12750
/// The timer repeats too fast.
public let kCMTimebaseError_TimerIntervalTooShort: OSStatus = -12751
/// The timebase cannot be changed.
public let kCMTimebaseError_ReadOnly: OSStatus = -12757

/// A required parameter is missing.
public let kCMSyncError_MissingRequiredParameter: OSStatus = -12752
/// An argument is out of range.
public let kCMSyncError_InvalidParameter: OSStatus = -12753
/// There is not enough memory.
public let kCMSyncError_AllocationFailed: OSStatus = -12754
/// A time cannot be converted from something that stands still.
public let kCMSyncError_RateMustBeNonZero: OSStatus = -12755

extension CMClock {
  /// The errors of a clock's methods.
  ///
  /// Apple: `CMClock.Error`.
  public struct Error {
    /// A required parameter is missing.
    public static let missingRequiredParameter = statusError(kCMClockError_MissingRequiredParameter)
    /// An argument is out of range.
    public static let invalidParameter = statusError(kCMClockError_InvalidParameter)
    /// There is not enough memory.
    public static let allocationFailed = statusError(kCMClockError_AllocationFailed)
    /// The clock cannot do that.
    public static let unsupportedOperation = statusError(kCMClockError_UnsupportedOperation)
  }
}

extension CMTimebase {
  /// The errors of a timebase's methods.
  ///
  /// Apple: `CMTimebase.Error`.
  public struct Error {
    /// A required parameter is missing.
    public static let missingRequiredParameter = statusError(kCMTimebaseError_MissingRequiredParameter)
    /// An argument is out of range.
    public static let invalidParameter = statusError(kCMTimebaseError_InvalidParameter)
    /// There is not enough memory.
    public static let allocationFailed = statusError(kCMTimebaseError_AllocationFailed)
    /// The timer repeats too fast.
    public static let timerIntervalTooShort = statusError(kCMTimebaseError_TimerIntervalTooShort)
    /// The timebase cannot be changed.
    public static let readOnly = statusError(kCMTimebaseError_ReadOnly)
  }
}

extension CMSync {
  /// The errors of conversions between clocks and timebases.
  ///
  /// Apple: `CMSync.Error`.
  public struct Error {
    /// A required parameter is missing.
    public static let missingRequiredParameter = statusError(kCMSyncError_MissingRequiredParameter)
    /// An argument is out of range.
    public static let invalidParameter = statusError(kCMSyncError_InvalidParameter)
    /// There is not enough memory.
    public static let allocationFailed = statusError(kCMSyncError_AllocationFailed)
    /// A time cannot be converted from something that stands still.
    public static let rateMustBeNonZero = statusError(kCMSyncError_RateMustBeNonZero)
  }
}
