import Linux
import V4L2Devices

extension ScriptedKernel.State {
  /// Ends an opening when it is closed and nothing of it is mapped: a mapping keeps a closed file alive.
  func release(_ opening: Int) {
    guard !handles.values.contains(where: { $0.opening == opening }), !mapped.values.contains(opening) else {
      return
    }
    for device in devices where device.owner == opening { device.disown() }
  }

  func wake(_ device: ScriptedKernel.Device) {
    for handle in handles.values where handle.device === device { handle.signal.signal() }
  }

  func expose(_ device: ScriptedKernel.Device, _ exposure: ScriptedKernel.Exposure) {
    guard device.isStreaming, device.isPlugged, !device.hasFatalError else { return }
    device.sequence &+= exposure.skipping
    defer { device.sequence &+= 1 }
    guard !device.queued.isEmpty else { return }
    let index = device.queued.removeFirst()
    let memory = device.memories[index]
    let format = device.layout?.format
    var used = min(device.layout?.pictureBytes ?? 0, memory.count)
    if let bytes = exposure.bytes {
      memory.copyBytes(from: bytes.prefix(memory.count))
      used = bytes.count
    } else if format == .mjpeg {
      let picture: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xC0, 0, 2, 0xFF, 0xDA, 0, 2] + Array(repeating: 7, count: 46) + [
          0xFF, 0xD9, 0, 0,
        ]
      memory.copyBytes(from: picture)
      used = picture.count
    } else {
      memory.copyBytes(from: (0..<used).map { UInt8(truncatingIfNeeded: Int(device.sequence) + $0) })
    }
    device.filled.append(
      FilledBuffer(
        index: index, usedBytes: exposure.usedBytes ?? used, sequence: device.sequence,
        monotonicNanoseconds: exposure.stamp ?? MonotonicInstant.now.nanoseconds, isBroken: exposure.isBroken)
    )
    for handle in handles.values where handle.opening == device.owner { handle.signal.signal() }
  }
}
