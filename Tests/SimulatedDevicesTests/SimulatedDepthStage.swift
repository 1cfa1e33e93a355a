import CaptureDevice
import CoreVideo
import Foundation
import Linux
import SimulatedDevices

/// A scene before a small camera that measures depth, on a clock moved by hand.
struct SimulatedDepthStage {
  static let size = FrameSize(width: 160, height: 120)

  let stage: Stage
  let format: StreamFormat

  init(
    _ scene: Scene, map: FrameSize = size, frame: FrameSize = size,
    change: (inout SimulatedDeviceModel) -> Void = { _ in }
  ) throws {
    var model = SimulatedDeviceModel.camera(sizes: [frame], depthSizes: [map])
    change(&model)
    stage = try Stage(scene, model: model)
    format = model.facts.formats[1]
  }

  func configuration(
    _ pixelFormat: OSType = kCVPixelFormatType_DepthFloat32, rate: Int32 = 30, mapRate: Int32 = 30,
    buffers: Int = 64, mapBuffers: Int = 64, stabilization: StabilizationMode = .off
  ) throws -> StreamConfiguration {
    guard let depth = format.depthFormats.first(where: { $0.pixelFormat == pixelFormat }) else {
      throw CaptureDeviceError(.formatUnsupported, "The model has no such maps.")
    }
    var configuration = StreamConfiguration(
      format: format, frameDuration: FrameDuration(1, rate), bufferCount: buffers)
    configuration.stabilization = stabilization
    configuration.depth = DepthConfiguration(
      format: depth, frameDuration: FrameDuration(1, mapRate), bufferCount: mapBuffers)
    return configuration
  }

  func open(_ configuration: StreamConfiguration) throws -> SimulatedStream {
    guard let stream = try stage.camera.openStream(configuration) as? SimulatedStream else {
      throw CaptureDeviceError(.ioFailure, "A simulated device opened another's stream.")
    }
    return stream
  }

  /// All that comes in the first `seconds`.
  func run(_ configuration: StreamConfiguration, seconds: Double) throws -> Recorder.Log {
    let stream = try open(configuration)
    let recorder = Recorder()
    try stream.start(recorder.receive)
    stage.clock.advance(by: .seconds(seconds))
    stream.stop()
    return recorder.now
  }
}

extension CVPixelBuffer {
  /// The value of a map of singles at a place.
  func metres(_ x: Int, _ y: Int) -> Float {
    planes[0].row(y).bindMemory(to: Float.self)[x]
  }

  /// All that a map of singles says, row by row.
  var allMetres: [Float] {
    (0..<height).flatMap { planes[0].row($0).bindMemory(to: Float.self).prefix(width) }
  }

  /// All bits of a map of halves, row by row.
  var allHalves: [UInt16] {
    (0..<height).flatMap { planes[0].row($0).bindMemory(to: UInt16.self).prefix(width) }
  }
}
