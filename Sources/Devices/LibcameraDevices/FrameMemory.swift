internal import CLibcamera
internal import CaptureDevice
internal import CoreMedia
internal import CoreVideo
internal import FoundationExtras
internal import Glibc
internal import Linux

/// The memory of one buffer, as this process sees it; unmapped with the last reference, which a frame may have that outlives its stream.
final class FrameMemory: @unchecked Sendable {
  // Safe because only the camera writes, while no client holds a picture in it.

  /// The bytes of each plane; empty where they cannot be had.
  let planes: [UnsafeMutableRawBufferPointer]
  private let mappings: [UnsafeMutableRawBufferPointer]
  /// The memories behind the planes, each once.
  private let descriptors: [Descriptor]
  /// What was allocated here.
  private let own: [UnsafeMutableRawBufferPointer]

  init(_ told: [BufferPlane]) {
    var mappings: [Int32: UnsafeMutableRawBufferPointer] = [:]
    for (number, planes) in Dictionary(grouping: told, by: \.descriptor) {
      // Planes of one memory are one mapping.
      let size = planes.map { $0.offset + $0.length }.max() ?? 0
      // Some drivers let nothing be written.
      guard let bytes = Self.map(number, size, PROT_READ | PROT_WRITE) ?? Self.map(number, size, PROT_READ)
      else { continue }
      mappings[number] = bytes
    }
    let planes = told.compactMap { plane in
      mappings[plane.descriptor].map {
        UnsafeMutableRawBufferPointer(rebasing: $0[plane.offset..<plane.offset + plane.length])
      }
    }
    let descriptors = mappings.keys.sorted().compactMap { number in
      let own = fcntl(number, F_DUPFD_CLOEXEC, 3)
      return own >= 0 ? Descriptor(adopting: own) : nil
    }
    // Without its descriptor memory would be read that is still in another device's caches.
    let isWhole = planes.count == told.count && descriptors.count == mappings.count
    self.planes = isWhole ? planes : []
    self.mappings = Array(mappings.values)
    self.descriptors = descriptors
    own = []
  }

  /// The same bytes in memory of their own; `nil` without memory.
  init?(copying other: FrameMemory) {
    var planes: [UnsafeMutableRawBufferPointer] = []
    for plane in other.planes {
      guard let address = malloc(max(plane.count, 1)) else {
        for plane in planes { free(plane.baseAddress) }
        return nil
      }
      let copy = UnsafeMutableRawBufferPointer(start: address, count: plane.count)
      copy.copyMemory(from: UnsafeRawBufferPointer(plane))
      planes.append(copy)
    }
    self.planes = planes
    own = planes
    (mappings, descriptors) = ([], [])
  }

  deinit {
    for mapping in mappings { munmap(mapping.baseAddress, mapping.count) }
    for plane in own { free(plane.baseAddress) }
  }

  private static func map(_ descriptor: Int32, _ size: Int, _ rights: Int32) -> UnsafeMutableRawBufferPointer?
  {
    guard size > 0 else { return nil }
    let address = mmap(nil, size, rights, MAP_SHARED, descriptor, 0)
    guard let address, address != MAP_FAILED else { return nil }
    return UnsafeMutableRawBufferPointer(start: address, count: size)
  }

  /// Before its bytes are read: what another device wrote may not have reached this one's caches.
  func beginReading() { for descriptor in descriptors { cam_libcamera_dma_read(descriptor.number, 1) } }

  /// After its bytes were read.
  func endReading() { for descriptor in descriptors { cam_libcamera_dma_read(descriptor.number, 0) } }

  /// A descriptor of the memory for other devices; `nil` where that is more than one memory.
  func exported() -> Descriptor? {
    guard descriptors.count == 1, let shared = descriptors.first else { return nil }
    let number = fcntl(shared.number, F_DUPFD_CLOEXEC, 3)
    return number >= 0 ? Descriptor(adopting: number) : nil
  }
}
