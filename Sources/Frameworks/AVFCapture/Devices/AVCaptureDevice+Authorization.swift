public import AVFCore
internal import CaptureDevice
internal import FoundationExtras
internal import Linux

extension AVCaptureDevice {
  /// Whether this program may use `mediaType`, without asking the user.
  ///
  /// With several places that devices come from, the most generous answer counts of those that have devices, or keep them back: that all is
  /// allowed where there is nothing says nothing. Media other than video and audio is a programming mistake and `denied`.
  ///
  /// Apple: `AVCaptureDevice.authorizationStatus(for:)`.
  public class func authorizationStatus(for mediaType: AVMediaType) -> AVAuthorizationStatus {
    guard let media = permission(for: mediaType) else {
      reportMedia("authorizationStatus(for:)", mediaType)
      return .denied
    }
    return status(of: media)
  }

  /// Asks the user for `mediaType` where that has not happened yet, and returns the answer.
  ///
  /// - Parameters:
  ///   - mediaType: Video or audio; anything else is a programming mistake and refused.
  ///   - handler: Called once, on any thread, with whether the program may use it.
  ///
  /// Apple: `AVCaptureDevice.requestAccess(for:completionHandler:)`.
  public class func requestAccess(
    for mediaType: AVMediaType, completionHandler handler: @escaping @Sendable (Bool) -> Void
  ) {
    guard let media = permission(for: mediaType) else {
      reportMedia("requestAccess(for:)", mediaType)
      return handler(false)
    }
    let providers = DeviceRegistry.shared.occupiedProviders(of: media).map(\.provider)
    let answers = Answers(expected: providers.count) { handler(status(of: media) == .authorized) }
    for provider in providers {
      provider.requestAccess(for: media) { _ in answers.take() }
    }
  }

  /// Asks the user for `mediaType` where that has not happened yet; whether the program may use it.
  ///
  /// Apple: `AVCaptureDevice.requestAccess(for:)`.
  public class func requestAccess(for mediaType: AVMediaType) async -> Bool {
    await withCheckedContinuation { continuation in
      requestAccess(for: mediaType) { continuation.resume(returning: $0) }
    }
  }

  /// What permission is asked for; distances come with a camera's pictures and need none of their own.
  private class func permission(for mediaType: AVMediaType) -> MediaKind? {
    mediaType == .depthData ? nil : MediaKind(mediaType)
  }

  private class func status(of media: MediaKind) -> AVAuthorizationStatus {
    let answers = DeviceRegistry.shared.occupiedProviders(of: media).map {
      ($0.provider.access(for: media), $0.isOccupied)
    }
    return AVAuthorizationStatus(answers.filter { $0.0 != .granted || $0.1 }.map(\.0))
  }

  private class func reportMedia(_ method: String, _ mediaType: AVMediaType) {
    ProgrammingMistake.report(
      rule: "\(method) was asked for \(mediaType.rawValue); only video and audio need a permission.")
  }

  /// Waits for one answer of each provider.
  private final class Answers: Sendable {
    private let expected: Int
    private let count = Locked(0)
    private let completion: @Sendable () -> Void

    init(expected: Int, completion: @escaping @Sendable () -> Void) {
      self.expected = expected
      self.completion = completion
      if expected == 0 { completion() }
    }

    func take() {
      let count = count.withLock { count in
        count += 1
        return count
      }
      if count == expected { completion() }
    }
  }
}

extension AVAuthorizationStatus {
  /// The most generous of several answers; where nothing refuses, `authorized`.
  init(_ access: [DeviceAccess]) {
    self =
      if access.isEmpty || access.contains(.granted) {
        .authorized
      } else if access.contains(.undetermined) {
        .notDetermined
      } else if access.contains(.denied) {
        .denied
      } else {
        .restricted
      }
  }
}
