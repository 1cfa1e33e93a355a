internal import CFFmpeg

/// An encoder of the library that has been opened, for pictures or audio; closed with its last reference.
///
/// Not thread-safe.
final class OpenEncoder {
  /// The encoder itself.
  let codec: OpaquePointer
  /// Its name, such as `libx264`.
  let name: String

  /// Takes over what the library has opened.
  init(_ codec: OpaquePointer, name: String) {
    self.codec = codec
    self.name = name
  }

  deinit {
    cam_codec_close(codec)
  }

  /// The encoder's extra data beside its packets, such as parameter sets; empty where there is none.
  var extradata: UnsafeRawBufferPointer {
    var size = 0
    return UnsafeRawBufferPointer(start: cam_encoder_extradata(codec, &size), count: size)
  }

  /// Takes what a call of the library returned.
  ///
  /// - Throws: ``CodecError``: `failed` for a status below zero.
  func check(_ status: Int32) throws(CodecError) {
    guard status >= 0 else {
      throw CodecError(.failed, "The encoder \(name) failed: \(LibraryStatus.text(status)).")
    }
  }

  /// Ends the input, so that the encoder gives out what it still holds.
  func finish() throws(CodecError) {
    try check(cam_encoder_finish(codec))
  }

  /// Takes every packet that is ready.
  ///
  /// - Parameter make: Makes a sample of a packet, which it comes to own.
  func receive<Sample>(_ make: (OpaquePointer) throws(CodecError) -> Sample) throws(CodecError) -> [Sample] {
    var samples: [Sample] = []
    while true {
      var packet: OpaquePointer?
      try check(cam_encoder_receive(codec, &packet))
      guard let packet else { return samples }
      samples.append(try make(packet))
    }
  }
}
