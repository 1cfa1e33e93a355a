internal import CMosquitto
internal import Glibc
package import Linux

/// A connection by libmosquitto, moved by the thread that uses it: the library has none of its own.
package final class MosquittoLink: BrokerLink, @unchecked Sendable {
  // Safe because one thread uses it, but for the wake-up, which is thread-safe.

  /// The reason why the library cannot be used, in one sentence; `nil` when it can.
  package static var obstacle: String? { cam_broker_obstacle().map { String(cString: $0) } }

  /// The words that are heard inside of a call of the library.
  private final class Ears {
    var reports: [BrokerReport] = []
    var refusal: Int32?
  }

  private let address: BrokerAddress
  private let broker: OpaquePointer
  private let ears = Ears()
  private let awakening: WakeUp

  /// A sign of life goes to the broker so often, and is missed by it after half as much again.
  private static let keepAliveSeconds: Int32 = 30
  /// The longest wait between two looks whether a sign of life is due.
  private static let longestWait: Int64 = 5_000_000_000
  /// The certificates of the machine.
  private static let certificateFolder = "/etc/ssl/certs"

  /// A connection that is not opened yet.
  ///
  /// - Parameter will: The topic and the payload that the broker publishes and keeps when the connection breaks.
  /// - Throws: ``PublishingError`` where the library cannot be used, or not with these certificates.
  package init(
    _ address: BrokerAddress, _ login: BrokerLogin, client: String, will: (topic: String, payload: [UInt8])
  ) throws(PublishingError) {
    if let obstacle = Self.obstacle { throw PublishingError(obstacle) }
    self.address = address
    do {
      awakening = try WakeUp()
    } catch {
      throw PublishingError(error.description)
    }
    let made = cam_broker_new(
      client, Unmanaged.passUnretained(ears).toOpaque(),
      { context, code in
        guard let ears = context.map({ Unmanaged<Ears>.fromOpaque($0).takeUnretainedValue() }) else { return }
        if code == 0 { ears.reports.append(.welcome) } else { ears.refusal = code }
      },
      { context, number in
        guard let ears = context.map({ Unmanaged<Ears>.fromOpaque($0).takeUnretainedValue() }) else { return }
        ears.reports.append(.acknowledged(number))
      })
    guard let made else { throw PublishingError("There is not enough memory for a connection to a broker.") }
    broker = made
    if let user = login.user ?? address.user {
      try check(cam_broker_set_login(broker, user, login.password))
    }
    if address.isEncrypted {
      let result = cam_broker_set_certificates(broker, login.certificates, Self.certificateFolder)
      guard result == 0 else {
        throw PublishingError(
          "the certificates in \(login.certificates ?? Self.certificateFolder) cannot be used (\(Self.reason(result))): name others in the file of --login, as ca=FILE"
        )
      }
    }
    try check(cam_broker_set_will(broker, will.topic, will.payload, Int32(will.payload.count)))
  }

  deinit {
    cam_broker_destroy(broker)
  }

  package func connect() throws(PublishingError) {
    let result = cam_broker_connect(broker, address.host, Int32(address.port), Self.keepAliveSeconds)
    guard result == 0 else {
      throw PublishingError("the broker cannot be reached: \(Self.reason(result))")
    }
  }

  package func publish(_ payload: [UInt8], to topic: String, isKept: Bool) throws(PublishingError) -> Int32 {
    var number: Int32 = 0
    try check(
      cam_broker_publish(broker, &number, topic, payload, Int32(payload.count), isKept ? 1 : 0))
    return number
  }

  package func step(until moment: MonotonicInstant) throws(PublishingError) -> [BrokerReport] {
    let socket = cam_broker_socket(broker)
    guard socket >= 0 else { throw PublishingError("the connection is lost") }
    let end = min(moment, .now.advanced(byNanoseconds: Self.longestWait))
    var descriptors = [
      pollfd(fd: awakening.descriptor.number, events: Int16(POLLIN), revents: 0),
      pollfd(
        fd: socket, events: Int16(POLLIN | (cam_broker_wants_write(broker) != 0 ? POLLOUT : 0)), revents: 0),
    ]
    let left = max(0, end.nanoseconds - MonotonicInstant.now.nanoseconds)
    // What was heard inside of an earlier call is not to wait.
    let milliseconds = ears.reports.isEmpty ? Int32(clamping: (left + 999_999) / 1_000_000) : 0
    if poll(&descriptors, 2, milliseconds) > 0 {
      if descriptors[0].revents != 0 { awakening.clear() }
      let events = Int32(descriptors[1].revents)
      if events & POLLOUT != 0 { try check(cam_broker_write(broker)) }
      if events & (POLLIN | POLLHUP | POLLERR) != 0 { try hear(cam_broker_read(broker)) }
    }
    try check(cam_broker_care(broker))
    defer { ears.reports = [] }
    return ears.reports
  }

  /// A refusal ends the connection, and is the better reason.
  private func hear(_ result: Int32) throws(PublishingError) {
    if let code = ears.refusal {
      let text = String(cString: cam_broker_refusal(code))
      let what = text.hasPrefix("Connection Refused: ") ? String(text.dropFirst(20)) : text
      throw PublishingError("the broker refuses the connection (\(what)); check --login and its users")
    }
    try check(result)
  }

  package func disconnect() {
    // A broker that hears nothing of it publishes the last will, which says the same.
    guard cam_broker_disconnect(broker) == 0 else { return }
    let socket = cam_broker_socket(broker)
    while socket >= 0, cam_broker_wants_write(broker) != 0 {
      var descriptor = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
      guard poll(&descriptor, 1, 1000) > 0, cam_broker_write(broker) == 0 else { return }
    }
  }

  package func wake() { awakening.signal() }

  private func check(_ result: Int32) throws(PublishingError) {
    guard result == 0 else { throw PublishingError("the connection is lost: \(Self.reason(result))") }
  }

  private static func reason(_ result: Int32) -> String {
    if result < 0 { return SystemError("publish", errno: -result).explanation }
    let text = String(cString: cam_broker_reason(result))
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }
}
