public import Foundation
internal import Linux

extension NotificationCenter {
  /// A publisher of the notifications of a name.
  ///
  /// Apple: `NotificationCenter.publisher(for:object:)`.
  ///
  /// - Parameters:
  ///   - name: Their name.
  ///   - object: Their sender, which the publisher keeps; `nil` for any.
  public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> NotificationCenter.Publisher
  {
    Publisher(center: self, name: name, object: object)
  }

  /// A publisher of notifications.
  ///
  /// It delivers on the thread that posts. Apple: `NotificationCenter.Publisher`.
  public struct Publisher: Combine.Publisher {
    /// A notification.
    public typealias Output = Notification
    /// It never fails.
    public typealias Failure = Never

    /// Where they are posted.
    public let center: NotificationCenter
    /// Their name.
    public let name: Notification.Name
    /// Their sender; `nil` for any.
    public let object: AnyObject?

    /// A publisher of the notifications of this name.
    public init(center: NotificationCenter, name: Notification.Name, object: AnyObject? = nil) {
      self.center = center
      self.name = name
      self.object = object
    }

    /// Hands the subscriber its subscription.
    public func receive<S>(subscriber: S) where S: Subscriber, S.Failure == Never, S.Input == Notification {
      let outlet = Outlet(subscriber)
      let handed = Handed { outlet.send($0) }
      let observer = center.addObserver(forName: name, object: object, queue: nil) { notification in
        handed.deliver(notification)
      }
      outlet.whenCancelled = { [center] in center.removeObserver(observer) }
      subscriber.receive(subscription: outlet)
    }
  }

  private struct Handed: @unchecked Sendable {  // Safe: it calls an outlet, which is thread-safe.
    let deliver: (Notification) -> Void
  }
}

extension NotificationCenter.Publisher: Equatable {
  /// Whether both publish the same notifications.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.center === rhs.center && lhs.name == rhs.name && lhs.object === rhs.object
  }
}
