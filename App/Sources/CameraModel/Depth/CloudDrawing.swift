import DepthMaps
import Dispatch
import Foundation

/// Draws the newest point cloud as it lies before the viewer, on a queue of its own; of what comes meanwhile the newest is drawn.
final class CloudDrawing: Sendable {
  private struct State {
    var cloud: PointCloud?
    /// What the cloud was seen through.
    var lens: DepthLens?
    var pose = CloudPose()
    var size = (width: 640, height: 480)
    /// The point around which it turns, in metres; taken from the first cloud, so that the view rests while things move.
    var pivot: Float?
    var sways = true
    /// The time of the newest cloud, and that at which the sway began.
    var time = 0.0
    var swayBegan: Double?
    var isScheduled = false
    var handler: (@Sendable (Thumbnail) -> Void)?

    var shownPose: CloudPose {
      sways ? pose.swaying(at: time - (swayBegan ?? time)) : pose
    }

    /// The hand takes the cloud where it is.
    mutating func hold() {
      pose = shownPose
      sways = false
      swayBegan = nil
    }
  }

  /// The stage's colour, on which nothing outshines the cloud.
  static let background: UInt32 = 0xFF0C_0C0E
  /// The largest picture that is drawn.
  static let most = (width: 1600, height: 1200)

  private let queue = DispatchQueue(label: "camera.cloud", qos: .userInitiated)
  private let state = Guarded(State())
  private let painter = Guarded(CloudPainter())

  /// The pose as it is shown now.
  var pose: CloudPose { state.change { $0.shownPose } }

  /// Who gets the pictures, on a queue.
  func setHandler(_ handler: (@Sendable (Thumbnail) -> Void)?) { state.change { $0.handler = handler } }

  /// The size of the pictures in pixels.
  func setSize(width: Int, height: Int) {
    guard width > 0, height > 0 else { return }
    let scale = min(1, Double(Self.most.width) / Double(width), Double(Self.most.height) / Double(height))
    state.change { $0.size = (Int(Double(width) * scale), Int(Double(height) * scale)) }
    draw()
  }

  /// Takes the next cloud of the camera, at a time in seconds.
  func take(_ cloud: PointCloud, lens: DepthLens, at time: Double) {
    state.change { state in
      state.cloud = cloud
      state.lens = lens
      state.time = time
      if state.pivot == nil { state.pivot = Self.pivot(of: cloud) }
      if state.sways, state.swayBegan == nil { state.swayBegan = time }
    }
    draw()
  }

  /// Forgets the cloud and its pose, as for another camera; whether the next one sways.
  func begin(sways: Bool) {
    state.change { state in
      state.cloud = nil
      state.pivot = nil
      state.pose = CloudPose()
      state.sways = sways
      state.swayBegan = nil
    }
  }

  /// Lets the cloud sway by itself, or rest where it is.
  func setSwaying(_ on: Bool) {
    state.change { state in
      guard on != state.sways else { return }
      if on { state.sways = true } else { state.hold() }
    }
    draw()
  }

  /// Changes the pose as hands do, which ends the sway.
  func change(_ change: @Sendable (inout CloudPose) -> Void) {
    state.change { state in
      state.hold()
      change(&state.pose)
    }
    draw()
  }

  /// Puts the cloud back to the camera's own view.
  func putBack() {
    state.change { state in
      state.hold()
      state.pose = CloudPose()
      state.pivot = state.cloud.flatMap(Self.pivot)
    }
    draw()
  }

  /// Nearer to the front than to the back: what stands before the wall is what is looked at.
  private static func pivot(of cloud: PointCloud) -> Float? {
    cloud.depths.map { $0.lowerBound + ($0.upperBound - $0.lowerBound) * 0.3 }
  }

  private func draw() {
    let isFirst = state.change { state in
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if isFirst { queue.async { self.drawNow() } }
  }

  private func drawNow() {
    let now = state.change { state in
      state.isScheduled = false
      return state
    }
    guard let cloud = now.cloud, let lens = now.lens, let handler = now.handler else { return }
    let (width, height) = now.size
    // The camera's picture fits into ours.
    let scale = min(Float(width) / lens.size.x, Float(height) / lens.size.y)
    var bytes = Data(count: width * height * 4)
    painter.change { painter in
      bytes.withUnsafeMutableBytes { bytes in
        painter.paint(
          cloud, from: now.shownPose.view(pivot: now.pivot ?? 1), focal: lens.focal.x * scale,
          background: Self.background, width: width, height: height,
          into: bytes.bindMemory(to: UInt32.self))
      }
    }
    handler(Thumbnail(width: width, height: height, bytes: bytes))
  }
}
