/// FFmpeg's options of a protocol and a format, as the text that its functions read.
enum ProtocolOptions {
  /// `key=value:key=value`, with a backslash before what would end a value or be left out of it.
  static func text(_ options: [String: String]) -> String {
    options.sorted { $0.key < $1.key }.map { "\($0.key)=\(escaped($0.value))" }.joined(separator: ":")
  }

  private static func escaped(_ value: String) -> String {
    var text = String.UnicodeScalarView()
    for scalar in value.unicodeScalars {
      if "\\': \t\r\n".unicodeScalars.contains(scalar) { text.append("\\") }
      text.append(scalar)
    }
    return String(text)
  }
}
