import AVFAudio
import CoreMedia
import Foundation
import Testing

@Suite("AVAudioFile")
struct AudioFileTests {
  private func settings(
    _ format: AudioFormatID, _ rate: Double = 48_000, _ channels: Int = 1, _ more: [String: Any] = [:]
  )
    -> [String: Any]
  {
    [AVFormatIDKey: format, AVSampleRateKey: rate, AVNumberOfChannelsKey: channels].merging(more) { $1 }
  }

  @Test(
    "What is written uncompressed is read back, at any place, whatever the form of its samples",
    arguments: ["wav", "caf"], [(16, false), (24, false), (32, false), (32, true)])
  func plain(name: String, form: (bits: Int, isFloat: Bool)) throws {
    let folder = try AudioFolder()
    let url = folder.file("a.\(name)")
    let format = try standard(48_000, 2)
    do {
      let file = try AVAudioFile(
        forWriting: url,
        settings: settings(
          kAudioFormatLinearPCM, 48_000, 2,
          [AVLinearPCMBitDepthKey: form.bits, AVLinearPCMIsFloatKey: form.isFloat]))
      #expect(file.processingFormat == format)
      for part in 0..<5 { try file.write(from: tone(format, 1000, from: part * 1000)) }
      #expect(file.length == 5000 && file.framePosition == 5000)
    }
    let file = try AVAudioFile(forReading: url)
    #expect(file.length == 5000)
    #expect(file.fileFormat.streamDescription.pointee.mBitsPerChannel == UInt32(form.bits))
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 700))
    for place in [0, 4321, 1999, 4900] {
      file.framePosition = AVAudioFramePosition(place)
      try file.read(into: buffer)
      #expect(buffer.frameLength == AVAudioFrameCount(min(700, 5000 - place)))
      let truth = try tone(format, Int(buffer.frameLength), from: place)
      for channel in 0..<2 {
        for (one, other) in zip(samples(buffer, channel: channel), samples(truth, channel: channel)) {
          #expect(abs(one - other) < 0.0001)
        }
      }
    }
    #expect(throws: NSError.self) { try file.read(into: buffer) }
  }

  @Test("AAC is written and read back as long and as loud as it was, at any place")
  func coded() throws {
    let folder = try AudioFolder()
    let url = folder.file("a.m4a")
    let format = try standard(44_100, 1)
    do {
      let file = try AVAudioFile(
        forWriting: url, settings: settings(kAudioFormatMPEG4AAC, 44_100, 1, [AVEncoderBitRateKey: 96_000]))
      try file.write(from: tone(format, 44_100))
      try file.write(from: tone(format, 44_100, from: 44_100))
    }
    let file = try AVAudioFile(forReading: url)
    #expect(file.fileFormat.streamDescription.pointee.mFormatID == kAudioFormatMPEG4AAC)
    #expect(file.processingFormat == format)
    #expect(abs(file.length - 88_200) <= 1024)
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4410))
    for place in [0, 60_000, 20_000] {
      file.framePosition = AVAudioFramePosition(place)
      try file.read(into: buffer)
      let truth = samples(try tone(format, 4410, from: place))
      // Behind the first packet, which the encoder fades in.
      let skip = place == 0 ? 2048 : 0
      let error = zip(samples(buffer), truth).dropFirst(skip).map { $0 - $1 }
      #expect(level(error) < 0.05)
    }
  }

  @Test("A file is read in the form of samples that is asked for")
  func processing() throws {
    let folder = try AudioFolder()
    let url = folder.file("a.wav")
    let format = try standard(48_000, 2)
    do {
      let file = try AVAudioFile(forWriting: url, settings: settings(kAudioFormatLinearPCM, 48_000, 2))
      try file.write(from: tone(format, 480))
    }
    let file = try AVAudioFile(forReading: url, commonFormat: .pcmFormatInt16, interleaved: true)
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 480))
    try file.read(into: buffer)
    let values = try #require(buffer.int16ChannelData)
    let truth = samples(try tone(format, 480))
    for frame in 0..<480 { #expect(abs(Float(values[0][2 * frame]) / 32_768 - truth[frame]) < 0.0002) }
  }

  @Test("A file is written in the form of samples that is given")
  func writingForm() throws {
    let folder = try AudioFolder()
    let url = folder.file("a.wav")
    let file = try AVAudioFile(
      forWriting: url, settings: settings(kAudioFormatLinearPCM, 48_000, 2), commonFormat: .pcmFormatInt16,
      interleaved: true)
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 300))
    buffer.frameLength = 300
    let values = try #require(buffer.int16ChannelData)
    for frame in 0..<300 { (values[0][2 * frame], values[0][2 * frame + 1]) = (Int16(frame), Int16(-frame)) }
    try file.write(from: buffer)
    file.close()
    let back = try AVAudioFile(forReading: url, commonFormat: .pcmFormatInt16, interleaved: true)
    let read = try #require(AVAudioPCMBuffer(pcmFormat: back.processingFormat, frameCapacity: 300))
    try back.read(into: read)
    let numbers = try #require(read.int16ChannelData)
    for frame in 0..<300 {
      #expect(
        abs(Int(numbers[0][2 * frame]) - frame) <= 1 && abs(Int(numbers[0][2 * frame + 1]) + frame) <= 1)
    }
  }

  @Test("A file that is still written is read but for its last packet", arguments: ["wav", "caf"])
  func growing(name: String) throws {
    let folder = try AudioFolder()
    let url = folder.file("a.\(name)")
    let file = try AVAudioFile(forWriting: url, settings: settings(kAudioFormatLinearPCM))
    try file.write(from: tone(try standard(48_000, 1), 4800))
    // All but what waits for a whole packet: 1024 samples at most.
    let first = try AVAudioFile(forReading: url).length
    #expect((3776...4800).contains(first))
    try file.write(from: tone(try standard(48_000, 1), 4800))
    let second = try AVAudioFile(forReading: url).length
    #expect((8576...9600).contains(second))
    file.close()
    #expect(!file.isOpen)
    #expect(try AVAudioFile(forReading: url).length == 9600)
  }

  @Test("What cannot be read or written is an error with a sentence, and makes no file")
  func refusals() throws {
    let folder = try AudioFolder()
    func says(_ part: String, _ body: () throws -> Void) {
      let error = #expect(throws: NSError.self) { try body() }
      #expect(
        error?.localizedDescription.contains(part) == true, "\(error?.localizedDescription ?? "nothing")")
    }
    says("does not exist") { _ = try AVAudioFile(forReading: folder.file("none.wav")) }
    try Data("no audio at all".utf8).write(to: folder.file("text.wav"))
    says("text.wav") { _ = try AVAudioFile(forReading: folder.file("text.wav")) }
    says(".mp3") {
      _ = try AVAudioFile(forWriting: folder.file("a.mp3"), settings: settings(kAudioFormatMPEG4AAC))
    }
    says("extension") {
      _ = try AVAudioFile(forWriting: folder.file("a"), settings: settings(kAudioFormatMPEG4AAC))
    }
    says("linear PCM") {
      _ = try AVAudioFile(forWriting: folder.file("a.wav"), settings: settings(kAudioFormatMPEG4AAC))
    }
    says("AVFormatIDKey") { _ = try AVAudioFile(forWriting: folder.file("b.wav"), settings: [:]) }
    says("little-endian") {
      _ = try AVAudioFile(
        forWriting: folder.file("c.wav"),
        settings: settings(kAudioFormatLinearPCM, 48_000, 1, [AVLinearPCMIsBigEndianKey: true]))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["text.wav"])
    says("does not exist") {
      _ = try AVAudioFile(
        forWriting: folder.file("none/a.wav"), settings: settings(kAudioFormatLinearPCM))
    }
    let file = try AVAudioFile(forWriting: folder.file("d.wav"), settings: settings(kAudioFormatLinearPCM))
    says("processing format") { try file.write(from: tone(try standard(44_100, 1), 10)) }
  }
}
