import CaptureDevice
import Dispatch
import Linux
import PipeWireDevices
import PipeWireStage

/// A camera that a program offers, whose pictures are grey and grow lighter, thirty a second.
final class PaintedSource: @unchecked Sendable {  // Safe because the timer is ended alone.
  static let sizes = [FrameSize(width: 64, height: 48), FrameSize(width: 128, height: 96)]

  private let camera: OfferedCamera
  private let timer: any DispatchSourceTimer
  /// How it was lost.
  let problems: Monitor<[OfferedCamera.Problem]>

  /// Offers it.
  ///
  /// - Parameter stale: How many pictures it sends a consumer that it took two seconds before.
  init(_ stage: PrivatePipeWire, name: String = "painted", title: String = "Painted", stale: UInt8 = 0) throws
  {
    let watched = Locked<FrameSize?>(nil)
    let count = Locked<UInt8>(0)
    let problems = Monitor<[OfferedCamera.Problem]>([])
    self.problems = problems
    let camera = try OfferedCamera(
      name: name, title: title, sizes: Self.sizes, framesPerSecond: 30,
      server: PipeWireServer(stage.environment),
      user: OfferedCamera.User(
        watched: { size in watched.withLock { $0 = size } },
        lost: { problem in problems.withLock { $0.append(problem) } },
        write: { bytes, size, bytesPerRow in
          let shade = count.withLock { count -> UInt8 in
            count = count % 200 + 1
            return count + 16
          }
          bytes.update(repeating: shade, count: bytesPerRow * size.height)
          (bytes + bytesPerRow * size.height).update(repeating: 128, count: bytesPerRow * size.height / 2)
          return MonotonicInstant.now.nanoseconds - (shade - 17 < stale ? 2_000_000_000 : 0)
        }))
    self.camera = camera
    timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "painted-source"))
    timer.schedule(deadline: .now(), repeating: 1.0 / 30)
    timer.setEventHandler { if let size = watched.withLock({ $0 }) { camera.send(size) } }
    timer.resume()
  }

  deinit { close() }

  /// Takes it away.
  func close() {
    timer.cancel()
    camera.close()
  }
}

/// The changes that a provider reports, in order.
final class ListChanges: Sendable {
  private let changes = Monitor<[String]>([])

  init(_ provider: any CaptureDeviceProvider) {
    provider.observeDevices { [changes] change in
      changes.withLock { changes in
        switch change {
        case .connected(let device): changes.append("+\(device.facts.uniqueID)")
        case .disconnected(let uniqueID): changes.append("-\(uniqueID)")
        }
      }
    }
  }

  /// Waits until a change has come so often.
  func wait(for change: String, times: Int = 1) -> Bool {
    changes.wait(
      until: .now.advanced(byNanoseconds: 30_000_000_000), for: { $0.count { $0 == change } >= times },
      then: { _ in true })
      ?? false
  }

  var all: [String] { changes.withLock { $0 } }
}
