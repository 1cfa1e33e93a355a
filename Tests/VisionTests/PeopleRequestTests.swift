import CoreVideo
import Foundation
import FoundationExtras
import GraphicsCore
import ImageIO
import PeopleFinding
import PixelTransforms
import Portraits
import Testing
import Vision

private let hasModels = [ModelFolder.Subject.faces, .bodies, .hands, .segmentation].allSatisfy {
  ModelFolder.current.obstacle(to: $0) == nil
}

@Suite("Vision: people", .enabled(if: hasModels, "there are no models here; run scripts/setup --models"))
struct PeopleRequestTests {
  /// Vision's rectangle as pixels from the top left.
  private func pixels(_ box: CGRect, of picture: CVPixelBuffer) -> CGRect {
    let rect = VNImageRectForNormalizedRect(box, picture.width, picture.height)
    return CGRect(
      x: rect.minX, y: CGFloat(picture.height) - rect.maxY, width: rect.width, height: rect.height)
  }

  @Test(arguments: Portrait.all) func `faces are found where they are marked`(portrait: Portrait) throws {
    let picture = try portrait.picture()
    let request = VNDetectFaceRectanglesRequest()
    try VNImageRequestHandler(cvPixelBuffer: picture).perform([request])
    let face = try #require(request.results?.first)
    let found = pixels(face.boundingBox, of: picture)
    let common = found.intersection(portrait.face)
    let share =
      common.width * common.height
      / (found.width * found.height + portrait.face.width * portrait.face.height - common.width
        * common.height)
    #expect(share > 0.4)
    // One of them bends down by forty degrees.
    #expect(abs(face.roll?.doubleValue ?? 9) < 0.8, "\(face.roll ?? 9)")
    #expect((0.3...1).contains(face.confidence) && face.pitch == nil, "\(face.confidence)")
  }

  @Test func `a head leans counterclockwise where its picture is turned so`() throws {
    let picture = try Portrait.astronaut.picture()
    let turned = try PixelTransformer().apply(FrameTransform(rotation: .clockwise270), to: picture)
    let request = VNDetectFaceRectanglesRequest()
    try VNImageRequestHandler(cvPixelBuffer: turned).perform([request])
    let roll = try #require(request.results?.first?.roll?.doubleValue)
    #expect(abs(roll - .pi / 2) < 0.3)
    try VNImageRequestHandler(cvPixelBuffer: turned, orientation: .right).perform([request])
    #expect(abs(try #require(request.results?.first?.roll?.doubleValue)) < 0.3)
  }

  @Test func `people are found by their upper bodies`() throws {
    let picture = try Portrait.astronaut.picture()
    let request = VNDetectHumanRectanglesRequest()
    try VNImageRequestHandler(cvPixelBuffer: picture).perform([request])
    let person = try #require(request.results?.first)
    #expect(person.upperBodyOnly)
    let face = Portrait.astronaut.face
    #expect(pixels(person.boundingBox, of: picture).contains(CGPoint(x: face.midX, y: face.midY)))
    #expect(person.boundingBox.height > 0.6)
    request.upperBodyOnly = false
    try VNImageRequestHandler(cvPixelBuffer: picture).perform([request])
    // The photograph ends above her knees.
    #expect(request.results == [])
  }

