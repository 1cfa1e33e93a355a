import CaptureDevice
import CaptureStage
import CoreMedia
import Foundation
import Linux
import MediaStreaming
import Testing

extension ScriptedCamera {
  /// The script of a camera that describes its streams so, sends by its connection, and sends these bytes once it plays.
  static func stream(_ description: String, _ sent: [UInt8]) -> @Sendable (Request) -> [UInt8] {
    { request in
      switch request.method {
      case "OPTIONS": request.answer(200, ["Public: DESCRIBE, SETUP, PLAY, GET_PARAMETER"])
      case "DESCRIBE":
        request.answer(
          200, ["Content-Type: application/sdp", "Content-Base: \(request.address)/"], body: description)
      case "SETUP":
        request.answer(200, ["Session: 7;timeout=60", "Transport: RTP/AVP/TCP;unicast;interleaved=0-1"])
      case "PLAY": request.answer(200) + sent
      default: request.answer()
      }
    }
  }

  /// Reads the camera's video; a machine under load has half a minute for it.
  func open(_ change: (inout RTSPSource) -> Void = { _ in }) throws -> NetworkInput {
    var source = RTSPSource(address)
    source.wantsAudio = false
    change(&source)
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
    return try NetworkInput(source) { MonotonicInstant.now > deadline }
  }
}

/// The pictures of one stream, unit by unit.
struct StreamPictures {
  let encoding: FrameEncoding
  private let pictures = CodedPictures()
  private let key: CodedPicture
  /// The parameter sets.
  let sets: [[UInt8]]

  init(_ encoding: FrameEncoding = .h264) throws {
    self.encoding = encoding
    key = try pictures.picture(0, encoding, isKeyFrame: true)
    sets = try CodedUnits.parameterSets(of: key.format, encoding)
  }

  /// The units of the first picture, a key frame.
  var first: [[UInt8]] {
    get throws { CodedUnits.units(in: Array(try key.data.dataBytes())) }
  }

  /// The units of a later picture.
  func later(_ number: UInt32) throws -> [[UInt8]] {
    CodedUnits.units(in: Array(try pictures.picture(number, encoding, isKeyFrame: false).data.dataBytes()))
  }

  /// A slice of the same picture as one that is given: one that does not begin it.
  func furtherSlice(_ slice: [UInt8]) -> [UInt8] {
    var slice = slice
    slice[encoding == .hevc ? 2 : 1] &= 0x7F
    return slice
  }

  /// The camera's description of the stream.
  func description(hasSets: Bool = true, rate: Int? = 30) -> String {
    CodedUnits.description(encoding, sets: hasSets ? sets : [], rate: rate)
  }

  /// Units as they are given: behind start codes.
  static func joined(_ units: [[UInt8]]) -> [UInt8] { units.flatMap { [0, 0, 0, 1] + $0 } }
}

extension NetworkInput.Packet {
  /// The bytes, which live longer than the packet.
  var copied: [UInt8] { withExtendedLifetime(self) { Array(bytes) } }
}
