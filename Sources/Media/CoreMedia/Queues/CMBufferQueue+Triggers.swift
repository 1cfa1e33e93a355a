internal import Linux

/// Names an installed trigger.
public typealias CMBufferQueueTriggerToken = OpaquePointer
/// Is called when the trigger's condition has become true.
public typealias CMBufferQueueTriggerHandler = (CMBufferQueueTriggerToken) -> Void

extension CMBufferQueue {
  /// Names an installed trigger.
  public typealias TriggerToken = CMBufferQueueTriggerToken

  /// The condition of a trigger.
  ///
  /// Apple: `CMBufferQueue.TriggerCondition`.
  public enum TriggerCondition: Sendable {
    /// The duration falls below a time.
    case whenDurationBecomesLessThan(CMTime)
    /// The duration falls to a time or below.
    case whenDurationBecomesLessThanOrEqualTo(CMTime)
    /// The duration rises above a time.
    case whenDurationBecomesGreaterThan(CMTime)
    /// The duration rises to a time or above.
    case whenDurationBecomesGreaterThanOrEqualTo(CMTime)
    /// The earliest presentation is another one.
    case whenMinPresentationTimeStampChanges
    /// The latest presentation is another one.
    case whenMaxPresentationTimeStampChanges
    /// The first buffer's data is there.
    case whenDataBecomesReady
    /// The end was marked, and no buffer is left.
    case whenEndOfDataReached
    /// The queue was reset.
    case whenReset
    /// There are fewer buffers than a number.
    case whenBufferCountBecomesLessThan(CMItemCount)
    /// There are more buffers than a number.
    case whenBufferCountBecomesGreaterThan(CMItemCount)
  }

  /// Has a closure called each time that a condition becomes true.
  ///
  /// - Parameter body: The closure; `nil` for a trigger that is only tested.
  /// - Returns: What names the trigger, for ``removeTrigger(_:)`` and ``testTrigger(_:)``.
  ///
  /// Apple: `CMBufferQueue.installTrigger(condition:_:)`.
  public func installTrigger(
    condition: TriggerCondition, _ body: CMBufferQueueTriggerHandler? = nil
  ) throws -> TriggerToken {
    switch condition {
    case .whenDurationBecomesLessThan(let time), .whenDurationBecomesLessThanOrEqualTo(let time),
      .whenDurationBecomesGreaterThan(let time), .whenDurationBecomesGreaterThanOrEqualTo(let time):
      guard time.isNumeric else { throw Error.badTriggerDuration }
    default: break
    }
    let trigger = QueueTrigger(condition, body)
    content.withLock { $0.triggers.append(trigger) }
    return trigger.token
  }

  /// Takes a trigger away; one that is being called is called to its end.
  ///
  /// - Throws: `invalidTriggerToken`.
  ///
  /// Apple: `CMBufferQueue.removeTrigger(_:)`.
  public func removeTrigger(_ triggerToken: TriggerToken) throws {
    let old = content.withLock { content -> QueueTrigger? in
      guard let place = content.triggers.firstIndex(where: { $0.token == triggerToken }) else { return nil }
      content.generation += 1
      return content.triggers.remove(at: place)
    }
    guard old != nil else { throw Error.invalidTriggerToken }
  }

  /// Whether a trigger's condition holds now; `false` for a change, which does not last.
  ///
  /// Apple: `CMBufferQueue.testTrigger(_:)`.
  public func testTrigger(_ triggerToken: TriggerToken) -> Bool {
    let (trigger, entries, hasEnd) = content.withLock { content in
      (content.triggers.first { $0.token == triggerToken }, content.entries, content.hasEnd)
    }
    return trigger?.holds(QueueState(of: entries, hasEnd: hasEnd, isReady: handlers.isDataReady)) ?? false
  }

  /// The errors of a queue's methods.
  ///
  /// Apple: `CMBufferQueue.Error`.
  public struct Error {
    /// There is not enough memory.
    public static let allocationFailed = statusError(-12760)
    /// A required parameter is missing.
    public static let requiredParameterMissing = statusError(-12761)
    /// The handlers cannot be used.
    public static let invalidCMBufferCallbacksStruct = statusError(-12762)
    /// The end was marked.
    public static let enqueueAfterEndOfData = statusError(-12763)
    /// There is no room.
    public static let queueIsFull = statusError(-12764)
    /// The duration of a trigger is no time.
    public static let badTriggerDuration = statusError(-12765)
    /// A trigger may not change the queue.
    public static let cannotModifyQueueFromTriggerCallback = statusError(-12766)
    /// There is no such condition.
    public static let invalidTriggerCondition = statusError(-12767)
    /// There is no such trigger.
    public static let invalidTriggerToken = statusError(-12768)
    /// The buffer was refused.
    public static let invalidBuffer = statusError(-12769)
  }
}

/// A trigger of a queue, whose address is its token.
final class QueueTrigger: @unchecked Sendable {  // Safe: constant.
  private let condition: CMBufferQueue.TriggerCondition
  let handler: CMBufferQueueTriggerHandler?

  init(_ condition: CMBufferQueue.TriggerCondition, _ handler: CMBufferQueueTriggerHandler?) {
    (self.condition, self.handler) = (condition, handler)
  }

  var token: CMBufferQueueTriggerToken { OpaquePointer(Unmanaged.passUnretained(self).toOpaque()) }

  func holds(_ state: QueueState) -> Bool {
    switch condition {
    case .whenDurationBecomesLessThan(let time): state.duration < time
    case .whenDurationBecomesLessThanOrEqualTo(let time): state.duration <= time
    case .whenDurationBecomesGreaterThan(let time): state.duration > time
    case .whenDurationBecomesGreaterThanOrEqualTo(let time): state.duration >= time
    case .whenMinPresentationTimeStampChanges, .whenMaxPresentationTimeStampChanges, .whenReset: false
    case .whenDataBecomesReady: state.isReady
    case .whenEndOfDataReached: state.isAtEnd
    case .whenBufferCountBecomesLessThan(let count): state.count < count
    case .whenBufferCountBecomesGreaterThan(let count): state.count > count
    }
  }

  func fires(from before: QueueState, to after: QueueState, isReset: Bool) -> Bool {
    switch condition {
    case .whenReset: isReset
    case .whenMinPresentationTimeStampChanges: before.least != after.least
    case .whenMaxPresentationTimeStampChanges: before.greatest != after.greatest
    default: !holds(before) && holds(after)
    }
  }
}
