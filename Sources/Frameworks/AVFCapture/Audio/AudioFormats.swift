internal import CaptureDevice
internal import AudioTransforms

extension DeviceFacts {
  /// Whether the device delivers audio and no pictures.
  var isMicrophone: Bool { !media.contains(.video) && media.contains(.audio) }

  /// The microphone's format of a number; its first for a number that it has not.
  func audioFormat(at index: Int) -> AudioStreamFormat {
    audioFormats.indices.contains(index)
      ? audioFormats[index] : audioFormats.first ?? AudioStreamFormat.usual[0]
  }
}

extension AudioFormat {
  /// What a microphone sends in a format of its own.
  init(_ format: AudioStreamFormat) {
    self.init(rate: Double(format.rate), channels: format.channels)
  }
}
