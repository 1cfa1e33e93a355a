internal import CReactions

extension ReactionCanvas {
  /// Changes the picture's own light, and adds light behind the person.
  ///
  /// One pass over both planes.
  func apply(_ atmosphere: Atmosphere, light: (luma: WidenedRows, chroma: WidenedRows)?, person: WidenedRows?)
  {
    func row(_ rows: WidenedRows?, _ y: Int, else none: reactions_row) -> reactions_row {
      guard var rows = rows?.rows else { return none }
      return reactions_row_of(&rows, Int32(y))
    }
    let tint = encoding.levels(atmosphere.tint)
    func share(_ value: Float) -> Int32 { Int32((clamp(value) * 128).rounded()) }
    var lumaChange = reactions_light(
      person: share(atmosphere.person), background: share(atmosphere.background),
      added: Int32(tint.x.rounded()),
      black: Int32(encoding.black), white: Int32(encoding.white))
    var chromaChange = reactions_light(
      person: share(atmosphere.personColor), background: share(atmosphere.backgroundColor),
      added: Int32(tint.y.rounded()), black: 0, white: 255)
    // Rows of nothing stand for a mask or light that is not there: one loop for all.
    let blank = UnsafeMutablePointer<UInt8>.allocate(capacity: 4 * chromaWidth)
    defer { blank.deallocate() }
    blank.initialize(repeating: 0, count: 2 * chromaWidth)
    let gray = blank + 2 * chromaWidth
    gray.initialize(repeating: 128, count: 2 * chromaWidth)
    let nothing = reactions_row(near: blank, far: blank, share: 0)
    let noColor = reactions_row(near: gray, far: gray, share: 0)
    for y in 0..<height {
      var lit = row(light?.luma, y, else: nothing)
      var masked = row(person, y, else: nothing)
      reactions_change_luma(luma + y * lumaPitch, width, &lumaChange, &lit, &masked)
    }
    for y in 0..<chromaHeight {
      var lit = row(light?.chroma, y, else: noColor)
      var masked = row(person, min(2 * y, height - 1), else: nothing)
      reactions_change_chroma(
        chroma + y * chromaPitch, chromaWidth, &chromaChange, Int32(tint.z.rounded()), &lit, &masked)
    }
  }
}
