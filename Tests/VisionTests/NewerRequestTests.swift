import CoreVideo
import Foundation
import GraphicsCore
import StillCodecs
import Testing
import TextReading
import Vision

@Suite("Vision: the newer requests")
struct NewerRequestTests {
  @Test func `codes are read with await, of pictures of every kind`() async throws {
    let paper = try CodePaper(400, 200, [CodePaper.Code(text: "left and high", x: 20, y: 10)])
    var request = DetectBarcodesRequest()
    request.symbologies = [.qr]
    #expect(request.supportedSymbologies.contains(.ean13))
    let image = try paper.image
    let file = try PNGEncoder.encode(image)
    for codes in [
      try await request.perform(on: paper.pixels), try await request.perform(on: image),
      try await request.perform(on: file),
    ] {
      #expect(codes.map(\.payloadString) == ["left and high"] && codes.map(\.symbology) == [.qr])
      #expect(codes[0].topLeft.y > codes[0].bottomLeft.y && codes[0].boundingBox.cgRect.maxX < 0.4)
    }
    request.regionOfInterest = NormalizedRect(x: 0.5, y: 0, width: 0.5, height: 1)
    #expect(try await request.perform(on: image).isEmpty)
    request.regionOfInterest = NormalizedRect(x: 0.5, y: 0, width: 0.6, height: 1)
    let error = await #expect(throws: NSError.self) { try await request.perform(on: image) }
    #expect(error?.code == VNErrorCode.outOfBoundsError.rawValue)
  }

  @Test func `one handler serves several requests`() async throws {
    let paper = try CodePaper(400, 200, [CodePaper.Code(text: "left and high", x: 20, y: 10)])
    var rectangles = DetectRectanglesRequest()
    rectangles.minimumSize = 0.9
    let (codes, found) = try await ImageRequestHandler(paper.image).perform(
      DetectBarcodesRequest(), rectangles)
    #expect(codes.count == 1 && found.isEmpty)
  }

  @Test func `each language of text is named by its script, so that Chinese is read`() {
    for language in TextLanguage.all {
      let name = Locale.Language(identifier: language.identifier).nameOfText
      #expect(TextLanguage(named: name) == language, "\(name)")
    }
    #expect(TextLanguage(named: Locale.Language(identifier: "zh-TW").nameOfText)?.code == "chi_tra")
    #expect(TextLanguage(named: Locale.Language(identifier: "zh").nameOfText)?.code == "chi_sim")
  }

  @Test func `joints and their groups have names that can be kept`() throws {
    let body = DetectHumanBodyPoseRequest()
    #expect(body.supportedJointNames.count == 19 && body.supportedJointsGroupNames.count == 6)
    let hand = DetectHumanHandPoseRequest()
    #expect(hand.supportedJointNames.count == 21 && hand.supportedJointsGroupNames.count == 5)
    let joints = [HumanBodyPoseObservation.JointName.neck: 1]
    let kept = try JSONEncoder().encode(joints)
    #expect(try JSONDecoder().decode([HumanBodyPoseObservation.JointName: Int].self, from: kept) == joints)
    #expect(HumanHandPoseObservation.JointsGroupName(rawValue: "thumb") == .thumb)
  }

  @Test func `places are counted from either corner`() {
    let size = CGSize(width: 200, height: 100)
    let point = NormalizedPoint(x: 0.25, y: 0.2)
    #expect(point.toImageCoordinates(size) == CGPoint(x: 50, y: 20))
    #expect(point.toImageCoordinates(size, origin: .upperLeft) == CGPoint(x: 50, y: 80))
    #expect(NormalizedPoint(imagePoint: CGPoint(x: 50, y: 20), in: size) == point)
    #expect(point.verticallyFlipped() == NormalizedPoint(x: 0.25, y: 0.8))
    let rect = NormalizedRect(x: 0.25, y: 0.5, width: 0.5, height: 0.25)
    #expect(rect.toImageCoordinates(size) == CGRect(x: 50, y: 50, width: 100, height: 25))
    #expect(
      rect.toImageCoordinates(size, origin: .upperLeft) == CGRect(x: 50, y: 25, width: 100, height: 25))
    #expect(NormalizedRect(imageRect: CGRect(x: 50, y: 50, width: 100, height: 25), in: size) == rect)
    #expect(rect.verticallyFlipped().cgRect == CGRect(x: 0.25, y: 0.25, width: 0.5, height: 0.25))
    #expect(NormalizedRect.fullImage.width == 1 && NormalizedRect.fullImage.height == 1)
  }
}
