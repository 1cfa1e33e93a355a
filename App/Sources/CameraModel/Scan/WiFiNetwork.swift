/// A wireless network as codes name it: `WIFI:T:WPA;S:name;P:password;H:true;;`.
package struct WiFiNetwork: Sendable, Equatable {
  package var name: String
  /// `nil` for a network that is open.
  package var password: String?
  package var isHidden: Bool

  /// Reads a code's text; `nil` for what is no network.
  package init?(_ text: String) {
    guard text.prefix(5).uppercased() == "WIFI:" else { return nil }
    var fields: [String: String] = [:]
    var key: String?
    var word = ""
    var isEscaped = false
    for character in text.dropFirst(5) {
      if isEscaped {
        word.append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == ":", key == nil {
        key = word.uppercased()
        word = ""
      } else if character == ";" {
        if let key { fields[key] = word }
        key = nil
        word = ""
      } else {
        word.append(character)
      }
    }
    guard let name = fields["S"], !name.isEmpty else { return nil }
    self.name = name
    let isOpen = (fields["T"] ?? "nopass").lowercased() == "nopass"
    password = isOpen ? nil : fields["P"].flatMap { $0.isEmpty ? nil : $0 }
    isHidden = fields["H"]?.lowercased() == "true"
  }

  /// The arguments of NetworkManager's `nmcli` to join; it asks for the password.
  package var joinArguments: [String] {
    (password == nil ? [] : ["--ask"]) + ["device", "wifi", "connect", name]
      + (isHidden ? ["hidden", "yes"] : [])
  }
}
