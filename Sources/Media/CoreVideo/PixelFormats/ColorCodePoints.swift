public import FoundationExtras

// The code points are those of ITU-T H.273 (ISO/IEC 23091-2), which H.264, HEVC, and the `nclx` colour box share.

private let matrices: [(Int32, CFString)] = [
  (1, kCVImageBufferYCbCrMatrix_ITU_R_709_2), (6, kCVImageBufferYCbCrMatrix_ITU_R_601_4),
  (7, kCVImageBufferYCbCrMatrix_SMPTE_240M_1995), (9, kCVImageBufferYCbCrMatrix_ITU_R_2020),
]
private let primaries: [(Int32, CFString)] = [
  (1, kCVImageBufferColorPrimaries_ITU_R_709_2), (5, kCVImageBufferColorPrimaries_EBU_3213),
  (6, kCVImageBufferColorPrimaries_SMPTE_C), (9, kCVImageBufferColorPrimaries_ITU_R_2020),
  (11, kCVImageBufferColorPrimaries_DCI_P3), (12, kCVImageBufferColorPrimaries_P3_D65),
  (22, kCVImageBufferColorPrimaries_P22),
]
private let transferFunctions: [(Int32, CFString)] = [
  (1, kCVImageBufferTransferFunction_ITU_R_709_2), (7, kCVImageBufferTransferFunction_SMPTE_240M_1995),
  (8, kCVImageBufferTransferFunction_Linear), (13, kCVImageBufferTransferFunction_sRGB),
  (14, kCVImageBufferTransferFunction_ITU_R_2020), (16, kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ),
  (17, kCVImageBufferTransferFunction_SMPTE_ST_428_1), (18, kCVImageBufferTransferFunction_ITU_R_2100_HLG),
]

/// "Unspecified" in H.273.
private let unspecified: Int32 = 2

private func code(_ text: CFString?, in table: [(Int32, CFString)]) -> Int32 {
  table.first { $0.1 == text }?.0 ?? unspecified
}

private func text(_ code: Int32, in table: [(Int32, CFString)]) -> CFString? {
  table.first { $0.0 == code }?.1
}

/// The H.273 code point of a `kCVImageBufferYCbCrMatrix_…` value; 2, unspecified, for any other text.
public func CVYCbCrMatrixGetIntegerCodePointForString(_ yCbCrMatrixString: CFString?) -> Int32 {
  code(yCbCrMatrixString, in: matrices)
}

/// The H.273 code point of a `kCVImageBufferColorPrimaries_…` value; 2, unspecified, for any other text.
public func CVColorPrimariesGetIntegerCodePointForString(_ colorPrimariesString: CFString?) -> Int32 {
  code(colorPrimariesString, in: primaries)
}

/// The H.273 code point of a `kCVImageBufferTransferFunction_…` value; 2, unspecified, for any other text.
public func CVTransferFunctionGetIntegerCodePointForString(_ transferFunctionString: CFString?) -> Int32 {
  code(transferFunctionString, in: transferFunctions)
}

/// The `kCVImageBufferYCbCrMatrix_…` value of an H.273 code point, or `nil` when it has none.
public func CVYCbCrMatrixGetStringForIntegerCodePoint(_ yCbCrMatrixCodePoint: Int32) -> CFString? {
  text(yCbCrMatrixCodePoint == 5 ? 6 : yCbCrMatrixCodePoint, in: matrices)
}

/// The `kCVImageBufferColorPrimaries_…` value of an H.273 code point, or `nil` when it has none.
public func CVColorPrimariesGetStringForIntegerCodePoint(_ colorPrimariesCodePoint: Int32) -> CFString? {
  text(colorPrimariesCodePoint, in: primaries)
}

/// The `kCVImageBufferTransferFunction_…` value of an H.273 code point, or `nil` when it has none.
public func CVTransferFunctionGetStringForIntegerCodePoint(_ transferFunctionCodePoint: Int32) -> CFString? {
  // 6 (BT.601) is the same curve as 1, 15 (BT.2020, 12 bits) as 14.
  let same: [Int32: Int32] = [6: 1, 15: 14]
  return text(same[transferFunctionCodePoint] ?? transferFunctionCodePoint, in: transferFunctions)
}