  @Test func `the joints of a body are where they belong, and those beyond the picture are not sure`() throws
  {
    let picture = try Portrait.astronaut.picture()
    let request = VNDetectHumanBodyPoseRequest()
    try VNImageRequestHandler(cvPixelBuffer: picture).perform([request])
    let body = try #require(request.results?.first)
    #expect(request.results?.count == 1 && body.availableJointNames.count == 19)
    func place(_ name: VNHumanBodyPoseObservation.JointName) throws -> VNRecognizedPoint {
      try body.recognizedPoint(name)
    }
    let face = Portrait.astronaut.face
    let nose = try place(.nose)
    #expect(
      face.contains(
        CGPoint(x: nose.x * Double(picture.width), y: (1 - nose.y) * Double(picture.height))))
    // She looks at the camera: her left is on the picture's right.
    #expect(try place(.leftShoulder).x > place(.rightShoulder).x && nose.confidence > 0.8)
    #expect(try place(.leftEye).x > place(.rightEye).x && place(.leftEye).y > nose.y)
    let neck = try place(.neck)
    #expect(
      try abs(neck.x - (place(.leftShoulder).x + place(.rightShoulder).x) / 2) < 1e-9 && neck.y < nose.y)
    // The photograph ends above her knees.
    #expect(try place(.leftAnkle).confidence == 0)
    #expect(try Set(body.recognizedPoints(.leftArm).keys) == [.leftShoulder, .leftElbow, .leftWrist])
    #expect(try body.recognizedPoints(.all).count == 19 && body.availableGroupKeys.count == 7)
    #expect(try request.supportedJointNames().count == 19 && request.supportedJointsGroupNames().count == 7)
    let tail = VNRecognizedPointKey(rawValue: "tail")
    #expect(throws: NSError.self) { try body.recognizedPoint(forKey: tail) }
    #expect(throws: NSError.self) {
      try body.recognizedPoints(forGroupKey: VNRecognizedPointGroupKey(rawValue: "tail"))
    }
  }

  @Test func `the joints of a hand are where they are drawn`() throws {
    let hand = DrawnHand.open
    let picture = try hand.picture()
    let request = VNDetectHumanHandPoseRequest()
    try VNImageRequestHandler(cvPixelBuffer: picture).perform([request])
    let found = try #require(request.results?.first)
    #expect(found.chirality == .right && request.results?.count == 1)
    #expect(try request.supportedJointNames().count == 21 && found.availableJointNames.count == 21)
    let names: [Int: VNHumanHandPoseObservation.JointName] = [
      0: .thumbTip, 1: .indexTip, 2: .middleTip, 3: .ringTip, 4: .littleTip,
    ]
    for (finger, place) in hand.tips {
      let point = try found.recognizedPoint(#require(names[finger]))
      let (x, y) = (point.x * Double(picture.width), (1 - point.y) * Double(picture.height))
      #expect(hypot(x - place.x, y - place.y) < 20, "finger \(finger)")
      #expect(point.confidence > 0.5)
    }
    let thumb = try found.recognizedPoints(.thumb)
    #expect(Set(thumb.keys) == [.thumbCMC, .thumbMP, .thumbIP, .thumbTip])
    #expect(try found.recognizedPoints(.all).count == 21 && found.availableJointsGroupNames.count == 6)
    let wrist = try found.recognizedPoint(.wrist)
    #expect(wrist.identifier == VNHumanHandPoseObservation.JointName.wrist.rawValue)
    #expect(wrist.distance(try found.recognizedPoint(.middleTip)) > 0.15)
    let tail = VNHumanHandPoseObservation.JointName(rawValue: VNRecognizedPointKey(rawValue: "tail"))
    let error = #expect(throws: NSError.self) { try found.recognizedPoint(tail) }
    #expect(error?.code == VNErrorCode.invalidArgument.rawValue)
    request.maximumHandCount = 0
    try VNImageRequestHandler(cvPixelBuffer: picture).perform([request])
    #expect(request.results == [])
  }

  @Test func `a matte is white where the person is, in the wanted size and format`() throws {
    let picture = try Portrait.astronaut.picture()
    let request = VNGeneratePersonSegmentationRequest()
    let handler = VNImageRequestHandler(cvPixelBuffer: picture)
    let face = Portrait.astronaut.face
    let sizes: [(VNGeneratePersonSegmentationRequest.QualityLevel, Int)] = [
      (.accurate, picture.width), (.balanced, picture.width / 2), (.fast, 256),
    ]
    for (level, width) in sizes {
      request.qualityLevel = level
      try handler.perform([request])
      let matte = try #require(request.results?.first).pixelBuffer
      #expect(matte.width == width && matte.format == kCVPixelFormatType_OneComponent8)
      let scale = Double(width) / Double(picture.width)
      #expect(matte.planes[0].row(Int(face.midY * scale))[Int(face.midX * scale)] > 200, "\(level)")
    }
    #expect(try request.supportedOutputPixelFormats().count == 2)
    request.outputPixelFormat = kCVPixelFormatType_OneComponent32Float
    try handler.perform([request])
    let matte = try #require(request.results?.first).pixelBuffer
    let scale = 256 / Double(picture.width)
    let line = matte.planes[0].row(Int(face.midY * scale))
    #expect(line.loadUnaligned(fromByteOffset: 4 * Int(face.midX * scale), as: Float.self) > 0.8)
    request.outputPixelFormat = kCVPixelFormatType_32BGRA
    let error = #expect(throws: NSError.self) { try handler.perform([request]) }
    #expect(error?.code == VNErrorCode.invalidFormat.rawValue)
  }

  @Test func `the newer requests find the same`() async throws {
    let portrait = try Portrait.astronaut.picture()
    let (faces, people) = try await ImageRequestHandler(portrait).perform(
      DetectFaceRectanglesRequest(), DetectHumanRectanglesRequest())
    let face = try #require(faces.first)
    let place = face.boundingBox.toImageCoordinates(
      CGSize(width: portrait.width, height: portrait.height), origin: .upperLeft)
    #expect(place.contains(CGPoint(x: Portrait.astronaut.face.midX, y: Portrait.astronaut.face.midY)))
    #expect(abs(face.roll.converted(to: .degrees).value) < 35 && people.first?.isUpperBodyOnly == true)
    let hands = try await DetectHumanHandPoseRequest().perform(on: DrawnHand.open.picture())
    let hand = try #require(hands.first)
    #expect(hand.chirality == .right && hand.allJoints(in: .indexFinger).count == 4)
    #expect(hand.allJoints().count == 21)
    let (tip, knuckle) = (hand.joint(for: .middleTip), hand.joint(for: .middleMCP))
    #expect(try #require(tip).location.y > #require(knuckle).location.y)
    let bodies = try await DetectHumanBodyPoseRequest().perform(on: portrait)
    let body = try #require(bodies.first)
    #expect(body.allJoints().count == 19 && body.allJoints(in: .face).count == 5)
    #expect(try #require(body.joint(for: .nose)).location.y > #require(body.joint(for: .neck)).location.y)
    var segmentation = GeneratePersonSegmentationRequest()
    segmentation.qualityLevel = .fast
    let matte = try await segmentation.perform(on: portrait)
    #expect(try matte.size.width == 256 && matte.cgImage.width == 256)
  }
}
