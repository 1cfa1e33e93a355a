import Foundation
import Linux
import V4L2Devices
import Waiting

extension ScriptedKernel {
  func requestBuffers(_ handle: VideoHandle, count: Int) throws(KernelRefusal) -> Int {
    try onDevice(.requestBuffers, handle) { state, device throws(KernelRefusal) in
      let opening = state.handles[handle.descriptor]?.opening
      if let owner = device.owner, owner != opening { throw KernelRefusal(.requestBuffers, EBUSY) }
      device.disown()
      if count > 0 { device.owner = opening }
      device.granted = min(count, device.camera.mostBuffers)
      return device.granted
    }
  }

  func addBuffers(_ handle: VideoHandle, count: Int) throws(KernelRefusal) -> Range<Int> {
    try onDevice(.addBuffers, handle) { state, device throws(KernelRefusal) in
      guard device.camera.addsBuffers else { throw KernelRefusal(.addBuffers, ENOTTY) }
      let first = device.granted
      guard count > 0 else { return first..<first }
      guard device.owner == state.handles[handle.descriptor]?.opening else {
        throw KernelRefusal(.addBuffers, EBUSY)
      }
      device.granted = min(first + count, device.camera.mostBuffers)
      // As the kernel has it: none at all is a refusal.
      if device.granted == first { throw KernelRefusal(.addBuffers, ENOMEM) }
      return first..<device.granted
    }
  }

  func mapBuffer(
    _ handle: VideoHandle, _ index: Int
  ) throws(KernelRefusal) -> UnsafeMutableRawBufferPointer {
    try onDevice(.mapBuffer, handle) { state, device throws(KernelRefusal) in
      let size = max(device.layout?.pictureBytes ?? 0, 4096)
      // A real mapping: reading it after its end is a crash, not luck.
      guard
        let address = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0),
        address != MAP_FAILED
      else { throw KernelRefusal(.mapBuffer, errno) }
      let memory = UnsafeMutableRawBufferPointer(start: address, count: size)
      device.memories.append(memory)
      state.mapped[UInt(bitPattern: address)] = state.handles[handle.descriptor]?.opening
      return memory
    }
  }

  func unmapBuffer(_ memory: UnsafeMutableRawBufferPointer) {
    state.withLock { state in
      // A kernel fills buffers that a program has no view of; here there is no other view.
      for device in state.devices {
        let gone = device.memories.firstIndex { $0.baseAddress == memory.baseAddress }
        device.queued.removeAll { $0 == gone }
      }
      munmap(memory.baseAddress, memory.count)
      if let opening = state.mapped.removeValue(forKey: UInt(bitPattern: memory.baseAddress)) {
        state.release(opening)
      }
    }
  }

  func exportBuffer(_ handle: VideoHandle, _ index: Int) throws(KernelRefusal) -> Descriptor {
    try onDevice(.exportBuffer, handle) { _, _ throws(KernelRefusal) in
      // A file of its own, and not the same memory, which anonymous mappings cannot give.
      var name = Array("/tmp/buffer-XXXXXX".utf8CString)
      let number = mkstemp(&name)
      guard number >= 0 else { throw KernelRefusal(.exportBuffer, errno) }
      unlink(name)
      return Descriptor(adopting: number)
    }
  }

  func enqueue(_ handle: VideoHandle, _ index: Int) throws(KernelRefusal) {
    try onDevice(.enqueue, handle) { _, device throws(KernelRefusal) in
      if !device.memories.indices.contains(index) || device.queued.contains(index)
        || device.filled.contains(where: { $0.index == index })
      {
        throw KernelRefusal(.enqueue, EINVAL)
      }
      device.queued.append(index)
    }
  }

  func dequeue(_ handle: VideoHandle) throws(KernelRefusal) -> FilledBuffer? {
    try onDevice(.dequeue, handle) { state, device throws(KernelRefusal) in
      if device.hasFatalError { throw KernelRefusal(.dequeue, EIO) }
      guard !device.filled.isEmpty else { return nil }
      let buffer = device.filled.removeFirst()
      if device.filled.isEmpty { state.handles[handle.descriptor]?.signal.clear() }
      return buffer
    }
  }

  func streamOn(_ handle: VideoHandle) throws(KernelRefusal) {
    let run = try onDevice(.streamOn, handle) { _, device -> Int? in
      device.isStreaming = true
      device.run += 1
      return device.camera.isAutomatic ? device.run : nil
    }
    if let run { play(handle, run) }
  }

  func streamOff(_ handle: VideoHandle) throws(KernelRefusal) {
    try onDevice(.streamOff, handle) { state, device in
      device.isStreaming = false
      device.hasFatalError = false
      device.queued = []
      device.filled = []
      device.run += 1
      state.handles[handle.descriptor]?.signal.clear()
    }
  }

  /// Exposes frames at the device's frame duration until the run is over.
  private func play(_ handle: VideoHandle, _ run: Int) {
    Thread.detachNewThread { [self] in
      while true {
        let duration = state.withLock { state -> VideoFraction? in
          guard let device = state.handles[handle.descriptor]?.device, device.run == run, device.isStreaming
          else {
            return nil
          }
          return device.duration
        }
        guard let duration else { return }
        let next = MonotonicInstant.now.advanced(
          byNanoseconds: 1_000_000_000 * Int64(duration.numerator) / Int64(duration.denominator))
        // A sensor's own time, which its end cuts short.
        let isOver: Void? = state.wait(
          until: next, for: { $0.handles[handle.descriptor]?.device.run != run }, then: { _ in })
        if isOver != nil { return }
        state.withLock { state in
          guard let device = state.handles[handle.descriptor]?.device, device.run == run else { return }
          guard !state.isSilent else { return }
          state.expose(device, Exposure(usedBytes: state.isShort ? 16 : nil))
          state.isShort = false
        }
      }
    }
  }
}
