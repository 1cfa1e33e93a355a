internal import CameraFrames
internal import VideoCodecs

/// How a stream's decoder is opened for a session: as the machine has it, once a wrong choice of the user's has been said.
enum LiveDecoderOpening {
  /// Words of `OBSCURA_DECODERS` that name no decoder, said once in a process.
  private static let note: Void = {
    if let mistake = DecoderSurvey.mistake { Log.note(mistake) }
  }()

  /// Called on the decoder's queue.
  static let usual: StreamDecoder.Opening = { format in
    _ = note
    return StreamDecoder.usual(format)
  }
}
