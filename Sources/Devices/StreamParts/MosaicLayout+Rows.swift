package import CaptureDevice

extension MosaicLayout {
  /// The least bytes of a row.
  package func rowBytes(width: Int) -> Int {
    switch (isPacked, bits) {
    case (true, 10): (width + 3) / 4 * 5
    case (true, 12): (width + 1) / 2 * 3
    case (true, 14): (width + 3) / 4 * 7
    default: bits <= 8 ? width : 2 * width
    }
  }
}
