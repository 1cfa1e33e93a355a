extension UTType {
  /// A picture.
  ///
  /// Apple: `UTType.image`.
  public static var image: UTType { UTType(declared: "public.image") }

  /// A JPEG picture.
  ///
  /// Apple: `UTType.jpeg`.
  public static var jpeg: UTType { UTType(declared: "public.jpeg") }

  /// A JPEG 2000 picture.
  ///
  /// Apple: `UTType.jpeg2000`.
  public static var jpeg2000: UTType { UTType(declared: "public.jpeg-2000") }

  /// A JPEG XL picture.
  ///
  /// Apple: `UTType.jpegxl`.
  public static var jpegxl: UTType { UTType(declared: "public.jpeg-xl") }

  /// A TIFF picture.
  ///
  /// Apple: `UTType.tiff`.
  public static var tiff: UTType { UTType(declared: "public.tiff") }

  /// A GIF picture.
  ///
  /// Apple: `UTType.gif`.
  public static var gif: UTType { UTType(declared: "com.compuserve.gif") }

  /// A PNG picture.
  ///
  /// Apple: `UTType.png`.
  public static var png: UTType { UTType(declared: "public.png") }

  /// A Mac's icon.
  ///
  /// Apple: `UTType.icns`.
  public static var icns: UTType { UTType(declared: "com.apple.icns") }

  /// A Windows bitmap.
  ///
  /// Apple: `UTType.bmp`.
  public static var bmp: UTType { UTType(declared: "com.microsoft.bmp") }

  /// A Windows icon.
  ///
  /// Apple: `UTType.ico`.
  public static var ico: UTType { UTType(declared: "com.microsoft.ico") }

  /// A picture as a camera's sensor saw it.
  ///
  /// Apple: `UTType.rawImage`.
  public static var rawImage: UTType { UTType(declared: "public.camera-raw-image") }

  /// A raw picture in Adobe's format.
  ///
  /// Apple: `UTType.dng`.
  public static var dng: UTType { UTType(declared: "com.adobe.raw-image") }

  /// A drawing of lines and shapes.
  ///
  /// Apple: `UTType.svg`.
  public static var svg: UTType { UTType(declared: "public.svg-image") }

  /// A HEIF picture.
  ///
  /// Apple: `UTType.heif`.
  public static var heif: UTType { UTType(declared: "public.heif") }

  /// A HEIF picture, coded as HEVC.
  ///
  /// Apple: `UTType.heic`.
  public static var heic: UTType { UTType(declared: "public.heic") }

  /// HEIF pictures in a row, coded as HEVC.
  ///
  /// Apple: `UTType.heics`.
  public static var heics: UTType { UTType(declared: "public.heics") }

  /// A WebP picture.
  ///
  /// Apple: `UTType.webP`.
  public static var webP: UTType { UTType(declared: "org.webmproject.webp") }

  /// A picture of wide range.
  ///
  /// Apple: `UTType.exr`.
  public static var exr: UTType { UTType(declared: "com.ilm.openexr-image") }

  /// A photo with its short movie.
  ///
  /// Apple: `UTType.livePhoto`.
  public static var livePhoto: UTType { UTType(declared: "com.apple.live-photo") }
}
