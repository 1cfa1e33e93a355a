internal import CVideo4Linux
internal import Glibc
package import Linux

extension LinuxVideoKernel {
  package func requestBuffers(_ handle: VideoHandle, count: Int) throws(KernelRefusal) -> Int {
    var request = v4l2_requestbuffers()
    request.count = UInt32(count)
    request.type = UInt32(V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue)
    request.memory = UInt32(V4L2_MEMORY_MMAP.rawValue)
    try call(.requestBuffers, handle, cam_v4l2_VIDIOC_REQBUFS, &request)
    return Int(request.count)
  }

  package func addBuffers(_ handle: VideoHandle, count: Int) throws(KernelRefusal) -> Range<Int> {
    var request = v4l2_create_buffers()
    request.count = UInt32(count)
    request.memory = UInt32(V4L2_MEMORY_MMAP.rawValue)
    request.format.type = UInt32(V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue)
    try call(.addBuffers, handle, cam_v4l2_VIDIOC_G_FMT, &request.format)
    try call(.addBuffers, handle, cam_v4l2_VIDIOC_CREATE_BUFS, &request)
    let first = Int(request.index)
    return first..<first + (count == 0 ? 0 : Int(request.count))
  }

  package func mapBuffer(
    _ handle: VideoHandle, _ index: Int
  ) throws(KernelRefusal) -> UnsafeMutableRawBufferPointer {
    var buffer = capture(index)
    try call(.mapBuffer, handle, cam_v4l2_VIDIOC_QUERYBUF, &buffer)
    let memory = mmap(
      nil, Int(buffer.length), PROT_READ | PROT_WRITE, MAP_SHARED, handle.descriptor, Int(buffer.m.offset))
    guard let memory, memory != MAP_FAILED else { throw KernelRefusal(.mapBuffer, errno) }
    return UnsafeMutableRawBufferPointer(start: memory, count: Int(buffer.length))
  }

  package func unmapBuffer(_ memory: UnsafeMutableRawBufferPointer) {
    munmap(memory.baseAddress, memory.count)
  }

  package func exportBuffer(_ handle: VideoHandle, _ index: Int) throws(KernelRefusal) -> Descriptor {
    var request = v4l2_exportbuffer()
    request.type = UInt32(V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue)
    request.index = UInt32(index)
    request.flags = UInt32(O_CLOEXEC | O_RDWR)
    try call(.exportBuffer, handle, cam_v4l2_VIDIOC_EXPBUF, &request)
    return Descriptor(adopting: request.fd)
  }

  package func enqueue(_ handle: VideoHandle, _ index: Int) throws(KernelRefusal) {
    var buffer = capture(index)
    try call(.enqueue, handle, cam_v4l2_VIDIOC_QBUF, &buffer)
  }

  package func dequeue(_ handle: VideoHandle) throws(KernelRefusal) -> FilledBuffer? {
    var buffer = capture(0)
    do throws(KernelRefusal) {
      try call(.dequeue, handle, cam_v4l2_VIDIOC_DQBUF, &buffer)
    } catch  where error.errno == EAGAIN {
      return nil
    }
    let isMonotonic =
      buffer.flags & UInt32(V4L2_BUF_FLAG_TIMESTAMP_MASK) == UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC)
    let time = buffer.timestamp
    let (seconds, overflows) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    return FilledBuffer(
      index: Int(buffer.index), usedBytes: Int(buffer.bytesused), sequence: buffer.sequence,
      monotonicNanoseconds: isMonotonic && !overflows ? seconds &+ Int64(time.tv_usec) &* 1000 : nil,
      isBroken: buffer.flags & UInt32(V4L2_BUF_FLAG_ERROR) != 0)
  }

  package func streamOn(_ handle: VideoHandle) throws(KernelRefusal) {
    var kind = Int32(V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue)
    try call(.streamOn, handle, cam_v4l2_VIDIOC_STREAMON, &kind)
  }

  package func streamOff(_ handle: VideoHandle) throws(KernelRefusal) {
    var kind = Int32(V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue)
    try call(.streamOff, handle, cam_v4l2_VIDIOC_STREAMOFF, &kind)
  }

  private func capture(_ index: Int) -> v4l2_buffer {
    var buffer = v4l2_buffer()
    buffer.index = UInt32(index)
    buffer.type = UInt32(V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue)
    buffer.memory = UInt32(V4L2_MEMORY_MMAP.rawValue)
    return buffer
  }
}
