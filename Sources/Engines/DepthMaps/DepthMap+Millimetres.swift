extension DepthMap {
  /// The map in whole millimetres, little-endian: 0 is unknown, and so is what lies beyond 65.535 m.
  ///
  /// As depth cameras and their tools store maps in pictures of 16 bits. Cost: one pass.
  public var millimetres: [UInt16] {
    values.map { value in
      let rounded = ((quantity == .depth ? value : 1 / value) * 1000).rounded()
      return rounded <= Float(UInt16.max) ? UInt16(rounded).littleEndian : 0
    }
  }
}
