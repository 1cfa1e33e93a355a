import CaptureDevice
import CaptureStage
import CoreMedia
import Foundation
import MediaStreaming
import Testing

@Suite("Pictures by RTSP")
struct AccessUnitTests {
  private func camera(_ pictures: StreamPictures, hasSets: Bool = true, _ packets: [[UInt8]]) throws
    -> ScriptedCamera
  {
    try ScriptedCamera(
      ScriptedCamera.stream(
        pictures.description(hasSets: hasSets), packets.flatMap { PacketMaker.interleaved($0) }))
  }

  @Test(arguments: [FrameEncoding.h264, .hevc])
  func `a picture is given when its marker has come, although nothing follows`(encoding: FrameEncoding) throws
  {
    let pictures = try StreamPictures(encoding)
    var maker = PacketMaker()
    let units = try pictures.first
    let camera = try camera(pictures, maker.picture(units, time: 3000))
    let input = try camera.open()
    let track = try #require(input.tracks.first)
    #expect(track.isVideo && track.rate == 30 && input.tracks.count == 1)
    let size = CMVideoFormatDescriptionGetDimensions(try #require(track.format))
    #expect(size.width == Int32(CodedCamera.size.width) && size.height == Int32(CodedCamera.size.height))
    #expect(track.parameterSets == StreamPictures.joined(pictures.sets))
    let packet = try #require(try input.next())
    #expect(packet.copied == StreamPictures.joined(units))
    #expect(!packet.isBroken && packet.track == track.index)
  }

  @Test(arguments: [FrameEncoding.h264, .hevc])
  func `fragments become the unit that they are of`(encoding: FrameEncoding) throws {
    let pictures = try StreamPictures(encoding)
    var maker = PacketMaker()
    let units = try pictures.first
    let packets = units.dropLast().map { maker.packet($0, time: 3000, isLast: false) }
    let last = try #require(units.last)
    let camera = try camera(
      pictures, packets + maker.fragments(last, of: last.count / 3, time: 3000, isHEVC: encoding == .hevc))
    let packet = try #require(try camera.open().next())
    #expect(packet.copied == StreamPictures.joined(units) && !packet.isBroken)
  }

  @Test(arguments: [FrameEncoding.h264, .hevc])
  func `several slices of a picture are one access unit`(encoding: FrameEncoding) throws {
    let pictures = try StreamPictures(encoding)
    var maker = PacketMaker()
    let first = try pictures.first
    let slice = pictures.furtherSlice(try #require(first.last))
    let units = first + [slice, slice]
    let camera = try camera(pictures, maker.picture(units, time: 3000))
    let packet = try #require(try camera.open().next())
    #expect(packet.copied == StreamPictures.joined(units) && !packet.isBroken)
  }

  @Test func `of a camera without markers a picture is given with the next one's first packet`() throws {
    let pictures = try StreamPictures()
    var maker = PacketMaker()
    let first = try pictures.first
    let second = try pictures.later(1)
    let sent =
      maker.picture(first, time: 3000, hasMarker: false) + maker.picture(second, time: 6000, hasMarker: false)
      + [maker.packet(pictures.sets[0], time: 9000, isLast: false)]
    let input = try camera(pictures, sent).open()
    let packet = try #require(try input.next())
    #expect(packet.copied == StreamPictures.joined(first) && !packet.isBroken)
    let next = try #require(try input.next())
    #expect(next.copied == StreamPictures.joined(second) && !next.isBroken)
  }

  @Test func `parameter sets with a marker, or another time, belong to the picture behind them`() throws {
    let pictures = try StreamPictures()
    var maker = PacketMaker()
    let units = try pictures.first
    let sets = [
      maker.packet(pictures.sets[0], time: 2990, isLast: true),
      maker.packet(pictures.sets[1], time: 3000, isLast: true),
    ]
    let input = try camera(pictures, hasSets: false, sets + maker.picture(units, time: 3000)).open()
    let packet = try #require(try input.next())
    #expect(packet.copied == StreamPictures.joined(pictures.sets + units) && !packet.isBroken)
    let size = CMVideoFormatDescriptionGetDimensions(try #require(input.tracks.first?.format))
    #expect(size.width == Int32(CodedCamera.size.width))
  }

  @Test func `a marker behind each slice is noticed, and not believed again`() throws {
    let pictures = try StreamPictures()
    var maker = PacketMaker()
    let first = try pictures.first
    let slice = pictures.furtherSlice(try #require(first.last))
    let second = try pictures.later(1)
    let further = pictures.furtherSlice(try #require(second.last))
    var sent = maker.picture(first, time: 3000) + maker.picture([slice], time: 3000)
    sent += maker.picture(second, time: 6000) + maker.picture([further], time: 6000)
    sent += maker.picture(try pictures.later(2), time: 9000)
    let input = try camera(pictures, sent).open()
    #expect(try input.next()?.isBroken == false)
    // The rest of a picture that was given.
    #expect(try input.next()?.isBroken == true)
    let whole = try #require(try input.next())
    #expect(whole.copied == StreamPictures.joined(second + [further]) && !whole.isBroken)
  }

  @Test func `a loss is marked in the picture that it touches, and in no other one`() throws {
    let pictures = try StreamPictures()
    var maker = PacketMaker()
    let first = try pictures.first
    var sent = maker.picture(first, time: 3000)
    maker.number &+= 1
    sent += maker.picture(try pictures.later(1), time: 6000)
    sent += maker.picture(try pictures.later(2), time: 9000)
    let input = try camera(pictures, sent).open()
    var broken: [Bool?] = []
    for _ in 0..<3 { broken.append(try input.next()?.isBroken) }
    #expect(broken == [false, true, false])
  }

  @Test func `a sender's report gives the camera's clock`() throws {
    let pictures = try StreamPictures()
    var maker = PacketMaker()
    let report = PacketMaker.interleaved(PacketMaker.report(seconds: 1_000_000, time: 3000), channel: 1)
    let sent = try maker.picture(pictures.first, time: 6000).flatMap { PacketMaker.interleaved($0) }
    let camera = try ScriptedCamera(ScriptedCamera.stream(pictures.description(), report + sent))
    let packet = try #require(try camera.open().next())
    // A thirtieth of a second behind the report, in whole microseconds.
    #expect(packet.sent == 1_000_000_033_333_000)
  }

  @Test func `where no rate is told, that of the pictures counts`() throws {
    let pictures = try StreamPictures()
    var maker = PacketMaker()
    var sent = try maker.picture(pictures.first, time: 3000)
    // Ten in a second.
    for number: UInt32 in 1...40 {
      sent += try maker.picture(pictures.later(number), time: 3000 + number * 9000)
    }
    let camera = try ScriptedCamera(
      ScriptedCamera.stream(pictures.description(rate: nil), sent.flatMap { PacketMaker.interleaved($0) }))
    let input = try camera.open()
    let rate = try #require(input.tracks.first?.rate)
    // An encoder may tell another one in its parameter sets, which then counts.
    #expect(abs(rate - 10) < 0.01 || rate == 30)
    for _ in 0...40 { #expect(try input.next()?.isBroken == false) }
  }
}
