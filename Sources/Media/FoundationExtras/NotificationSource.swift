public import Foundation

/// A notification center whose notifications can be awaited.
///
/// Foundation of Linux lacks `notifications(named:object:)`. It is an extension of a protocol because a member of the class
/// itself is preferred to it: a toolchain that has the method needs no change here.
public protocol NotificationSource {
  /// The center.
  var notificationCenter: NotificationCenter { get }
}

extension NotificationCenter: NotificationSource {
  /// Itself.
  public var notificationCenter: NotificationCenter { self }
}

extension NotificationSource {
  /// The sequence that ``notifications(named:object:)`` returns.
  ///
  /// Apple: `NotificationCenter.Notifications`.
  public typealias Notifications = NotificationSequence

  /// The notifications of that name, as they are posted.
  ///
  /// Apple: `NotificationCenter.notifications(named:object:)`.
  ///
  /// - Parameters:
  ///   - name: Their name.
  ///   - object: Their sender, which the sequence keeps; `nil` for any.
  public func notifications(named name: Notification.Name, object: (any AnyObject & Sendable)? = nil)
    -> NotificationSequence
  {
    NotificationSequence(center: notificationCenter, name: name, object: object)
  }
}

/// The notifications of one name, in the order in which they are posted.
///
/// An iterator gets what is posted after it was made, and keeps the newest 1024 that were not asked for. It ends when its
/// task is cancelled. Each of several iterators gets all notifications.
///
/// Apple: `NotificationCenter.Notifications`.
public struct NotificationSequence: AsyncSequence, Sendable {
  /// A notification.
  public typealias Element = Notification
  /// It never fails.
  public typealias Failure = Never

  private let center: NotificationCenter
  private let name: Notification.Name
  private let object: (any AnyObject & Sendable)?

  init(center: NotificationCenter, name: Notification.Name, object: (any AnyObject & Sendable)?) {
    self.center = center
    self.name = name
    self.object = object
  }

  /// Begins to listen.
  public func makeAsyncIterator() -> AsyncIterator {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Posted.self, bufferingPolicy: .bufferingNewest(1024))
    let token = Token(
      center.addObserver(forName: name, object: object, queue: nil) { notification in
        continuation.yield(Posted(notification: notification))
      })
    continuation.onTermination = { [center] _ in center.removeObserver(token.observer) }
    return AsyncIterator(base: stream.makeAsyncIterator())
  }

  /// Hears notifications until it goes away.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var base: AsyncStream<Posted>.Iterator

    /// The next notification; `nil` once the task is cancelled.
    public mutating func next() async -> Notification? {
      await base.next()?.notification
    }

    /// The next notification, handed to the caller's actor; `nil` once the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(Never) -> Notification? {
      await base.next(isolation: actor)?.notification
    }
  }

  fileprivate struct Posted: @unchecked Sendable {  // Safe because a posted notification never changes.
    let notification: Notification
  }

  private struct Token: @unchecked Sendable {  // Safe because it is only handed back to its center.
    let observer: any NSObjectProtocol

    init(_ observer: any NSObjectProtocol) {
      self.observer = observer
    }
  }
}
