internal import Glibc
internal import Linux

/// The question who is there, and the answers to it.
///
/// The question is sent three times, half a second apart, because a network may lose it; a camera that answers more than once, or on
/// several networks of which it names its addresses, is one. Everything that comes is bounded: bytes, answers, time.
///
/// Source: Web Services Dynamic Discovery (April 2005), section 5.
package struct NetworkProbe {
  /// The most cameras that are found.
  package static let mostCameras = 128
  /// The most of them on one machine, which could fill the list with what it makes up.
  package static let mostOfOneSender = 4
  private static let pause: Int64 = 500_000_000
  private static let times = 3
  /// Answers that are read before the clock is looked at again.
  private static let atOnce = 64

  /// A camera that answered, and the machine that did.
  package struct Answer: Sendable, Hashable {
    package let match: ProbeMatch
    package let sender: String

    package init(match: ProbeMatch, sender: String) {
      self.match = match
      self.sender = sender
    }
  }

  /// The cameras that answered, in the order of their answers.
  package private(set) var answers: [Answer] = []
  /// Whether more answered than are kept.
  package private(set) var hasLeftOut = false
  /// The names of the ways on which the question could not be sent.
  package private(set) var unsent: [String] = []

  /// Asks, and collects answers.
  ///
  /// Blocks for `times.answers`, or until `isEnough` is true of the number of cameras.
  /// - Parameter id: A UUID that the answers must name.
  package init(
    _ routes: [ProbeRoute], id: String, times: SearchTimes, isEnough: (Int) -> Bool = { _ in false }
  ) {
    let question = Array(SOAPMessage.probe(id).utf8)
    var ends: [(route: ProbeRoute, end: Descriptor)] = []
    for route in routes {
      if let end = route.open(), route.send(question, from: end) {
        ends.append((route, end))
      } else {
        unsent.append(route.name)
      }
    }
    guard !ends.isEmpty else { return }
    let deadline = times.deadline(times.answers)
    var sent = 1
    var next = times.deadline(Self.pause)
    while times.now() < deadline, !isEnough(answers.count) {
      var watched = ends.map { pollfd(fd: $0.end.number, events: Int16(POLLIN), revents: 0) }
      _ = poll(&watched, nfds_t(watched.count), BoundedConnection.tick)
      for (index, one) in watched.enumerated() where one.revents != 0 { take(ends[index].end, id) }
      if sent < Self.times, times.now() >= next {
        for (route, end) in ends { _ = route.send(question, from: end) }
        sent += 1
        next = times.deadline(Self.pause)
      }
    }
  }

  private mutating func take(_ end: Descriptor, _ id: String) {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    for _ in 0..<Self.atOnce {
      var place = sockaddr_in()
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let count = withUnsafeMutablePointer(to: &place) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          recvfrom(end.number, &bytes, bytes.count, 0, $0, &size)
        }
      }
      guard count > 0 else { return }
      let sender = IPv4Place(address: place.sin_addr.s_addr, port: 0).host
      for match in ProbeMatch.matches(Array(bytes[..<count]), answering: id) {
        let answer = Answer(match: match, sender: sender)
        if answers.contains(where: { $0.isSame(answer) }) { continue }
        if answers.count < Self.mostCameras,
          answers.count(where: { $0.sender == sender }) < Self.mostOfOneSender
        {
          answers.append(answer)
        } else {
          hasLeftOut = true
        }
      }
    }
  }
}

extension NetworkProbe.Answer {
  /// Whether both are of one camera: they have one number, if any, and come of one machine, or of two that each name the other, as those
  /// with two networks do.
  ///
  /// A number alone says little: there are makers who give all cameras the same, and any machine may take another's.
  package func isSame(_ other: Self) -> Bool {
    guard match.endpoint == other.match.endpoint else { return false }
    return sender == other.sender
      || !match.endpoint.isEmpty && match.hosts.contains(other.sender) && other.match.hosts.contains(sender)
  }
}
