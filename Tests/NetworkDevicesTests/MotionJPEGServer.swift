import CaptureDevice
import CoreVideo
import Foundation
import Glibc
import Linux
import NetworkStage
import SeededNumbers
import StillCodecs
import Testing

/// A camera of the network: an HTTP server of this process that sends pictures of motion JPEG, thirty a second.
///
/// Source: RFC 2046, `multipart/x-mixed-replace`.
final class MotionJPEGServer: Sendable {
  private struct State {
    /// The connections that get pictures.
    var clients: [Int32] = []
    var sent = 0
    /// How many of the next pictures are sent by half.
    var halves = 0
    /// Whether the next picture is the last, and its second half does not come.
    var hangsUp = false
  }

  static let size = FrameSize(width: 160, height: 120)

  let port: UInt16
  /// The pictures that it sends, again and again.
  let pictures: [Data]
  private let listener: Int32
  private let state = Monitor(State())
  private let isOver = Monitor(false)

  /// A server that listens.
  init() throws {
    pictures = try [1, 2, 3, 4].map(Self.picture)
    (listener, port) = try LocalSocket.listening()
    accept()
    Thread.detachNewThread { [self] in
      // The sensor's own time, which the end cuts short.
      repeat {
        sendPicture()
      } while isOver.wait(until: .now.advanced(byNanoseconds: 33_333_333), for: { $0 }, then: { _ in }) == nil
    }
  }

  /// Ends it; without that it goes on for ever.
  func close() {
    isOver.withLock { $0 = true }
    shutdown(listener, Int32(SHUT_RDWR))
    hangUp()
  }

  var address: String { "http://127.0.0.1:\(port)/" }

  /// Sends half of the next picture as if that were all of it.
  func sendHalf() { state.withLock { $0.halves = 1 } }

  /// Sends half of the next picture, and hangs up.
  func hangUpInPicture() { state.withLock { $0.hangsUp = true } }

  private func hangUp() {
    state.withLock { state in
      for client in state.clients { shutdown(client, Int32(SHUT_RDWR)) }
      state.clients = []
    }
  }

  private func accept() {
    Thread.detachNewThread { [self] in
      while true {
        let number = Glibc.accept(listener, nil, nil)
        guard number >= 0 else { break }
        Thread.detachNewThread { [self] in
          if hasAsked(number) {
            Self.send(
              Data("HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=frame\r\n\r\n".utf8),
              to: number)
            state.withLock { $0.clients.append(number) }
            var byte: UInt8 = 0
            while read(number, &byte, 1) == 1 {}
          }
          state.withLock { $0.clients.removeAll { $0 == number } }
          Glibc.close(number)
        }
      }
      Glibc.close(listener)
    }
  }

  /// Reads a request to its end; whether that came.
  private func hasAsked(_ number: Int32) -> Bool {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while read(number, &byte, 1) == 1 {
      bytes.append(byte)
      if bytes.suffix(4) == [13, 10, 13, 10] { return true }
    }
    return false
  }

  private func sendPicture() {
    state.withLock { state in
      guard !state.clients.isEmpty else { return }
      let whole = pictures[state.sent % pictures.count]
      state.sent += 1
      var part = whole
      var length = whole.count
      if state.hangsUp || state.halves > 0 {
        part = whole.prefix(whole.count / 2)
        if !state.hangsUp {
          state.halves -= 1
          length = part.count
        }
      }
      let head = Data("--frame\r\nContent-Type: image/jpeg\r\nContent-Length: \(length)\r\n\r\n".utf8)
      let tail = Data((state.hangsUp ? "" : "\r\n").utf8)
      for client in state.clients {
        Self.send(head + part + tail, to: client)
        if state.hangsUp { shutdown(client, Int32(SHUT_RDWR)) }
      }
      if state.hangsUp { (state.clients, state.hangsUp) = ([], false) }
    }
  }

  private static func send(_ data: Data, to number: Int32) {
    let bytes = Array(data)
    _ = Glibc.send(number, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  /// A picture of noise, which has much to be cut.
  private static func picture(_ seed: UInt64) throws -> Data {
    var made: CVPixelBuffer?
    CVPixelBufferCreate(
      nil, size.width, size.height, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, nil, &made)
    let buffer = try #require(made)
    CVPixelBufferLockBaseAddress(buffer, [])
    defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
    var dice = SeededGenerator(seed: seed)
    for plane in 0..<2 {
      let bytes = UnsafeMutableRawBufferPointer(
        start: CVPixelBufferGetBaseAddressOfPlane(buffer, plane),
        count: CVPixelBufferGetBytesPerRowOfPlane(buffer, plane)
          * CVPixelBufferGetHeightOfPlane(buffer, plane))
      dice.fill(bytes) { $0 }
    }
    return try JPEGEncoder.encode(buffer)
  }
}
