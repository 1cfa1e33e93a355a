/// The messages of ONVIF's services, and of the search for their devices, as XML.
///
/// Source: SOAP 1.2; Web Services Dynamic Discovery (April 2005); ONVIF Core and Media Service Specifications.
package enum SOAPMessage {
  static let envelope = "http://www.w3.org/2003/05/soap-envelope"
  static let device = "http://www.onvif.org/ver10/device/wsdl"
  static let media = "http://www.onvif.org/ver10/media/wsdl"
  private static let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"

  /// The question for cameras, which those that hear it answer with the number in theirs.
  ///
  /// - Parameter id: A UUID of this search.
  package static func probe(_ id: String) -> String {
    let discovery = "http://schemas.xmlsoap.org/ws/2005/04/discovery"
    return [
      head, "<s:Envelope xmlns:s=\"\(envelope)\"",
      " xmlns:a=\"http://schemas.xmlsoap.org/ws/2004/08/addressing\" xmlns:d=\"\(discovery)\"",
      " xmlns:dn=\"http://www.onvif.org/ver10/network/wsdl\"><s:Header>",
      "<a:MessageID>urn:uuid:\(escaped(id))</a:MessageID>",
      "<a:To>urn:schemas-xmlsoap-org:ws:2005:04:discovery</a:To><a:Action>\(discovery)/Probe</a:Action>",
      "</s:Header><s:Body><d:Probe><d:Types>dn:NetworkVideoTransmitter</d:Types></d:Probe></s:Body></s:Envelope>",
    ].joined()
  }

  /// A question to one camera.
  ///
  /// - Parameters:
  ///   - body: What stands in the message's body.
  ///   - token: Who asks; `nil` where the camera has not wanted to know.
  package static func request(_ body: String, token: UsernameToken? = nil) -> String {
    let header = token.map { "<s:Header>\($0.markup)</s:Header>" } ?? ""
    return "\(head)<s:Envelope xmlns:s=\"\(envelope)\">\(header)<s:Body>\(body)</s:Body></s:Envelope>"
  }

  /// Text as it stands in a document.
  package static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case _ where scalar.value < 0x20: result += " "
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
