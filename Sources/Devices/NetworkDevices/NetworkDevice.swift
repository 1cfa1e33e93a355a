internal import CaptureDevice
internal import CoreMedia
internal import FoundationExtras
internal import Linux
internal import MediaStreaming

/// A camera of the network, or its microphone.
///
/// It has one format, which it was found to send. Thread-safe.
final class NetworkDevice: CaptureDeviceDriver {
  let facts: DeviceFacts
  let camera: NetworkCamera
  private let isOpen = Locked(false)

  private init(_ camera: NetworkCamera, _ facts: DeviceFacts) {
    self.camera = camera
    self.facts = facts
  }

  /// The camera; `nil` where no track has pictures that are read here.
  static func camera(_ camera: NetworkCamera, _ tracks: [NetworkInput.Track]) -> NetworkDevice? {
    guard let format = tracks.firstResult(streamFormat) else { return nil }
    return NetworkDevice(
      camera,
      DeviceFacts(
        uniqueID: "network-\(camera.address.shown)", modelID: "Network Camera", name: camera.name,
        manufacturer: "", kind: .externalCamera, position: .unspecified, media: [.video], formats: [format]))
  }

  /// The microphone; `nil` where no track has audio that is read here.
  static func microphone(_ camera: NetworkCamera, _ tracks: [NetworkInput.Track]) -> NetworkDevice? {
    guard tracks.contains(where: { !$0.isVideo && $0.format != nil }) else { return nil }
    return NetworkDevice(
      camera,
      DeviceFacts(
        uniqueID: "network-microphone-\(camera.address.shown)", modelID: "Network Camera",
        name: "\(camera.name), microphone", manufacturer: "", kind: .externalMicrophone,
        position: .unspecified, media: [.audio], formats: []))
  }

  /// The format of a track's frames; `nil` for what is not read.
  static func streamFormat(of track: NetworkInput.Track) -> StreamFormat? {
    guard track.isVideo, let encoding = encodings[track.codec], let format = track.format else { return nil }
    let size = CMVideoFormatDescriptionGetDimensions(format)
    guard size.width > 0, size.height > 0 else { return nil }
    let rate = track.rate >= 1 && track.rate <= 240 ? track.rate : 30
    let duration = FrameDuration(1000, Int32((rate * 1000).rounded()))
    return StreamFormat(
      size: FrameSize(width: Int(size.width), height: Int(size.height)), encoding: encoding,
      frameDurations: [duration...duration])
  }

  private static let encodings: [String: FrameEncoding] = [
    "h264": .h264, "hevc": .hevc, "mjpeg": .motionJPEG,
  ]

  func openStream(_ configuration: StreamConfiguration) throws(CaptureDeviceError) -> any CaptureStream {
    var granted = configuration
    if facts.media == [.audio] {
      guard facts.audioFormats.contains(configuration.audio) else {
        throw CaptureDeviceError(
          .formatUnsupported,
          "\(facts.name) is not had with \(configuration.audio.channels) channels at \(configuration.audio.rate) Hz; choose one of its formats."
        )
      }
    } else {
      guard let format = facts.formats.first, configuration.format == format,
        configuration.size == format.size, configuration.depth == nil, configuration.bufferCount > 0
      else {
        throw CaptureDeviceError(
          .formatUnsupported,
          "\(facts.name) does not send \(configuration.size) as asked; it has one format, \(facts.formats[0].size)."
        )
      }
      granted.frameDuration = format.frameDurations[0].lowerBound
      granted.bufferCount = min(configuration.bufferCount, 64)
    }
    let wasOpen = isOpen.withLock { isOpen in
      defer { isOpen = true }
      return isOpen
    }
    guard !wasOpen else {
      throw CaptureDeviceError(
        .deviceBusy, "\(facts.name) is in use by another client; close it there and try again.")
    }
    return NetworkStream(self, granted)
  }

  func streamClosed() { isOpen.withLock { $0 = false } }
}
