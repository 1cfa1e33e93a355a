public import CoreMedia

extension AVAudioFormat {
  /// The format of a description, whose channels a layout arranges.
  ///
  /// - Parameter layout: The arrangement; `nil` does for one or two channels.
  /// - Returns: `nil` when the layout has another number of channels, or more than two channels lack one.
  ///
  /// Apple: `AVAudioFormat.init(streamDescription:channelLayout:)`.
  public convenience init?(
    streamDescription asbd: UnsafePointer<AudioStreamBasicDescription>,
    channelLayout layout: AVAudioChannelLayout?
  ) {
    guard let layout else {
      self.init(streamDescription: asbd)
      return
    }
    let basic = asbd.pointee
    guard basic.mSampleRate > 0, basic.mChannelsPerFrame == layout.channelCount,
      let format = try? CMFormatDescription(
        audioStreamBasicDescription: basic, layoutSize: layout.size, layout: layout.layout, magicCookie: nil)
    else { return nil }
    self.init(basic, format, layout)
  }

  /// Floating-point numbers of 32 bits, each channel by itself.
  ///
  /// Apple: `AVAudioFormat.init(standardFormatWithSampleRate:channelLayout:)`.
  public convenience init(
    standardFormatWithSampleRate sampleRate: Double, channelLayout layout: AVAudioChannelLayout
  ) {
    self.init(
      commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, interleaved: false, channelLayout: layout)
  }

  /// A common format with a layout; ``AVAudioCommonFormat/otherFormat`` and a rate that is not above zero give a format that nothing
  /// takes, of no rate and no channels.
  ///
  /// Apple: `AVAudioFormat.init(commonFormat:sampleRate:interleaved:channelLayout:)`.
  public convenience init(
    commonFormat format: AVAudioCommonFormat, sampleRate: Double, interleaved: Bool,
    channelLayout layout: AVAudioChannelLayout
  ) {
    guard sampleRate > 0,
      let basic = Self.description(format, sampleRate, layout.channelCount, interleaved),
      let description = try? CMFormatDescription(
        audioStreamBasicDescription: basic, layoutSize: layout.size, layout: layout.layout, magicCookie: nil)
    else {
      self.init(noneWith: layout)
      return
    }
    self.init(basic, description, layout)
  }

  /// A format of no rate and no channels: that of an input that is not there.
  convenience init(noneWith layout: AVAudioChannelLayout? = nil) {
    var basic = AudioStreamBasicDescription()
    basic.mFormatID = kAudioFormatLinearPCM
    // Safe because a description without extensions is refused for no numbers.
    guard let description = try? CMFormatDescription(audioStreamBasicDescription: basic) else {
      preconditionFailure("Core Media refused a description of no audio.")
    }
    self.init(basic, description, layout)
  }
}
