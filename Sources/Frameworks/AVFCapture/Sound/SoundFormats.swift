internal import CaptureDevice
internal import SoundTransforms

extension DeviceFacts {
  /// Whether the device delivers sound and no pictures.
  var isMicrophone: Bool { !media.contains(.video) && media.contains(.audio) }

  /// The microphone's format of a number; its first for a number that it has not.
  func soundFormat(at index: Int) -> SoundStreamFormat {
    soundFormats.indices.contains(index)
      ? soundFormats[index] : soundFormats.first ?? SoundStreamFormat.usual[0]
  }
}

extension SoundFormat {
  /// What a microphone sends in a format of its own.
  init(_ format: SoundStreamFormat) {
    self.init(rate: Double(format.rate), channels: format.channels)
  }
}
