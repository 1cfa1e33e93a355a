internal import CoreMedia
public import Foundation
internal import FoundationExtras
internal import VideoCodecs

/// Converts linear PCM: samples, rate, and channels; codes it as AAC or Opus, and decodes what is coded.
///
/// Not thread-safe. Apple: `AVAudioConverter`.
public final class AVAudioConverter: NSObject {
  /// What goes in.
  ///
  /// Apple: `AVAudioConverter.inputFormat`.
  public let inputFormat: AVAudioFormat
  /// What comes out.
  ///
  /// Apple: `AVAudioConverter.outputFormat`.
  public let outputFormat: AVAudioFormat
  private var resampler: AudioResampler?
  private var encoding: PacketEncoding?
  private var decoding: PacketDecoding?
  private var hasEnded = false
  /// Whether all that was inside has come out behind the end.
  private var isDrained = false

  /// A conversion; `nil` for linear PCM without native samples of 16, 32 or 64 bits, from one coding to another, and where there is no
  /// encoder or decoder.
  ///
  /// Apple: `AVAudioConverter.init(from:to:)`.
  public init?(from fromFormat: AVAudioFormat, to toFormat: AVAudioFormat) {
    inputFormat = fromFormat
    outputFormat = toFormat
    let channels = Int(fromFormat.channelCount)
    channelMap = (0..<Int(toFormat.channelCount)).map {
      NSNumber(value: channels == 1 ? 0 : $0 < channels ? $0 : -1)
    }
    super.init()
    switch (fromFormat.isPCM, toFormat.isPCM) {
    case (true, true): guard (try? opened()) != nil else { return nil }
    case (true, false): guard (try? openedEncoding()) != nil else { return nil }
    case (false, true): guard Self.canDecode(fromFormat) else { return nil }
    case (false, false): return nil
    }
  }

  private static func canDecode(_ format: AVAudioFormat) -> Bool {
    // What configures the decoder may come later, as the magic cookie.
    format.streamDescription.pointee.mFormatID == kAudioFormatMPEG4AAC
      || (try? PacketDecoding(from: format, to: AVAudioFormat.decoded(format))) != nil
  }

  /// Bits in a second of what is coded; 0 for the encoder's own, 64 000 for a channel.
  ///
  /// Apple: `AVAudioConverter.bitRate`.
  public var bitRate = 0 {
    didSet { encoding = nil }
  }

  /// The bit rates that the encoder takes, in bits in a second; `nil` where nothing is coded.
  ///
  /// Apple: `AVAudioConverter.applicableEncodeBitRates`.
  public var applicableEncodeBitRates: [NSNumber]? {
    guard inputFormat.isPCM, !outputFormat.isPCM else { return nil }
    let channels = Int(outputFormat.channelCount)
    return [16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160]
      .map { NSNumber(value: $0 * 1000 * channels) }
  }

  /// The codec's configuration: of what was coded, for a decoder; or of what is decoded, to be set before the first packet.
  ///
  /// Apple: `AVAudioConverter.magicCookie`.
  public var magicCookie: Data? {
    get { (try? openedEncoding())?.cookie ?? cookie ?? inputFormat.magicCookie }
    set {
      cookie = newValue
      decoding = nil
    }
  }
  private var cookie: Data?

  /// The bytes of the largest packet that is put out.
  ///
  /// Apple: `AVAudioConverter.maximumOutputPacketSize`.
  public var maximumOutputPacketSize: Int {
    // AAC's limit: 6144 bits of a channel in a packet. Opus has the smaller one of 1275 bytes.
    outputFormat.isPCM
      ? Int(outputFormat.streamDescription.pointee.mBytesPerPacket) : 768 * Int(outputFormat.channelCount)
  }

  /// Whether channels are mixed into fewer, instead of left out; `false` by default.
  ///
  /// Apple: `AVAudioConverter.downmix`.
  public var downmix = false {
    didSet { resampler = nil }
  }

