internal import CameraTasks
internal import Foundation

/// The destination and the format of an answer that is a file: `-o`, `--format` and `--force`.
struct OutputChoice<Format: RawRepresentable & CaseIterable> where Format.RawValue == String {
  enum Place {
    case standardOutput
    case file(PictureFile)
    /// No place was named.
    case library
  }

  var place: Place
  /// `nil` when neither `--format` nor the file's extension names one.
  var format: Format?

  /// Reads the options.
  ///
  /// - Parameters:
  ///   - what: What is written, as the start of a sentence: `A photo`.
  ///   - files: The extensions that can be written, for people.
  ///   - format: The format that an extension names.
  /// - Throws: ``CommandError`` with ``ExitCode/usage``, for an extension of another format, too.
  init(
    _ arguments: Arguments, what: String, files: String, environment: [String: String],
    format formatOf: (String) -> Format?
  ) throws {
    let path = arguments["output"]
    format = try arguments.choice("format", of: Format.self)
    switch path {
    case "-":
      guard !arguments.has("json") else {
        throw CommandError(.usage, "-o - and --json both want standard output; choose one.")
      }
      place = .standardOutput
    case let path?:
      let fileExtension = Self.fileExtension(path)
      if format == nil, !fileExtension.isEmpty {
        format = formatOf(fileExtension)
        guard format != nil else {
          let other = arguments.knows("format") ? ", or add --format" : ""
          throw CommandError(
            .usage, "\(what) cannot be written as .\(fileExtension); name a \(files) file\(other).")
        }
      }
      place = .file(try .named(path, overwrites: arguments.has("force"), environment: environment))
    case nil:
      place = .library
    }
  }

  /// The part after the last dot of the name; empty for a name that only begins with one.
  private static func fileExtension(_ path: String) -> String {
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex, name != ".." else { return "" }
    return String(name[dot...].dropFirst())
  }
}
