import CaptureDevice
import CaptureStage
import Foundation
import Linux
import NetworkDevices
import SeededNumbers
import Testing
import Waiting

// It installs no devices; but what it counts is of the process, so that none of these suites may run beside it.
extension DeviceSuites {
  /// `OBSCURA_STRESS=1 swift test -c release --filter NetworkCameraStress` runs the full count.
  @Suite("Stress: network cameras")
  struct NetworkCameraStressTests {
    @Test(arguments: [RTSPServer.Transport.tcp, .udp])
    func `a camera that is lost and comes back, again and again, leaves nothing behind`(
      transport: RTSPServer.Transport
    ) throws {
      let camera = try LostCamera(transport)
      let rounds = FuzzCount(usual: 2, all: 200).value
      // In a run of the whole suite the threads and files of other tests come and go beside these.
      let isCounted = ProcessInfo.processInfo.environment["OBSCURA_STRESS"] != nil
      // What is made once is there afterwards.
      for number in 0..<(isCounted ? 10 : 0) { try camera.loseAndReturn(number) }
      let before = ProcessFigures.now
      for number in 0..<rounds { try camera.loseAndReturn(number) }
      guard isCounted else { return }
      let after = ProcessFigures.settled(toThreads: before.threads, descriptors: before.descriptors)
      print("stress: \(rounds) losses of a camera by \(transport); before \(before); after \(after)")
      #expect(after.threads <= before.threads)
      #expect(after.descriptors <= before.descriptors)
      #expect(!after.hasGrown(since: before, byMoreThan: 20_000))
    }
  }
}

/// A camera of the network that goes and comes back, and the provider that lists it.
private final class LostCamera {
  private struct News {
    var gone = 0
    var back = 0
  }

  private let server: RTSPServer
  private let provider: NetworkDeviceProvider
  private let camera: any CaptureDeviceDriver
  private let news = Monitor(News())

  init(_ transport: RTSPServer.Transport) throws {
    let server = try RTSPServer(over: transport)
    var address = try NetworkAddress(server.address)
    address.usesUDP = transport == .udp
    let provider = NetworkDeviceProvider(address, name: "Door", timeout: 30_000_000_000)
    (self.server, self.provider) = (server, provider)
    camera = try #require(provider.devices().first)
    provider.observeDevices { [news] change in
      news.withLock { news in
        switch change {
        case .connected: news.back += 1
        case .disconnected: news.gone += 1
        }
      }
    }
  }

  deinit { server.close() }

  /// Streams a frame, loses the camera, and waits until it is back: after it has hung up, and in each second round after it took no
  /// connections.
  func loseAndReturn(_ number: Int) throws {
    let former = news.now
    let stream = try camera.openStream(
      StreamConfiguration(format: camera.facts.formats[0], frameDuration: FrameDuration(1, 30)))
    let log = FrameLog()
    try stream.start(log.receive)
    try #require(log.wait(until: .limitOfWaits) { !$0.frames.isEmpty }, "round \(number)")
    let isUnplugged = !number.isMultiple(of: 2)
    if isUnplugged { server.cut() } else { server.cut(track: 0) }
    try #require(log.wait(until: .limitOfWaits) { $0.failure?.code == .disconnected }, "round \(number)")
    try #require(news.wait { $0.gone == former.gone + 1 }, "round \(number)")
    if isUnplugged { try server.listenAgain() }
    try #require(news.wait { $0.back == former.back + 1 }, "round \(number)")
    stream.stop()
  }
}
