internal import Foundation

/// The streams that a camera describes: those lines of SDP that are needed to ask for them, and to read them.
///
/// Source: RFC 8866; RFC 2326, appendix C.
package struct SessionDescription: Sendable {
  /// A stream that is sent by RTP.
  package struct Medium: Sendable {
    /// Whether it is video; else audio.
    package let isVideo: Bool
    /// The number that its packets have.
    package let payloadType: Int
    /// Where it is asked for; `nil` where the whole has one address.
    package let control: String?
    /// Pictures in a second, where it says so; else 0.
    package let rate: Double
    /// The description of this stream alone, for the library that reads its packets.
    package let text: String
  }

  /// The most streams that are read of a description.
  package static let mostMedia = 16
  /// What the library is told; the rest leads it elsewhere, or nowhere.
  private static let kept = ["rtpmap:", "fmtp:", "framesize:"]

  /// Where the whole is asked for; `nil` where it does not say.
  package let control: String?
  /// Its streams of video and audio.
  package let media: [Medium]

  /// Reads a description; what is not understood is passed over.
  package init(_ bytes: [UInt8]) {
    var control: String?
    var media: [Medium] = []
    var open: (line: String, attributes: [String])?
    func close() {
      if let open, let medium = Self.medium(open.line, open.attributes), media.count < Self.mostMedia {
        media.append(medium)
      }
    }
    for line in String(decoding: bytes.prefix(RTSPMessage.mostBody), as: UTF8.self).split(
      whereSeparator: \.isNewline)
    {
      let text = line.trimmingCharacters(in: .whitespaces)
      guard text.utf8.count > 2, text.dropFirst().first == "=" else { continue }
      let value = String(text.dropFirst(2))
      switch text.first {
      case "m":
        close()
        open = (value, [])
      case "a":
        if open != nil {
          open?.attributes.append(value)
        } else if value.hasPrefix("control:") {
          control = Self.value(value)
        }
      default: break
      }
    }
    close()
    self.control = control
    self.media = media
  }

  private static func value(_ attribute: String) -> String {
    attribute.drop { $0 != ":" }.dropFirst().trimmingCharacters(in: .whitespaces)
  }

  private static func medium(_ line: String, _ attributes: [String]) -> Medium? {
    let words = line.split(separator: " ")
    guard words.count >= 4, words[0] == "video" || words[0] == "audio", words[2].hasPrefix("RTP/"),
      let type = Int(words[3]), (0...127).contains(type)
    else { return nil }
    // Of several formats the first one is read.
    let told = attributes.filter { attribute in
      attribute.hasPrefix("crypto:")
        || kept.contains { attribute.hasPrefix($0) }
          && value(attribute).split(separator: " ").first == words[3]
    }
    let lines =
      [
        "v=0", "o=- 0 0 IN IP4 0.0.0.0", "s=-", "c=IN IP4 0.0.0.0", "t=0 0",
        "m=\(words[0]) 0 \(words[2]) \(type)",
      ]
      + told.map { "a=\($0)" }
    let rate = attributes.first { $0.hasPrefix("framerate:") }.flatMap { Double(value($0)) } ?? 0
    return Medium(
      isVideo: words[0] == "video", payloadType: type,
      control: attributes.first { $0.hasPrefix("control:") }.map(value),
      rate: rate.isFinite && rate > 0 && rate <= 1000 ? rate : 0,
      text: lines.map { $0 + "\r\n" }.joined())
  }
}
