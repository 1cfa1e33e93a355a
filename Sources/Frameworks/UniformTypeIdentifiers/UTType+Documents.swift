extension UTType {
  /// A thing of any kind.
  ///
  /// Apple: `UTType.item`.
  public static var item: UTType { UTType(declared: "public.item") }

  /// What holds something to see, hear or read.
  ///
  /// Apple: `UTType.content`.
  public static var content: UTType { UTType(declared: "public.content") }

  /// Content of several kinds.
  ///
  /// Apple: `UTType.compositeContent`.
  public static var compositeContent: UTType { UTType(declared: "public.composite-content") }

  /// Bytes.
  ///
  /// Apple: `UTType.data`.
  public static var data: UTType { UTType(declared: "public.data") }

  /// A directory.
  ///
  /// Apple: `UTType.directory`.
  public static var directory: UTType { UTType(declared: "public.directory") }

  /// A directory that users see.
  ///
  /// Apple: `UTType.folder`.
  public static var folder: UTType { UTType(declared: "public.folder") }

  /// A directory that looks like a file.
  ///
  /// Apple: `UTType.package`.
  public static var package: UTType { UTType(declared: "com.apple.package") }

  /// A directory with a structure.
  ///
  /// Apple: `UTType.bundle`.
  public static var bundle: UTType { UTType(declared: "com.apple.bundle") }

  /// A symbolic link.
  ///
  /// Apple: `UTType.symbolicLink`.
  public static var symbolicLink: UTType { UTType(declared: "public.symlink") }

  /// A program.
  ///
  /// Apple: `UTType.executable`.
  public static var executable: UTType { UTType(declared: "public.executable") }

  /// An address.
  ///
  /// Apple: `UTType.url`.
  public static var url: UTType { UTType(declared: "public.url") }

  /// An address of a file.
  ///
  /// Apple: `UTType.fileURL`.
  public static var fileURL: UTType { UTType(declared: "public.file-url") }

  /// Text.
  ///
  /// Apple: `UTType.text`.
  public static var text: UTType { UTType(declared: "public.text") }

  /// Text without styles.
  ///
  /// Apple: `UTType.plainText`.
  public static var plainText: UTType { UTType(declared: "public.plain-text") }

  /// Text in UTF-8.
  ///
  /// Apple: `UTType.utf8PlainText`.
  public static var utf8PlainText: UTType { UTType(declared: "public.utf8-plain-text") }

  /// Text in UTF-16.
  ///
  /// Apple: `UTType.utf16PlainText`.
  public static var utf16PlainText: UTType { UTType(declared: "public.utf16-plain-text") }

  /// Values in columns.
  ///
  /// Apple: `UTType.delimitedText`.
  public static var delimitedText: UTType { UTType(declared: "public.delimited-values-text") }

  /// Values with commas between them.
  ///
  /// Apple: `UTType.commaSeparatedText`.
  public static var commaSeparatedText: UTType { UTType(declared: "public.comma-separated-values-text") }

  /// Values with tabulators between them.
  ///
  /// Apple: `UTType.tabSeparatedText`.
  public static var tabSeparatedText: UTType { UTType(declared: "public.tab-separated-values-text") }

  /// Text with styles.
  ///
  /// Apple: `UTType.rtf`.
  public static var rtf: UTType { UTType(declared: "public.rtf") }

  /// A page.
  ///
  /// Apple: `UTType.html`.
  public static var html: UTType { UTType(declared: "public.html") }

  /// XML.
  ///
  /// Apple: `UTType.xml`.
  public static var xml: UTType { UTType(declared: "public.xml") }

  /// YAML.
  ///
  /// Apple: `UTType.yaml`.
  public static var yaml: UTType { UTType(declared: "public.yaml") }

  /// JSON.
  ///
  /// Apple: `UTType.json`.
  public static var json: UTType { UTType(declared: "public.json") }

  /// A program's source.
  ///
  /// Apple: `UTType.sourceCode`.
  public static var sourceCode: UTType { UTType(declared: "public.source-code") }

  /// Source in Swift.
  ///
  /// Apple: `UTType.swiftSource`.
  public static var swiftSource: UTType { UTType(declared: "public.swift-source") }

  /// A style sheet.
  ///
  /// Apple: `UTType.css`.
  public static var css: UTType { UTType(declared: "public.css") }

  /// A log.
  ///
  /// Apple: `UTType.log`.
  public static var log: UTType { UTType(declared: "public.log") }

  /// A property list.
  ///
  /// Apple: `UTType.propertyList`.
  public static var propertyList: UTType { UTType(declared: "com.apple.property-list") }

  /// A property list in XML.
  ///
  /// Apple: `UTType.xmlPropertyList`.
  public static var xmlPropertyList: UTType { UTType(declared: "com.apple.xml-property-list") }

  /// A property list in bytes.
  ///
  /// Apple: `UTType.binaryPropertyList`.
  public static var binaryPropertyList: UTType { UTType(declared: "com.apple.binary-property-list") }

  /// A PDF document.
  ///
  /// Apple: `UTType.pdf`.
  public static var pdf: UTType { UTType(declared: "com.adobe.pdf") }

  /// A book.
  ///
  /// Apple: `UTType.epub`.
  public static var epub: UTType { UTType(declared: "org.idpf.epub-container") }

  /// An archive.
  ///
  /// Apple: `UTType.archive`.
  public static var archive: UTType { UTType(declared: "public.archive") }

  /// A ZIP archive.
  ///
  /// Apple: `UTType.zip`.
  public static var zip: UTType { UTType(declared: "public.zip-archive") }

  /// Bytes that gzip compressed.
  ///
  /// Apple: `UTType.gzip`.
  public static var gzip: UTType { UTType(declared: "org.gnu.gnu-zip-archive") }

  /// Bytes that bzip2 compressed.
  ///
  /// Apple: `UTType.bz2`.
  public static var bz2: UTType { UTType(declared: "public.bzip2-archive") }

  /// A font.
  ///
  /// Apple: `UTType.font`.
  public static var font: UTType { UTType(declared: "public.font") }

  /// A person's card.
  ///
  /// Apple: `UTType.vCard`.
  public static var vCard: UTType { UTType(declared: "public.vcard") }

  /// A database.
  ///
  /// Apple: `UTType.database`.
  public static var database: UTType { UTType(declared: "public.database") }

  /// An event of a calendar.
  ///
  /// Apple: `UTType.calendarEvent`.
  public static var calendarEvent: UTType { UTType(declared: "public.calendar-event") }
}
