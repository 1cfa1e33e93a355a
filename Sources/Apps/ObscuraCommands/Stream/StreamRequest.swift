internal import AVFoundation
internal import CameraTasks
internal import Foundation
internal import LiveStreaming

/// The request to `obscura stream`, checked before any device is opened.
struct StreamRequest: Sendable {
  var address: URL
  /// What the server asks for beside the address, and how it is trusted.
  var server = LiveStream.Settings()
  var plan = MoviePlan()
  /// The movie beside; `nil` for none.
  var file: PictureFile?

  /// The address for people: without a user's name.
  var shown: String {
    var components = URLComponents(url: address, resolvingAgainstBaseURL: true)
    components?.user = nil
    components?.password = nil
    components?.query = nil
    return components?.string ?? "the server"
  }

  /// Reads the options.
  /// - Throws: ``CommandError`` with ``ExitCode/usage``.
  init(_ arguments: Arguments, environment: [String: String]) throws {
    guard arguments.operands.count == 1, let address = URL(string: arguments.operands[0]) else {
      throw CommandError(
        .usage, "'obscura stream' takes one address, as in 'obscura stream rtmp://server/live'.")
    }
    self.address = address
    let seconds = arguments.number("time") ?? 0
    plan.seconds = seconds > 0 ? seconds : nil
    try CodingOptions.read(arguments, into: &plan)
    server.codec = plan.codec == .hevc ? .hevc : .h264
    server.secret = try arguments["key-file"].map(Self.secret)
    server.certificates = arguments["certificates"].map { URL(fileURLWithPath: $0) }
    server.trustsAnyCertificate = arguments.has("trust-any-certificate")
    if server.trustsAnyCertificate, server.certificates != nil {
      throw CommandError(
        .usage, "--certificates says what is trusted, and --trust-any-certificate trusts all; leave one out.")
    }
    do {
      _ = try LiveStream(to: address, settings: server)
    } catch {
      throw CommandError(.usage, error.description)
    }
    guard let movie = arguments["also-record"] else { return }
    let url = URL(fileURLWithPath: movie)
    guard let format = MoviePlan.Format(fileExtension: url.pathExtension) else {
      throw CommandError(.usage, "--also-record '\(movie)' is no movie; name a file with .mov, .mp4 or .m4v.")
    }
    plan.format = format
    file = try .named(movie, overwrites: arguments.has("force"), environment: environment)
  }

  /// The first line of a file that only its owner may read.
  private static func secret(in path: String) throws -> String {
    let text = try PrivateFile.text(at: path, option: "key-file")
    let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    guard !line.isEmpty else { throw CommandError(.usage, "--key-file '\(path)' is empty.") }
    return line
  }
}
