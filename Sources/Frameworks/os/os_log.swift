internal import Foundation

/// Writes a message of a format and its arguments.
///
/// In the format `%{public}@` shows the value to everyone and `%{private}@` does not; without a word numbers are public, all else is
/// private. Apple: `os_log(_:dso:log:type:_:)`.
public func os_log(
  _ message: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default, type: OSLogType = .default,
  _ args: any CVarArg...
) {
  log.write(type) { MessageFormat("\(message)").text(args, $0) }
}

/// Writes a message of a format and its arguments.
///
/// Apple: `os_log(_:dso:log:_:_:)`.
public func os_log(
  _ type: OSLogType, dso: UnsafeRawPointer? = nil, log: OSLog = .default, _ message: StaticString,
  _ args: any CVarArg...
) {
  log.write(type) { MessageFormat("\(message)").text(args, $0) }
}

/// Writes a message.
///
/// Apple: `os_log(_:)`.
@_disfavoredOverload
public func os_log(_ message: OSLogMessage) {
  OSLog.default.write(.default) { message.text(for: $0) }
}

/// Writes a message of this level.
///
/// Apple: `os_log(_:log:_:)`.
@_disfavoredOverload
public func os_log(_ type: OSLogType, log: OSLog = .default, _ message: OSLogMessage) {
  log.write(type) { message.text(for: $0) }
}

/// A format in the manner of `printf`, whose conversions may have words in braces.
struct MessageFormat {
  private enum Part {
    case text(String)
    case value(conversion: String, words: [Substring])
  }

  private let parts: [Part]

  init(_ format: String) {
    var (parts, text, rest): ([Part], String, Substring) = ([], "", format[...])
    while let character = rest.popFirst() {
      guard character == "%" else {
        text.append(character)
        continue
      }
      if rest.first == "%" {
        rest.removeFirst()
        text.append("%")
        continue
      }
      var words: [Substring] = []
      if rest.first == "{", let end = rest.firstIndex(of: "}") {
        words = rest[rest.index(after: rest.startIndex)..<end].split { $0 == "," || $0 == " " }
        rest = rest[rest.index(after: end)...]
      }
      var conversion = "%"
      while let next = rest.popFirst() {
        conversion.append(next)
        if next.isLetter && !"hlqjzt".contains(next) || next == "@" { break }
      }
      parts += [.text(text), .value(conversion: conversion, words: words)]
      text = ""
    }
    self.parts = parts + [.text(text)]
  }

  func text(_ arguments: [any CVarArg], _ writer: LogWriter) -> String {
    var (text, rest) = ("", arguments[...])
    for part in parts {
      switch part {
      case .text(let literal): text += literal
      case .value(let conversion, let words):
        guard let argument = rest.popFirst() else {
          text += "<missing>"
          continue
        }
        let privacy: OSLogPrivacy =
          words.contains("public")
          ? .public
          : words.contains("sensitive")
            ? .sensitive
            : words.contains("private") ? .private : .auto
        let isPublic = conversion.last.map { !"@sSp".contains($0) } ?? false
        text += privacy.shown(String(format: conversion, arguments: [argument]), isPublic: isPublic, writer)
      }
    }
    return text
  }
}
