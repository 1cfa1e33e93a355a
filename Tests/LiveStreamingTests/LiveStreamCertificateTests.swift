import AVFoundation
import CaptureDeviceTesting
import CaptureStage
import Foundation
import Glibc
import Linux
import LiveStreaming
import MediaStreaming
import NetworkStage
import SimulatedDevices
import Testing

extension DeviceSuites {
  @Suite("Streams over TLS", .enabled(if: TLSFront.isInstalled))
  struct LiveStreamCertificates {
    /// A server that takes one connection after the other, and notes the first bytes of each.
    private final class Listener: Sendable {
      let port: UInt16
      private let number: Int32
      private let heard = Monitor<[[UInt8]]>([])

      init() throws {
        (number, port) = try LocalSocket.listening()
        Thread.detachNewThread { [number, heard] in
          while true {
            let connection = Glibc.accept(number, nil, nil)
            guard connection >= 0 else { return }
            var bytes = [UInt8](repeating: 0, count: 16)
            let count = Glibc.recv(connection, &bytes, bytes.count, 0)
            if count > 0 { heard.withLock { $0.append(Array(bytes.prefix(count))) } }
            Glibc.close(connection)
          }
        }
      }

      func close() {
        shutdown(number, Int32(SHUT_RDWR))
        Glibc.close(number)
      }

      /// What clients have said, once one has said something.
      func first() -> [UInt8]? {
        heard.wait(
          until: .now.advanced(byNanoseconds: 40_000_000_000), for: { !$0.isEmpty }, then: { $0[0] })
      }

      var isUnheard: Bool { heard.withLock { $0.isEmpty } }
    }

    /// Streams to an address until something is reported: the first report.
    private func report(_ port: UInt16, _ settings: LiveStream.Settings) throws -> LiveStream.Report? {
      SimulatedDevices.install()
      defer { SimulatedDevices.uninstall() }
      let session = AVCaptureSession()
      session.sessionPreset = .vga640x480
      session.addInput(try AVCaptureDeviceInput(device: #require(AVCaptureDevice.default(for: .video))))
      let reports = Monitor<[LiveStream.Report]>([])
      let address = try #require(URL(string: "rtmps://127.0.0.1:\(port)/live"))
      let stream = try LiveStream(to: address, settings: settings) { report in
        reports.withLock { $0.append(report) }
      }
      stream.add(to: session)
      session.startRunning()
      defer { session.stopRunning() }
      stream.start()
      defer { stream.stop() }
      return reports.wait(
        until: .now.advanced(byNanoseconds: 40_000_000_000), for: { !$0.isEmpty }, then: { $0[0] })
    }

    @Test func `nothing is said to a server whose certificate is not trusted`() throws {
      let listener = try Listener()
      defer { listener.close() }
      let front = try TLSFront(to: listener.port)
      var settings = LiveStream.Settings()
      settings.secret = "s3cret"
      let report = try report(front.port, settings)
      guard case .disconnected(let reason, _)? = report else {
        Issue.record("\(String(describing: report))")
        return
      }
      #expect(reason == "its certificate is of another host, or of no authority that is trusted here")
      #expect(listener.isUnheard)
    }

    @Test(arguments: [false, true])
    func `a server whose certificate is named, or any where any is taken, is spoken to`(takesAny: Bool) throws
    {
      let listener = try Listener()
      defer { listener.close() }
      let front = try TLSFront(to: listener.port)
      var settings = LiveStream.Settings()
      settings.trustsAnyCertificate = takesAny
      if !takesAny { settings.certificates = URL(fileURLWithPath: front.certificate) }
      _ = try report(front.port, settings)
      // The first byte of RTMP is its version.
      #expect(listener.first()?.first == 3)
    }

    @Test(arguments: [
      "/nowhere/certificates.pem": "cannot be read", "/etc/passwd": "holds none in PEM",
    ])
    func `a file without certificates is said before anything is sent`(path: String, problem: String) throws {
      var settings = LiveStream.Settings()
      settings.certificates = URL(fileURLWithPath: path)
      let address = try #require(URL(string: "rtmps://server/live"))
      let error = #expect(throws: LiveStreamError.self) { try LiveStream(to: address, settings: settings) }
      #expect(error?.description == "The file of certificates '\(path)' \(problem); name one in PEM.")
    }

    @Test func `RTSP over TLS is refused where its certificate cannot be checked, unless any is taken`()
      throws
    {
      let address = try #require(URL(string: "rtsps://server/live"))
      var settings = LiveStream.Settings()
      if NetworkOutput.checksCertificates(container: "rtsp") {
        _ = try LiveStream(to: address, settings: settings)
      } else {
        let error = #expect(throws: LiveStreamError.self) { try LiveStream(to: address, settings: settings) }
        #expect(error?.description.contains("cannot check the certificate") == true)
      }
      settings.trustsAnyCertificate = true
      _ = try LiveStream(to: address, settings: settings)
    }
  }
}
