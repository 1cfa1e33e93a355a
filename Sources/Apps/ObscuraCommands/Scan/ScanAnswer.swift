internal import AVFoundation
internal import Foundation

/// One code as `obscura scan` prints it.
struct ScanAnswer: LookAnswer {
  var schema = "obscura.code"
  var version = 1
  /// As `--types` names it.
  var type: String
  /// The kind of the payload: `text`, `link`, `wifi`, `contact`, `event` or `bytes`.
  var kind: String
  /// Absent where the code holds no text.
  var text: String?
  /// The text or the bytes of the symbol.
  var bytes: Data
  /// The parts of a network, contact or event; each name with all of its values.
  var fields: [String: [String]]?
  /// The code's own top left, bottom left, bottom right, top right, as fractions of the picture.
  var corners: [[Double]]
  /// The picture that was read; absent for a camera.
  var path: String?
  /// Seconds on the camera's clock; absent for a picture.
  var time: Double?
  /// Absent for a picture.
  var id: String?

  private let payload: ScannedPayload

  private enum CodingKeys: String, CodingKey {
    case schema, version, type, kind, text, bytes, fields, corners, path, time, id
  }

  init(
    type: AVMetadataObject.ObjectType, text: String?, bytes: Data, corners: [CGPoint], path: String? = nil,
    time: Double? = nil
  ) {
    payload = ScannedPayload(text: text, bytes: bytes)
    self.type = CodeName(type)?.rawValue ?? type.rawValue
    kind = payload.word
    self.text = text
    self.bytes = bytes
    if !payload.fields.isEmpty {
      fields = Dictionary(grouping: payload.fields, by: \.name).mapValues { $0.map(\.value) }
    }
    self.corners = corners.map { [Self.rounded($0.x), Self.rounded($0.y)] }
    self.path = path
    self.time = time
  }

  init(_ code: AVMetadataMachineReadableCodeObject) {
    self.init(
      type: code.type, text: code.stringValue, bytes: code.payload, corners: code.corners,
      time: code.time.seconds)
  }

  /// The line for people: what sort of code, what it is for, and what it holds.
  var line: String {
    let place = path.map { "\(EscapedText.escape($0)): " } ?? ""
    return "\(place)\(type)  \(kind)  \(payload.line)"
  }

  var subject: String { "code" }

  var isFinding: Bool { true }

  /// The key by which two sightings are the same code.
  var identity: [String] { [type, bytes.base64EncodedString()] }

  private static func rounded(_ number: CGFloat) -> Double { (Double(number) * 1e5).rounded() / 1e5 }
}
