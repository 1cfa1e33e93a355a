internal import Foundation

/// A message that the broker keeps, and that is sent with each connection: what there is, for programs that find it by themselves.
package struct Announcement: Sendable, Hashable {
  package var topic: String
  package var payload: [UInt8]

  package init(topic: String, payload: [UInt8]) {
    self.topic = topic
    self.payload = payload
  }

  /// The last word of the topic that says whether events come.
  package static let health = "health"
  /// What stands there while events come.
  package static let online = Array("online".utf8)
  /// What stands there while none come.
  package static let offline = Array("offline".utf8)
}
