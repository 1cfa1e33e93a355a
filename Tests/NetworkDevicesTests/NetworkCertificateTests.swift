import CaptureDevice
import Foundation
import Glibc
import Linux
import NetworkDevices
import NetworkStage
import Testing

@Suite("Network cameras: certificates", .serialized, .enabled(if: TLSFront.isInstalled))
struct NetworkCertificateTests {
  private static let refusal =
    "Door is not there: its certificate is of another host, or of no authority that is trusted here; "
    + "name a file that holds it as certificates in cameras.json, or set trustsAnyCertificate there."

  /// The camera of a file that lists it with more than its address.
  private func provider(_ address: String, _ more: String = "") throws -> NetworkDeviceProvider {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try """
    {"cameras": [{"address": "\(address)", "name": "Door"\(more)}]}
    """.write(toFile: path, atomically: true, encoding: .utf8)
    let camera = try KnownCameras(path: path).cameras[0]
    return NetworkDeviceProvider(camera.address, name: camera.name, timeout: 10_000_000_000)
  }

  /// Whether a camera is there and sends frames.
  private func streams(_ provider: NetworkDeviceProvider) throws -> Bool {
    guard let camera = provider.devices().first else { return false }
    let stream = try camera.openStream(
      StreamConfiguration(
        format: camera.facts.formats[0], frameDuration: camera.facts.formats[0].frameDurations[0].lowerBound))
    let log = FrameLog()
    try stream.start(log.receive)
    defer { stream.stop() }
    return log.wait(until: .now.advanced(byNanoseconds: 30_000_000_000)) { $0.frames.count >= 3 }
  }

  @Test func `a certificate is trusted that is in the file that the camera's entry names`() throws {
    let server = try MotionJPEGServer()
    defer { server.close() }
    let front = try TLSFront(to: server.port)
    let address = "https://127.0.0.1:\(front.port)/"
    #expect(try streams(try provider(address, ", \"certificates\": \"\(front.certificate)\"")))
    let stranger = try TLSFront(to: server.port)
    let other = try provider(address, ", \"certificates\": \"\(stranger.certificate)\"")
    #expect(other.devices().isEmpty && other.absences.map(\.message) == [Self.refusal])
  }

  @Test func `a certificate that no authority has signed is refused, unless any is taken`() throws {
    let server = try MotionJPEGServer()
    defer { server.close() }
    let front = try TLSFront(to: server.port)
    let address = "https://127.0.0.1:\(front.port)/"
    let strict = try provider(address)
    #expect(strict.devices().isEmpty && strict.absences.map(\.message) == [Self.refusal])
    #expect(try streams(try provider(address, ", \"trustsAnyCertificate\": true")))
  }

  @Test func `a certificate of another host is refused`() throws {
    let server = try MotionJPEGServer()
    defer { server.close() }
    let front = try TLSFront(to: server.port, for: "DNS:yard.local")
    let provider = try provider(
      "https://127.0.0.1:\(front.port)/", ", \"certificates\": \"\(front.certificate)\"")
    #expect(provider.devices().isEmpty && provider.absences.map(\.message) == [Self.refusal])
  }

  @Test func `RTSP over TLS takes no certificate unseen, one that is named, and any where it is told to`()
    throws
  {
    let server = try RTSPServer()
    defer { server.close() }
    let front = try TLSFront(to: server.port)
    let address = "rtsps://127.0.0.1:\(front.port)/stream"
    let strict = try provider(address)
    #expect(strict.devices().isEmpty && strict.absences.map(\.message) == [Self.refusal])
    #expect(server.requests.isEmpty)
    #expect(try streams(try provider(address, ", \"certificates\": \"\(front.certificate)\"")))
    #expect(try streams(try provider(address, ", \"trustsAnyCertificate\": true")))
  }

  @Test(arguments: [
    ("rtsps", PortAnswer.plainText), ("rtsps", .end), ("rtsps", .reset), ("https", .plainText),
  ])
  func `the error names a port that does not speak TLS`(scheme: String, answer: PortAnswer) throws {
    let (listener, port) = try answer.listening()
    defer { shutdown(listener, Int32(SHUT_RDWR)) }
    let provider = try provider("\(scheme)://127.0.0.1:\(port)/stream")
    #expect(provider.devices().isEmpty)
    #expect(
      provider.absences.map(\.message) == [
        "Door is not there: it does not answer by TLS at that port, or not as this machine asks for it."
      ])
  }

  @Test func `a camera that ends the connection after the handshake is not said to lack TLS`() throws {
    let (listener, port) = try PortAnswer.end.listening()
    defer { shutdown(listener, Int32(SHUT_RDWR)) }
    let front = try TLSFront(to: port)
    let provider = try provider(
      "https://127.0.0.1:\(front.port)/", ", \"certificates\": \"\(front.certificate)\"")
    #expect(provider.devices().isEmpty)
    #expect(provider.absences.map(\.message) == ["Door is not there: the connection failed (End of file)."])
  }

  /// How a port answers a client's first bytes.
  enum PortAnswer {
    case plainText
    case end
    case reset

    /// Answers each connection to a port until the socket is shut down.
    func listening() throws -> (socket: Int32, port: UInt16) {
      let (listener, port) = try LocalSocket.listening()
      Thread.detachNewThread {
        while true {
          let number = accept(listener, nil, nil)
          guard number >= 0 else { break }
          give(to: number)
          close(number)
        }
        close(listener)
      }
      return (listener, port)
    }

    private func give(to socket: Int32) {
      var bytes = [UInt8](repeating: 0, count: 4096)
      switch self {
      case .plainText:
        _ = recv(socket, &bytes, 1, 0)
        let text = "RTSP/1.0 400 Bad Request\r\n\r\n"
        _ = send(socket, text, text.utf8.count, Int32(MSG_NOSIGNAL))
      case .end: _ = recv(socket, &bytes, bytes.count, 0)
      // Closed with unread bytes, a connection is reset.
      case .reset: _ = recv(socket, &bytes, 1, 0)
      }
    }
  }

  @Test(arguments: ["/nowhere/at/all.pem": "cannot be read", "/etc/passwd": "holds none in PEM"])
  func `a file without certificates is said before any camera is asked`(file: String, problem: String)
    throws
  {
    let error = #expect(throws: CaptureDeviceError.self) {
      try provider("https://127.0.0.1:1/", ", \"certificates\": \"\(file)\"")
    }
    #expect(error?.code == .invalidScene)
    let end = "\(file) for https://127.0.0.1:1/, which \(problem); name one in PEM."
    #expect(error?.message.hasSuffix(end) == true)
  }
}
