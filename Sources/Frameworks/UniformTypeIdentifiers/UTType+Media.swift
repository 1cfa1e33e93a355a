extension UTType {
  /// Pictures in time, or sound.
  ///
  /// Apple: `UTType.audiovisualContent`.
  public static var audiovisualContent: UTType { UTType(declared: "public.audiovisual-content") }

  /// Pictures in time, with or without sound.
  ///
  /// Apple: `UTType.movie`.
  public static var movie: UTType { UTType(declared: "public.movie") }

  /// Pictures in time without sound.
  ///
  /// Apple: `UTType.video`.
  public static var video: UTType { UTType(declared: "public.video") }

  /// Sound.
  ///
  /// Apple: `UTType.audio`.
  public static var audio: UTType { UTType(declared: "public.audio") }

  /// A QuickTime movie.
  ///
  /// Apple: `UTType.quickTimeMovie`.
  public static var quickTimeMovie: UTType { UTType(declared: "com.apple.quicktime-movie") }

  /// An MPEG movie.
  ///
  /// Apple: `UTType.mpeg`.
  public static var mpeg: UTType { UTType(declared: "public.mpeg") }

  /// MPEG-2 pictures.
  ///
  /// Apple: `UTType.mpeg2Video`.
  public static var mpeg2Video: UTType { UTType(declared: "public.mpeg-2-video") }

  /// An MPEG-2 stream.
  ///
  /// Apple: `UTType.mpeg2TransportStream`.
  public static var mpeg2TransportStream: UTType { UTType(declared: "public.mpeg-2-transport-stream") }

  /// An MPEG-4 movie.
  ///
  /// Apple: `UTType.mpeg4Movie`.
  public static var mpeg4Movie: UTType { UTType(declared: "public.mpeg-4") }

  /// MPEG-4 sound.
  ///
  /// Apple: `UTType.mpeg4Audio`.
  public static var mpeg4Audio: UTType { UTType(declared: "public.mpeg-4-audio") }

  /// Protected MPEG-4 sound.
  ///
  /// Apple: `UTType.appleProtectedMPEG4Audio`.
  public static var appleProtectedMPEG4Audio: UTType { UTType(declared: "com.apple.protected-mpeg-4-audio") }

  /// A protected MPEG-4 movie.
  ///
  /// Apple: `UTType.appleProtectedMPEG4Video`.
  public static var appleProtectedMPEG4Video: UTType { UTType(declared: "com.apple.protected-mpeg-4-video") }

  /// MP3 sound.
  ///
  /// Apple: `UTType.mp3`.
  public static var mp3: UTType { UTType(declared: "public.mp3") }

  /// An AVI movie.
  ///
  /// Apple: `UTType.avi`.
  public static var avi: UTType { UTType(declared: "public.avi") }

  /// AIFF sound.
  ///
  /// Apple: `UTType.aiff`.
  public static var aiff: UTType { UTType(declared: "public.aiff-audio") }

  /// WAVE sound.
  ///
  /// Apple: `UTType.wav`.
  public static var wav: UTType { UTType(declared: "com.microsoft.waveform-audio") }

  /// Notes.
  ///
  /// Apple: `UTType.midi`.
  public static var midi: UTType { UTType(declared: "public.midi-audio") }

  /// A list of what to play.
  ///
  /// Apple: `UTType.playlist`.
  public static var playlist: UTType { UTType(declared: "public.playlist") }

  /// A list of what to play, as HLS has it.
  ///
  /// Apple: `UTType.m3uPlaylist`.
  public static var m3uPlaylist: UTType { UTType(declared: "public.m3u-playlist") }
}
