import CameraFrames
import CaptureDevice
import CaptureStage
import CoreMedia
import Foundation
import FoundationExtras
import Linux
import Testing
import VideoCodecs
import Waiting

/// A decoder in the hardware's place, which fails from a picture on.
private final class FailingDecoder: LivePictureDecoder {
  let isHardware = true
  private let real: VideoDecoder
  private let good: Int
  private let given: Locked<Int>
  private let givenUp: Locked<Int>

  /// - Parameters:
  ///   - good: How many samples are decoded.
  ///   - given: Counts them, over all decoders.
  ///   - givenUp: Counts the times that it was given up.
  init(_ real: VideoDecoder, good: Int, _ given: Locked<Int>, _ givenUp: Locked<Int>) {
    (self.real, self.good, self.given, self.givenUp) = (real, good, given, givenUp)
  }

  func decode(_ data: CMBlockBuffer, time: CMTime, isKeyFrame: Bool) throws(CodecError)
    -> [VideoDecoder.Picture]
  {
    let number = given.withLock { given in
      given += 1
      return given
    }
    guard number <= good else { throw CodecError(.damaged, "The device is lost.") }
    return try real.decode(data, time: time, isKeyFrame: isKeyFrame)
  }

  func finish() throws(CodecError) -> [VideoDecoder.Picture] { try real.finish() }
  func flush() { real.flush() }
  func giveUpHardware() { givenUp.withLock { $0 += 1 } }
}

@Suite("Pictures of coded streams")
struct StreamDecoderTests {
  /// The numbers of frames that come, and of those that are lost, when the hardware decodes so many and then fails; each fifth is a key
  /// frame.
  private func run(frames: UInt32, good: Int) throws -> (shown: [UInt32], lost: [UInt32], givenUp: Int) {
    let (given, givenUp) = (Locked(0), Locked(0))
    let news = Monitor<[(number: UInt32, isShown: Bool)]>([])
    let decoder = StreamDecoder(
      opens: { format in
        guard let real = try? VideoDecoder(format, isLive: true) else { return nil }
        return givenUp.withLock { $0 } > 0 ? real : FailingDecoder(real, good: good, given, givenUp)
      },
      { output in
        switch output {
        case .frame(let frame): news.withLock { $0.append((frame.sequence, true)) }
        case .lost(let drop): news.withLock { $0.append((drop.sequence, false)) }
        }
      })
    let pictures = CodedPictures()
    for number in 0..<frames {
      let picture = try pictures.picture(number, .h264, isKeyFrame: number % 5 == 0)
      decoder.take(
        CapturedFrame(
          picture: .coded(picture),
          timestamp: MonotonicInstant(nanoseconds: 1_000_000_000 + Int64(number) * 33_333_333),
          sequence: number))
      // One after the other, as a camera sends them.
      let deadline = MonotonicInstant.now.advanced(byNanoseconds: 60_000_000_000)
      try #require(news.wait(until: deadline, for: { $0.count > number }, then: { _ in true }) == true)
    }
    let all = news.withLock { $0 }
    return (
      all.filter(\.isShown).map(\.number), all.filter { !$0.isShown }.map(\.number), givenUp.withLock { $0 }
    )
  }

  @Test func `hardware that never gives a picture is left for the processor at the third key frame`() throws {
    let run = try run(frames: 20, good: 0)
    #expect(run.shown == Array(10..<20) && run.lost == Array(0..<10) && run.givenUp == 1)
  }

  @Test func `hardware that fails after some pictures is left, too`() throws {
    let run = try run(frames: 25, good: 7)
    #expect(run.shown == Array(0..<7) + Array(15..<25) && run.lost == Array(7..<15) && run.givenUp == 1)
  }

  @Test func `one damaged picture leaves the hardware where it is`() throws {
    let (broken, givenUp) = (Locked(false), Locked(0))
    let news = Monitor<[(number: UInt32, isShown: Bool)]>([])
    final class Once: LivePictureDecoder {
      let isHardware = true
      let real: VideoDecoder
      let broken: Locked<Bool>
      let givenUp: Locked<Int>
      init(_ real: VideoDecoder, _ broken: Locked<Bool>, _ givenUp: Locked<Int>) {
        (self.real, self.broken, self.givenUp) = (real, broken, givenUp)
      }
      func decode(_ data: CMBlockBuffer, time: CMTime, isKeyFrame: Bool) throws(CodecError)
        -> [VideoDecoder.Picture]
      {
        let isFirst = broken.withLock { broken in
          defer { broken = true }
          return !broken
        }
        if isFirst { throw CodecError(.damaged, "A packet is lost.") }
        return try real.decode(data, time: time, isKeyFrame: isKeyFrame)
      }
      func finish() throws(CodecError) -> [VideoDecoder.Picture] { try real.finish() }
      func flush() { real.flush() }
      func giveUpHardware() { givenUp.withLock { $0 += 1 } }
    }
    let decoder = StreamDecoder(
      opens: { format in (try? VideoDecoder(format, isLive: true)).map { Once($0, broken, givenUp) } },
      { output in
        switch output {
        case .frame(let frame): news.withLock { $0.append((frame.sequence, true)) }
        case .lost(let drop): news.withLock { $0.append((drop.sequence, false)) }
        }
      })
    let pictures = CodedPictures()
    for number in 0..<UInt32(10) {
      decoder.take(
        CapturedFrame(
          picture: .coded(try pictures.picture(number, .h264, isKeyFrame: number % 5 == 0)),
          timestamp: MonotonicInstant(nanoseconds: 1_000_000_000 + Int64(number) * 33_333_333),
          sequence: number))
    }
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: 60_000_000_000)
    let all = news.wait(until: deadline, for: { $0.count == 10 }, then: { $0 }) ?? []
    // All ten were taken in, or those after the break were refused at once: lost either way, up to the key frame.
    #expect(all.filter(\.isShown).map(\.number) == Array(5..<10) && givenUp.withLock { $0 } == 0)
  }
}
