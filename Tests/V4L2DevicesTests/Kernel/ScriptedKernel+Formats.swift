import Foundation
import V4L2Devices

extension ScriptedKernel {
  func identity(_ handle: VideoHandle) throws(KernelRefusal) -> VideoIdentity {
    try onDevice(.identity, handle) { _, device in device.camera.identity }
  }

  func pixelFormat(_ handle: VideoHandle, at index: Int) throws(KernelRefusal) -> VideoPixelFormat? {
    try onDevice(.pixelFormat, handle) { _, device in
      device.camera.modes.indices.contains(index) ? device.camera.modes[index].format : nil
    }
  }

  func frameSizes(
    _ handle: VideoHandle, _ format: VideoPixelFormat, at index: Int
  ) throws(KernelRefusal) -> VideoRange<VideoSize>? {
    try onDevice(.frameSizes, handle) { _, device in
      let sizes = device.camera.modes.first { $0.format == format }?.sizes ?? []
      return sizes.indices.contains(index) ? sizes[index] : nil
    }
  }

  func frameDurations(
    _ handle: VideoHandle, _ format: VideoPixelFormat, _ size: VideoSize, at index: Int
  ) throws(KernelRefusal) -> VideoRange<VideoFraction>? {
    try onDevice(.frameDurations, handle) { _, device in
      let durations = device.camera.modes.first { $0.format == format }?.durations ?? []
      return durations.indices.contains(index) ? durations[index] : nil
    }
  }

  func setLayout(
    _ handle: VideoHandle, _ layout: VideoLayout, trying: Bool
  ) throws(KernelRefusal) -> VideoLayout {
    try onDevice(trying ? .tryLayout : .setLayout, handle) { _, device throws(KernelRefusal) in
      if !trying, let owner = device.owner, owner != handle.descriptor {
        throw KernelRefusal(.setLayout, EBUSY)
      }
      var granted = layout
      (granted.strideBytes, granted.pictureBytes) = KernelCamera.bytes(layout.format, layout.size)
      granted.isFullRange = device.camera.isFullRange
      granted.isRangeAssumed = device.camera.isRangeAssumed
      if !trying { device.layout = granted }
      return granted
    }
  }

  func frameDuration(_ handle: VideoHandle) throws(KernelRefusal) -> VideoFraction {
    try onDevice(.frameDuration, handle) { _, device in device.duration }
  }

  func setFrameDuration(
    _ handle: VideoHandle, _ duration: VideoFraction
  ) throws(KernelRefusal) -> VideoFraction {
    try onDevice(.setFrameDuration, handle) { _, device throws(KernelRefusal) in
      if device.isStreaming, !device.camera.changesDurationLive {
        throw KernelRefusal(.setFrameDuration, EBUSY)
      }
      device.duration = duration
      return duration
    }
  }
}
