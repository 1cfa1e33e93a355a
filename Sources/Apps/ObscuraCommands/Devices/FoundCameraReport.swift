internal import Foundation
internal import NetworkDevices

/// The JSON object of `obscura devices --discover --json` for one camera.
///
/// Keys may be added without a new ``version``; none changes its meaning or goes.
struct FoundCameraReport: Encodable, Sendable {
  struct Stream: Encodable, Sendable {
    var name: String
    /// `nil` where it cannot be read, or holds a password.
    var address: String?
    var width: Int?
    var height: Int?
    /// The codec in the camera's words.
    var codec: String?
    /// The most frames in a second.
    var rate: Int?
    /// Whether it stands in `cameras.json`.
    var isKnown: Bool
  }

  /// An entry of `cameras.json` that adds the camera.
  private struct Entry: Encodable {
    var address: String
    var name: String
  }

  var schema = "obscura.network-camera"
  var version = 1
  /// The camera's own number; empty where it has none.
  var id: String
  var name: String
  /// The address of the machine.
  var address: String
  var manufacturer: String?
  var model: String?
  /// Whether it tells its streams only after a login.
  var wantsLogin: Bool
  /// Why its streams are not known, with what to do; `nil` where they are.
  var problem: String?
  var streams: [Stream]
  /// How many more streams it has.
  var moreStreams: Int

  init(_ camera: FoundCamera, known: KnownCameras, path: String) {
    id = camera.id
    name = camera.name
    address = camera.host
    manufacturer = camera.manufacturer
    model = camera.model
    switch camera.access {
    case .told, .failed: wantsLogin = false
    case .wantsLogin, .refusedLogin, .lockedKeyring, .silentKeyring: wantsLogin = true
    }
    problem = Self.problem(camera, path)
    moreStreams = camera.leftOut
    streams = camera.profiles.map { profile in
      let isKnown = profile.address.map { known.entry(for: $0) != nil } ?? false
      return Stream(
        name: profile.name, address: profile.address?.with(user: camera.user), width: profile.width,
        height: profile.height, codec: profile.codec, rate: profile.rate, isKnown: isKnown)
    }
  }

  private static func problem(_ camera: FoundCamera, _ path: String) -> String? {
    let user = camera.user ?? "NAME"
    let store =
      "secret-tool store --label=Camera server \(camera.host) user \(user) protocol rtsp"
    switch camera.access {
    case .told: return nil
    case .failed(let reason):
      let subject = camera.profiles.isEmpty ? "Its streams are not" : "Not all of its streams are"
      return "\(subject) known, because \(reason)."
    case .lockedKeyring:
      return
        "It wants a login, and the keyring, which may have its password, is locked; unlock it and search again."
    case .refusedLogin:
      return
        "It refuses the login of \(user) in \(path) or the keyring; correct the name or the password there and search again."
    case .wantsLogin, .silentKeyring:
      var silence = ""
      if case .silentKeyring(let reason) = camera.access {
        silence = ", and the keyring, which may have its password, cannot be asked, because \(reason)"
      }
      return
        "It wants a login\(silence); put {\"address\": \"rtsp://\(user)@\(camera.host)/\", \"password\": \"…\"} among the cameras of \(path), which only you may read (chmod 600), or the password into the keyring ('\(store)') and --user \(user) behind --discover; then search again."
    }
  }

  /// The same for people.
  var lines: [String] {
    let maker = [manufacturer, model].compactMap(\.self).joined(separator: " ")
    var lines = ["\(name), \(address)" + (maker.isEmpty || maker == name ? "" : " (\(maker))")]
    if let problem { lines.append("   \(problem)") }
    lines += streams.map { "   \($0.text)" }
    if moreStreams > 0 {
      lines.append("   and \(moreStreams) more, which it was not asked for, or did not tell")
    }
    guard let first = streams.first(where: { $0.address != nil && !$0.isKnown }), let place = first.address
    else { return lines }
    if streams.contains(where: \.isKnown) { return lines }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if let entry = try? encoder.encode(Entry(address: place, name: name)) {
      lines.append("   for cameras.json: \(String(decoding: entry, as: UTF8.self))")
    }
    // A comma would be the list's, and a quotation mark the shell's.
    if !place.contains(","), !place.contains("'") {
      lines.append("   for a shell: OBSCURA_DEVICES='\(place)'")
    }
    return lines
  }
}

extension FoundCameraReport.Stream {
  /// A line for people: `Main: rtsp://10.0.0.7/main, 1920×1080, H264, 25/s`.
  fileprivate var text: String {
    var parts = [address ?? "its address cannot be read, or holds a password"]
    if let width, let height { parts.append("\(width)×\(height)") }
    if let codec { parts.append(codec) }
    if let rate { parts.append("\(rate)/s at most") }
    if isKnown { parts.append("in cameras.json") }
    return "\(name): \(parts.joined(separator: ", "))"
  }
}
