import Foundation
import SimulatedDevices
import Testing

@testable import CameraModel

extension Screens {
  private func ticket(_ text: String, at center: CGPoint = CGPoint(x: 0.5, y: 0.5)) throws -> Scene {
    var scene = Scene(devices: [.webcam])
    scene.layers = [SceneLayer(try .qrCode(text), center: center, width: 0.2)]
    return scene
  }

  @Test func `a code in the region is a hit, and the scanner rests until it is dismissed`() async throws {
    let shop = try Workshop(try ticket("https://example.org/ticket"))
    defer { shop.end() }
    try await shop.start()
    shop.model.setMode(.scan)
    #expect(await shop.run { $0.scan.hit != nil })
    let hit = try #require(shop.state.scan.hit)
    #expect(hit.kind == "QR" && hit.content.text == "https://example.org/ticket")
    let middle = hit.corners.reduce((0.0, 0.0)) { ($0.0 + $1.x / 4, $0.1 + $1.y / 4) }
    #expect(abs(middle.0 - 0.5) < 0.02 && abs(middle.1 - 0.5) < 0.02)
    shop.model.dismissHit()
    await shop.advance(0.5)
    // The same code is not a hit again while it stays in view.
    #expect(shop.state.scan.hit == nil && !shop.state.scan.codes.isEmpty)
  }

  @Test func `a code beside the region is not found`() async throws {
    let shop = try Workshop(try ticket("aside", at: CGPoint(x: 0.2, y: 0.5)))
    defer { shop.end() }
    try await shop.start()
    shop.model.setScanRegion(CGRect(x: 0.5, y: 0, width: 0.5, height: 1))
    shop.model.setMode(.scan)
    await shop.advance(0.5)
    #expect(shop.state.scan.codes.isEmpty)
    shop.model.setScanRegion(CGRect(x: 0, y: 0, width: 0.5, height: 1))
    #expect(await shop.run { $0.scan.hit?.content == .text("aside") })
  }
}

@Suite struct CodeTests {
  @Test func `links, mail and numbers open; other texts do not`() {
    #expect(CodeContent("https://example.org/a?b=c").opens?.absoluteString == "https://example.org/a?b=c")
    #expect(CodeContent("mailto:a@example.org") == .mail("a@example.org"))
    #expect(CodeContent("tel:+4930123") == .phone("+4930123"))
    for text in ["javascript:alert(1)", "file:///etc/passwd", "https://", "ticket 17", ""] {
      #expect(CodeContent(text).opens == nil, "\(text)")
    }
  }

  @Test func `networks are read with escapes, in any order of their fields`() {
    let network = WiFiNetwork("WIFI:T:WPA;S:caf\\;é;P:a\\:b\\\\c;;")
    #expect(network?.name == "caf;é" && network?.password == "a:b\\c")
    #expect(WiFiNetwork("WIFI:P:x;S:open;T:nopass;;")?.password == nil)
    #expect(WiFiNetwork("wifi:S:h;T:WPA2;P:12345678;H:true;;")?.isHidden == true)
    #expect(WiFiNetwork("WIFI:T:WPA;P:x;;") == nil && WiFiNetwork("https://a.b") == nil)
    #expect(
      WiFiNetwork("WIFI:S:n;T:WPA;P:-p;H:true;;")?.joinArguments
        == ["--ask", "device", "wifi", "connect", "n", "hidden", "yes"])
    #expect(WiFiNetwork("WIFI:S:n;;")?.joinArguments == ["device", "wifi", "connect", "n"])
  }

  @Test func `a network's password reaches the program, and is not among its arguments`() async throws {
    let network = try #require(WiFiNetwork("WIFI:S:cafe;T:WPA;P:s3cret;;"))
    let script = #"read word; echo "args: $*; word: $word"; exit 3"#
    let said = await withCheckedContinuation { (done: CheckedContinuation<String?, Never>) in
      do {
        try NetworkJoin(program: ["/bin/sh", "-c", script, "nmcli"]).join(network) {
          done.resume(returning: $0)
        }
      } catch {
        done.resume(returning: "\(error)")
      }
    }
    #expect(said == "args: --ask device wifi connect cafe; word: s3cret")
    let joined = await withCheckedContinuation { (done: CheckedContinuation<String?, Never>) in
      do {
        try NetworkJoin(program: ["/bin/sh", "-c", "exit 0"]).join(network) { done.resume(returning: $0) }
      } catch {
        done.resume(returning: "\(error)")
      }
    }
    #expect(joined == nil)
    #expect(throws: (any Error).self) {
      try NetworkJoin(program: ["/no/such/program"]).join(network) { _ in }
    }
  }

  @Test func `a hand moves the region, its edges and its corners, and never out of the picture`() throws {
    let region = CGRect(x: 0.2, y: 0.2, width: 0.6, height: 0.6)
    let reach = CGSize(width: 0.05, height: 0.05)
    func drag(_ x: Double, _ y: Double) throws -> RegionDrag {
      try #require(RegionDrag(region, at: CGPoint(x: x, y: y), reach: reach))
    }
    func near(_ one: CGRect, _ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Bool {
      abs(one.minX - x) + abs(one.minY - y) + abs(one.width - width) + abs(one.height - height) < 1e-9
    }
    #expect(near(try drag(0.5, 0.5).moved(0.1, -0.1), 0.3, 0.1, 0.6, 0.6))
    #expect(near(try drag(0.5, 0.5).moved(0.9, -0.9), 0.4, 0, 0.6, 0.6))
    #expect(near(try drag(0.2, 0.5).moved(0.1, 0.3), 0.3, 0.2, 0.5, 0.6))
    #expect(near(try drag(0.8, 0.8).moved(0.5, 0.1), 0.2, 0.2, 0.8, 0.7))
    #expect(near(try drag(0.2, 0.2).moved(0.9, 0.9), 0.65, 0.65, 0.15, 0.15))
    #expect(RegionDrag(region, at: CGPoint(x: 0.1, y: 0.5), reach: reach) == nil)
    #expect(near(RegionDrag.scaled(region, by: 2), 0, 0, 1, 1))
    #expect(near(RegionDrag.scaled(region, by: 0.5), 0.35, 0.35, 0.3, 0.3))
  }

  @Test func `a dismissed code counts again after it has been out of view`() {
    func code(_ text: String) -> FoundCode { FoundCode(kind: "QR", content: CodeContent(text), corners: []) }
    var pause = ScanPause()
    #expect(pause.take([code("a")]) == nil)
    let hit = pause.take([code("a")])
    #expect(hit?.content == .text("a"))
    pause.dismiss(code("a"))
    #expect(pause.take([code("a")]) == nil && pause.take([code("a")]) == nil)
    #expect(pause.take([code("a"), code("b")]) == nil)
    #expect(pause.take([code("a"), code("b")])?.content == .text("b"))
    for _ in 0..<61 { _ = pause.take([]) }
    _ = pause.take([code("a")])
    #expect(pause.take([code("a")])?.content == .text("a"))
  }
}
