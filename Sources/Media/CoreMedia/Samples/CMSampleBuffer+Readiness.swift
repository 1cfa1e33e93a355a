public import Foundation
public import FoundationExtras

/// The data came.
///
/// Posted on the thread that said so.
public let kCMSampleBufferNotification_DataBecameReady: CFString =
  "kCMSampleBufferNotification_DataBecameReady"
/// The data will never come.
///
/// Posted on the thread that said so, with the status.
public let kCMSampleBufferNotification_DataFailed: CFString = "kCMSampleBufferNotification_DataFailed"
/// A number: why the data will never come.
public let kCMSampleBufferNotificationParameter_OSStatus: CFString = "OSStatus"

/// Hands in the data of a sample buffer that was made without.
///
/// - Returns: ``kCMSampleBufferError_AlreadyHasDataBuffer``, ``kCMSampleBufferError_Invalidated``.
@discardableResult
public func CMSampleBufferSetDataBuffer(_ sbuf: CMSampleBuffer, newValue dataBuffer: CMBlockBuffer)
  -> OSStatus
{
  guard sbuf.image == nil else { return kCMSampleBufferError_AlreadyHasDataBuffer }
  return sbuf.withState { state in
    guard state.isValid else { return kCMSampleBufferError_Invalidated }
    guard state.data == nil else { return kCMSampleBufferError_AlreadyHasDataBuffer }
    state.data = dataBuffer
    return noErr
  }
}

/// Says that the data is there.
///
/// - Returns: ``kCMSampleBufferError_Invalidated``.
@discardableResult
public func CMSampleBufferSetDataReady(_ sbuf: CMSampleBuffer) -> OSStatus {
  let wasReady = sbuf.dataReadiness == .ready
  let status = sbuf.withState { state in
    guard state.isValid else { return kCMSampleBufferError_Invalidated }
    state.readiness = .ready
    return noErr
  }
  if status == noErr, !wasReady {
    NotificationCenter.default.post(name: CMSampleBuffer.dataBecameReady, object: sbuf)
  }
  return status
}

/// Whether the data is there.
public func CMSampleBufferDataIsReady(_ sbuf: CMSampleBuffer) -> Bool {
  sbuf.dataReadiness == .ready
}

/// Says that the data will never come.
///
/// - Parameter status: Why.
/// - Returns: ``kCMSampleBufferError_Invalidated``.
@discardableResult
public func CMSampleBufferSetDataFailed(_ sbuf: CMSampleBuffer, status: OSStatus) -> OSStatus {
  let result = sbuf.withState { state in
    guard state.isValid else { return kCMSampleBufferError_Invalidated }
    state.readiness = .failed(status)
    return noErr
  }
  if result == noErr {
    NotificationCenter.default.post(
      name: CMSampleBuffer.dataFailed, object: sbuf,
      userInfo: [kCMSampleBufferNotificationParameter_OSStatus: status])
  }
  return result
}

/// Whether the data will never come.
///
/// - Parameter statusOut: Gets why.
public func CMSampleBufferHasDataFailed(_ sbuf: CMSampleBuffer, statusOut: UnsafeMutablePointer<OSStatus>?)
  -> Bool
{
  guard case .failed(let status) = sbuf.dataReadiness else { return false }
  statusOut?.pointee = status
  return true
}

/// Makes the data ready, by the callback that the buffer was made with.
///
/// - Returns: ``kCMSampleBufferError_BufferNotReady`` when it did not come, or what the callback returned.
@discardableResult
public func CMSampleBufferMakeDataReady(_ sbuf: CMSampleBuffer) -> OSStatus {
  let readiness = sbuf.dataReadiness
  if readiness == .ready { return noErr }
  if case .failed = readiness { return kCMSampleBufferError_DataFailed }
  let (isValid, tracked, makeReady) = sbuf.withState { state in
    let makeReady = state.isMakingReady ? nil : state.makeReady
    if makeReady != nil { state.isMakingReady = true }
    return (state.isValid, state.tracked, makeReady)
  }
  guard isValid else { return kCMSampleBufferError_Invalidated }
  if let tracked { return CMSampleBufferMakeDataReady(tracked) }
  guard let makeReady else { return kCMSampleBufferError_BufferNotReady }
  let status = makeReady(sbuf)
  sbuf.withState { $0.isMakingReady = false }
  guard status == noErr else { return status }
  return CMSampleBufferDataIsReady(sbuf) ? noErr : kCMSampleBufferError_BufferNotReady
}

/// Lets the data of one sample buffer count as there when that of another is.
///
/// - Returns: ``kCMSampleBufferError_Invalidated``; ``kCMSampleBufferError_BufferNotReady`` for a circle.
@discardableResult
public func CMSampleBufferTrackDataReadiness(_ sbuf: CMSampleBuffer, sampleBufferToTrack: CMSampleBuffer)
  -> OSStatus
{
  // A circle would never be ready, and asking it never end.
  var next: CMSampleBuffer? = sampleBufferToTrack
  while let buffer = next {
    guard buffer !== sbuf else { return kCMSampleBufferError_BufferNotReady }
    next = buffer.withState { $0.tracked }
  }
  return sbuf.withState { state in
    guard state.isValid else { return kCMSampleBufferError_Invalidated }
    state.tracked = sampleBufferToTrack
    return noErr
  }
}

