import AVFoundation

/// The kinds of codes that the scanner finds, with their names.
enum CodeKinds {
  static let all: [(type: AVMetadataObject.ObjectType, name: String)] = [
    (.qr, "QR"), (.microQR, "Micro QR"), (.aztec, "Aztec"), (.dataMatrix, "Data Matrix"), (.pdf417, "PDF417"),
    (.ean13, "EAN-13"), (.ean8, "EAN-8"), (.upce, "UPC-E"), (.code128, "Code 128"), (.code39, "Code 39"),
    (.code93, "Code 93"), (.itf14, "ITF-14"), (.codabar, "Codabar"),
  ]

  static func name(of type: AVMetadataObject.ObjectType) -> String {
    all.first { $0.type == type }?.name ?? type.rawValue
  }
}

extension CaptureEngine: AVCaptureMetadataOutputObjectsDelegate {
  func metadataOutput(
    _ output: AVCaptureMetadataOutput, didOutput metadataObjects: [AVMetadataObject],
    from connection: AVCaptureConnection
  ) {
    guard let geometry = preview.unitGeometry else { return }
    send(
      .codes(
        metadataObjects.compactMap { object in
          guard let code = object as? AVMetadataMachineReadableCodeObject, let text = code.stringValue else {
            return nil
          }
          return FoundCode(
            kind: CodeKinds.name(of: code.type), content: CodeContent(text),
            corners: code.corners.map(geometry.layerPoint(fromPicturePoint:)))
        }))
  }

  /// Searches for codes in a part of the picture as it is shown.
  func setRegion(_ region: CGRect) {
    queue.async {
      self.region = region
      self.applyRegion()
    }
  }

  /// On the queue.
  func applyRegion() {
    guard mode == .scan, has(metadataOutput) else { return }
    let rect = preview.plannedGeometry.pictureRect(fromLayerRect: region)
    metadataOutput.rectOfInterest = rect.intersection(CGRect(x: 0, y: 0, width: 1, height: 1))
  }
}