  /// For each channel that comes out the one that goes in, -1 for silence.
  ///
  /// Without ``downmix``. One channel goes into all by default. Apple: `AVAudioConverter.channelMap`.
  public var channelMap: [NSNumber] {
    didSet { resampler = nil }
  }

  /// Whether noise replaces the steps where bits are lost; `false` by default.
  ///
  /// Apple: `AVAudioConverter.dither`.
  public var dither = false {
    didSet { resampler = nil }
  }

  /// How good a change of the rate is: one of ``AVAudioQuality``, medium by default.
  ///
  /// Apple: `AVAudioConverter.sampleRateConverterQuality`.
  public var sampleRateConverterQuality = AVAudioQuality.medium.rawValue {
    didSet { resampler = nil }
  }

  /// What happens at the ends; ``AVAudioConverterPrimeMethod/normal`` by default.
  ///
  /// Apple: `AVAudioConverter.primeMethod`.
  public var primeMethod = AVAudioConverterPrimeMethod.normal {
    didSet { resampler = nil }
  }

  /// How far a change of the rate looks beyond a moment.
  ///
  /// Apple: `AVAudioConverter.primeInfo`.
  public var primeInfo: AVAudioConverterPrimeInfo {
    let reach = AVAudioFrameCount((try? opened())?.reach ?? 0)
    return AVAudioConverterPrimeInfo(leadingFrames: reach, trailingFrames: reach)
  }

  /// Forgets what waits inside, so that another stream can begin.
  ///
  /// Apple: `AVAudioConverter.reset()`.
  public func reset() {
    (resampler, encoding, decoding) = (nil, nil, nil)
    (hasEnded, isDrained) = (false, false)
  }

  func openedEncoding() throws(CodecError) -> PacketEncoding? {
    guard inputFormat.isPCM, !outputFormat.isPCM else { return nil }
    if let encoding { return encoding }
    let made = try PacketEncoding(from: inputFormat, to: outputFormat, bitRate: bitRate)
    encoding = made
    return made
  }

  func openedDecoding() throws -> PacketDecoding {
    if let decoding { return decoding }
    let made = try PacketDecoding(from: inputFormat.with(cookie: cookie), to: outputFormat)
    decoding = made
    return made
  }

  private func opened() throws(CodecError) -> AudioResampler {
    if let resampler { return resampler }
    var settings = AudioResampler.Settings()
    settings.filterSize =
      switch sampleRateConverterQuality {
      case ..<AVAudioQuality.low.rawValue: 8
      case ..<AVAudioQuality.medium.rawValue: 16
      case ..<AVAudioQuality.high.rawValue: 32
      case ..<AVAudioQuality.max.rawValue: 64
      default: 128
      }
    settings.dithers = dither
    settings.channelMap = downmix ? nil : channelMap.map(\.intValue)
    guard downmix || channelMap.count == Int(outputFormat.channelCount) else {
      throw CodecError(.unsuitable, "A channel map needs an entry for each channel that comes out.")
    }
    let made = try AudioResampler(
      from: inputFormat.streamDescription.pointee, to: outputFormat.streamDescription.pointee, settings)
    switch primeMethod {
    case .normal: break
    case .pre:
      made.drop(Int((Double(made.reach) * outputFormat.sampleRate / inputFormat.sampleRate).rounded()))
    case .none: if made.reach > 0 { made.insertSilence(made.reach) }
    }
    resampler = made
    return made
  }

  // MARK: Converting

  /// Converts a buffer whose rate stays.
  ///
  /// - Throws: An error of `NSOSStatusErrorDomain` when formats are not the converter's, rates differ, or the audio does not fit.
  ///
  /// Apple: `AVAudioConverter.convert(to:from:)`.
  public func convert(to outputBuffer: AVAudioPCMBuffer, from inputBuffer: AVAudioPCMBuffer) throws {
    guard inputBuffer.format.isEqual(inputFormat), outputBuffer.format.isEqual(outputFormat),
      inputFormat.sampleRate == outputFormat.sampleRate,
      outputBuffer.frameCapacity >= inputBuffer.frameLength
    else {
      throw Self.error(
        -50, "Buffers must have the converter's formats, one rate, and room for what comes out.")
    }
    do throws(CodecError) {
      let count = try opened().convert(
        into: outputBuffer.planes(from: 0), room: Int(outputBuffer.frameCapacity),
        from: inputBuffer.planes(from: 0).map { UnsafeRawPointer($0) }, frames: Int(inputBuffer.frameLength))
      outputBuffer.frameLength = AVAudioFrameCount(count)
    } catch {
      throw Self.error(-50, error.description)
    }
  }

