public import Foundation
public import FoundationExtras

/// There is not enough memory.
public let kCMSampleBufferError_AllocationFailed: OSStatus = -12730
/// Something needed is missing.
public let kCMSampleBufferError_RequiredParameterMissing: OSStatus = -12731
/// The sample buffer has data already.
public let kCMSampleBufferError_AlreadyHasDataBuffer: OSStatus = -12732
/// The data could not be made ready.
public let kCMSampleBufferError_BufferNotReady: OSStatus = -12733
/// There is no such sample.
public let kCMSampleBufferError_SampleIndexOutOfRange: OSStatus = -12734
/// The samples' sizes are missing.
public let kCMSampleBufferError_BufferHasNoSampleSizes: OSStatus = -12735
/// The samples' times are missing.
public let kCMSampleBufferError_BufferHasNoSampleTimingInfo: OSStatus = -12736
/// There is no room for all entries.
public let kCMSampleBufferError_ArrayTooSmall: OSStatus = -12737
/// There must be no entry, one, or one for each sample.
public let kCMSampleBufferError_InvalidEntryCount: OSStatus = -12738
/// The samples' bounds in the data are unknown.
public let kCMSampleBufferError_CannotSubdivide: OSStatus = -12739
/// A time is not a number.
public let kCMSampleBufferError_SampleTimingInfoInvalid: OSStatus = -12740
/// The call is for another kind of media.
public let kCMSampleBufferError_InvalidMediaTypeForOperation: OSStatus = -12741
/// The data does not fit the description.
public let kCMSampleBufferError_InvalidSampleData: OSStatus = -12742
/// The description does not fit the data.
public let kCMSampleBufferError_InvalidMediaFormat: OSStatus = -12743
/// The sample buffer was invalidated.
public let kCMSampleBufferError_Invalidated: OSStatus = -12744
/// The data could not be had.
public let kCMSampleBufferError_DataFailed: OSStatus = -16750
/// The data was given up.
public let kCMSampleBufferError_DataCanceled: OSStatus = -16751

extension CMSampleBuffer {
  /// The errors that the initialisers and methods throw.
  ///
  /// Apple: `CMSampleBuffer.Error`.
  public struct Error {
    /// There is not enough memory.
    public static let allocationFailed = statusError(kCMSampleBufferError_AllocationFailed)
    /// Something needed is missing.
    public static let requiredParameterMissing = statusError(kCMSampleBufferError_RequiredParameterMissing)
    /// The sample buffer has data already.
    public static let alreadyHasDataBuffer = statusError(kCMSampleBufferError_AlreadyHasDataBuffer)
    /// The data could not be made ready.
    public static let bufferNotReady = statusError(kCMSampleBufferError_BufferNotReady)
    /// There is no such sample.
    public static let sampleIndexOutOfRange = statusError(kCMSampleBufferError_SampleIndexOutOfRange)
    /// The samples' sizes are missing.
    public static let bufferHasNoSampleSizes = statusError(kCMSampleBufferError_BufferHasNoSampleSizes)
    /// The samples' times are missing.
    public static let bufferHasNoSampleTimingInfo = statusError(
      kCMSampleBufferError_BufferHasNoSampleTimingInfo)
    /// There is no room for all entries.
    public static let arrayTooSmall = statusError(kCMSampleBufferError_ArrayTooSmall)
    /// There must be no entry, one, or one for each sample.
    public static let invalidEntryCount = statusError(kCMSampleBufferError_InvalidEntryCount)
    /// The samples' bounds in the data are unknown.
    public static let cannotSubdivide = statusError(kCMSampleBufferError_CannotSubdivide)
    /// A time is not a number.
    public static let sampleTimingInfoInvalid = statusError(kCMSampleBufferError_SampleTimingInfoInvalid)
    /// The call is for another kind of media.
    public static let invalidMediaTypeForOperation = statusError(
      kCMSampleBufferError_InvalidMediaTypeForOperation)
    /// The data does not fit the description.
    public static let invalidSampleData = statusError(kCMSampleBufferError_InvalidSampleData)
    /// The description does not fit the data.
    public static let invalidMediaFormat = statusError(kCMSampleBufferError_InvalidMediaFormat)
    /// The sample buffer was invalidated.
    public static let invalidated = statusError(kCMSampleBufferError_Invalidated)
    /// The data could not be had.
    public static let dataFailed = statusError(kCMSampleBufferError_DataFailed)
    /// The data was given up.
    public static let dataCanceled = statusError(kCMSampleBufferError_DataCanceled)
  }
}
