internal import CFFmpeg
package import CoreMedia

/// A packet's bytes in a block buffer, without copying; the packet is freed with it.
package enum PacketMemory {
  /// Takes over `packet`, whose memory `bytes` is.
  package static func block(_ packet: OpaquePointer, _ bytes: UnsafeRawBufferPointer) -> CMBlockBuffer {
    let owner = Owner(packet)
    return CMBlockBuffer(wrapping: UnsafeMutableRawBufferPointer(mutating: bytes)) {
      withExtendedLifetime(owner) {}
    }
  }

  private final class Owner: @unchecked Sendable {  // Safe because the packet is only freed.
    private let packet: OpaquePointer

    init(_ packet: OpaquePointer) {
      self.packet = packet
    }

    deinit {
      cam_packet_free(packet)
    }
  }
}