  static func error(_ code: Int, _ sentence: String) -> NSError {
    NSError(
      domain: NSOSStatusErrorDomain, code: code, userInfo: [NSLocalizedDescriptionKey: sentence])
  }

  /// Fills a buffer with audio that a block gives; rates may differ.
  ///
  /// The block is called on this thread until the buffer is full, or it has no more.
  ///
  /// - Parameters:
  ///   - outputBuffer: An `AVAudioPCMBuffer` of the output format, or an `AVAudioCompressedBuffer` of a coded one; its length is set.
  ///   - outError: Gets why nothing could be converted.
  ///   - inputBlock: Gives buffers of the input format.
  ///
  /// Apple: `AVAudioConverter.convert(to:error:withInputFrom:)`.
  public func convert(
    to outputBuffer: AVAudioBuffer, error outError: UnsafeMutablePointer<NSError?>?,
    withInputFrom inputBlock: AVAudioConverterInputBlock
  ) -> AVAudioConverterOutputStatus {
    guard outputBuffer.format.isEqual(outputFormat) else {
      outError?.pointee = Self.error(-50, "What comes out needs a buffer of the converter's output format.")
      return .error
    }
    do {
      if let output = outputBuffer as? AVAudioCompressedBuffer { return try code(output, inputBlock) }
      guard let output = outputBuffer as? AVAudioPCMBuffer else {
        throw Self.error(-50, "What comes out needs a PCM or a compressed buffer.")
      }
      return inputFormat.isPCM ? try fill(output, inputBlock) : try decode(output, inputBlock)
    } catch let error as CodecError {
      outError?.pointee = Self.error(-50, error.description)
      return .error
    } catch {
      outError?.pointee = error as NSError
      return .error
    }
  }

  private func fill(
    _ output: AVAudioPCMBuffer, _ inputBlock: AVAudioConverterInputBlock
  ) throws -> AVAudioConverterOutputStatus {
    let resampler = try opened()
    let room = Int(output.frameCapacity)
    output.frameLength = 0
    // What waits inside comes first.
    let nothing = [UnsafeRawPointer?](repeating: nil, count: Int(inputFormat.channelCount))
    var done =
      isDrained
      ? 0 : try resampler.convert(into: output.planes(from: 0), room: room, from: nothing, frames: 0)
    while done < room, !hasEnded {
      var status = AVAudioConverterInputStatus.haveData
      let wanted = Double(room - done) * inputFormat.sampleRate / outputFormat.sampleRate
      let given = inputBlock(AVAudioPacketCount(wanted.rounded(.up)), &status)
      if status == .endOfStream {
        hasEnded = true
        break
      }
      guard status == .haveData, let input = given as? AVAudioPCMBuffer, input.frameLength > 0 else {
        output.frameLength = AVAudioFrameCount(done)
        return .inputRanDry
      }
      guard input.format.isEqual(inputFormat) else {
        throw Self.error(-50, "What goes in must have the converter's input format.")
      }
      done += try resampler.convert(
        into: output.planes(from: done), room: room - done,
        from: input.planes(from: 0).map { UnsafeRawPointer($0) }, frames: Int(input.frameLength))
    }
    if done < room, hasEnded, !isDrained {
      let rest = try resampler.convert(
        into: output.planes(from: done), room: room - done, from: nil, frames: 0)
      isDrained = done + rest < room
      done += rest
    }
    output.frameLength = AVAudioFrameCount(done)
    return done == 0 && room > 0 ? .endOfStream : .haveData
  }
}
