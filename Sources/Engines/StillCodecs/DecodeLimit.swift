internal import FoundationExtras

/// The limits of pixels and memory for decoding a picture, checked against the file's header.
enum DecodeLimit {
  /// The most pixels a file may claim: twice the largest phone sensor.
  static let pixels = 400_000_000
  /// The most bytes of memory that one decoding takes, the file's own included.
  static let memory = 512 << 20
  /// No coder here packs more pixels into a byte of a real picture; a truncated one may fall short, hence the slack.
  static let pixelsPerByte = 2048
  static let slack = 16_000_000

  /// Refuses a picture whose size its file cannot hold.
  static func check(width: Int, height: Int, fileBytes: Int, format: StillFormat) throws(StillCodecError) {
    let claim = "The \(format.name) picture cannot be decoded: it claims \(width) by \(height) pixels"
    guard width > 0, height > 0 else { throw StillCodecError(.damaged, "\(claim); it is damaged.") }
    let (count, overflow) = width.multipliedReportingOverflow(by: height)
    guard !overflow, count <= pixels else {
      throw StillCodecError(
        .tooLarge, "\(claim), and at most \(pixels / 1_000_000) megapixels are read; make it smaller.")
    }
    guard count <= fileBytes * pixelsPerByte + slack else {
      throw StillCodecError(.tooLarge, "\(claim) in \(fileBytes) bytes; it is damaged or made to harm.")
    }
  }

  /// Refuses a decoding that takes `bytes` of memory beside the `fileBytes` of the file.
  static func check(
    bytes: Int, fileBytes: Int, width: Int, height: Int, format: StillFormat
  ) throws(StillCodecError) {
    guard bytes + fileBytes > memory else { return }
    throw StillCodecError(
      .tooLarge,
      "The \(format.name) picture cannot be decoded: \(width) by \(height) pixels take \(ByteCount.text(bytes + fileBytes)) of memory, and \(ByteCount.text(memory)) is the most; save it in a smaller size."
    )
  }
}

extension StillFormat {
  /// The format's name.
  var name: String { rawValue.uppercased() }
}