/// Gives up a sample buffer: its data and picture can no longer be had from it.
///
/// - Returns: ``kCMSampleBufferError_Invalidated`` when that was done before.
@discardableResult
public func CMSampleBufferInvalidate(_ sbuf: CMSampleBuffer) -> OSStatus {
  let (wasValid, old) = sbuf.withState { state in
    let old = state
    state.isValid = false
    state.data = nil
    state.makeReady = nil
    state.invalidated = nil
    state.tracked = nil
    state.original = nil
    return (old.isValid, old)
  }
  guard wasValid else { return kCMSampleBufferError_Invalidated }
  do {
    try old.invalidated?(sbuf)
    return noErr
  } catch {
    return OSStatus(clamping: (error as NSError).code)
  }
}

/// Names whom to call when a sample buffer is invalidated.
///
/// - Returns: ``kCMSampleBufferError_Invalidated``, ``kCMSampleBufferError_RequiredParameterMissing``.
@discardableResult
public func CMSampleBufferSetInvalidateCallback(
  _ sbuf: CMSampleBuffer, callback invalidateCallback: CMSampleBufferInvalidateCallback?,
  refcon invalidateRefCon: UInt64
) -> OSStatus {
  guard let invalidateCallback else { return kCMSampleBufferError_RequiredParameterMissing }
  return CMSampleBufferSetInvalidateHandler(sbuf) { invalidateCallback($0, invalidateRefCon) }
}

/// Names whom to call when a sample buffer is invalidated.
///
/// - Returns: ``kCMSampleBufferError_Invalidated``.
@discardableResult
public func CMSampleBufferSetInvalidateHandler(
  _ sbuf: CMSampleBuffer, invalidateHandler: @escaping CMSampleBufferInvalidateHandler
) -> OSStatus {
  sbuf.withState { state in
    guard state.isValid else { return kCMSampleBufferError_Invalidated }
    state.invalidated = invalidateHandler
    return noErr
  }
}

extension CMSampleBuffer {
  /// The data came.
  ///
  /// Posted on the thread that said so.
  public static let dataBecameReady = Notification.Name(kCMSampleBufferNotification_DataBecameReady)

  /// The data will never come.
  ///
  /// Posted on the thread that said so, with the status.
  public static let dataFailed = Notification.Name(kCMSampleBufferNotification_DataFailed)

  /// Names of entries in a notification's `userInfo`.
  ///
  /// Apple: `CMSampleBuffer.NotificationKey`.
  public struct NotificationKey: RawRepresentable, Sendable, Hashable {
    /// The name.
    public var rawValue: CFString

    /// The entry with this name.
    public init(rawValue: CFString) {
      self.rawValue = rawValue
    }

    /// A number: why the data will never come.
    public static let status = NotificationKey(rawValue: kCMSampleBufferNotificationParameter_OSStatus)
  }

  /// Hands in the data of a sample buffer that was made without.
  ///
  /// - Throws: `alreadyHasDataBuffer`, `invalidated`.
  public func setDataBuffer(_ dataBuffer: CMBlockBuffer) throws {
    try throwUnlessSucceeded(CMSampleBufferSetDataBuffer(self, newValue: dataBuffer))
  }

  /// Whether the data is there.
  public var dataReadiness: DataReadiness {
    let (readiness, tracked) = readState { ($0.readiness, $0.tracked) }
    return tracked?.dataReadiness ?? readiness
  }

  /// Says whether the data is there.
  ///
  /// - Throws: `invalidated`; `bufferNotReady` for `.notReady`, as what is there cannot go again.
  public func setDataReadiness(_ newValue: DataReadiness) throws {
    switch newValue {
    case .ready: try throwUnlessSucceeded(CMSampleBufferSetDataReady(self))
    case .failed(let status): try throwUnlessSucceeded(CMSampleBufferSetDataFailed(self, status: status))
    case .notReady: if dataReadiness != .notReady { throw Error.bufferNotReady }
    }
  }

  /// Makes the data ready, by the callback that the buffer was made with.
  ///
  /// - Throws: `bufferNotReady`, `dataFailed`, `invalidated`, or what the handler returned.
  public func makeDataReady() throws {
    try throwUnlessSucceeded(CMSampleBufferMakeDataReady(self))
  }

  /// Lets the data count as there when that of another sample buffer is.
  ///
  /// - Throws: `invalidated`.
  public func trackDataReadiness(_ sampleBufferToTrack: CMSampleBuffer) throws {
    try throwUnlessSucceeded(
      CMSampleBufferTrackDataReadiness(self, sampleBufferToTrack: sampleBufferToTrack))
  }

  /// Gives up the sample buffer: its data and picture can no longer be had from it.
  ///
  /// - Throws: `invalidated` when that was done before, or what the handler throws.
  public func invalidate() throws {
    try throwUnlessSucceeded(CMSampleBufferInvalidate(self))
  }

  /// Names whom to call when the sample buffer is invalidated.
  ///
  /// - Throws: `invalidated`.
  public func setInvalidateHandler(_ body: @escaping (CMSampleBuffer) throws -> Void) throws {
    let isSet = withState { state in
      if state.isValid { state.invalidated = body }
      return state.isValid
    }
    guard isSet else { throw Error.invalidated }
  }
}
