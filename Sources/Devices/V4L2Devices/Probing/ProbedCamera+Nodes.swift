internal import CaptureDevice

extension ProbedCamera {
  /// The same camera with the formats of another node of its sensor: H.264 and HEVC where it has neither itself, the others where
  /// it has nothing but these.
  ///
  /// Webcams of several makers have their H.264 at a node of its own beside the one with everything else. People have one
  /// camera, so it is one device; a stream opens the node that has its format.
  func adding(_ other: ProbedCamera) -> ProbedCamera {
    let wantsCoded = !facts.formats.contains { $0.encoding.isCoded }
    let wantsPictures = facts.formats.allSatisfy { $0.encoding.isCoded }
    var all = self
    for format in other.facts.formats where format.encoding.isCoded ? wantsCoded : wantsPictures {
      all.pixelFormats[format] = other.pixelFormats[format]
      all.otherNodes[format] = other.node
      // Behind all that are smaller; of as many pixels coded ones come first, as it is of least use.
      let pixels = format.size.width * format.size.height
      let place = all.facts.formats.firstIndex { present in
        let presentPixels = present.size.width * present.size.height
        return presentPixels > pixels || (presentPixels == pixels && format.encoding.isCoded)
      }
      all.facts.formats.insert(format, at: place ?? all.facts.formats.endIndex)
    }
    return all
  }

  /// The node that streams `format`.
  func path(of format: StreamFormat) -> String { otherNodes[format]?.path ?? node.path }
}
