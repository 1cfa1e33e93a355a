// Types that camera programs meet seldom.

extension UTType {
  /// A scene in one file.
  ///
  /// Apple: `UTType.usdz`.
  public static var usdz: UTType { UTType(declared: "com.pixar.universal-scene-description-mobile") }

  /// A scene.
  ///
  /// Apple: `UTType.usd`.
  public static var usd: UTType { UTType(declared: "com.pixar.universal-scene-description") }

  /// Bodies in space.
  ///
  /// Apple: `UTType.threeDContent`.
  public static var threeDContent: UTType { UTType(declared: "public.3d-content") }

  /// A scene of SceneKit's.
  ///
  /// Apple: `UTType.sceneKitScene`.
  public static var sceneKitScene: UTType { UTType(declared: "com.apple.scenekit.scene") }

  /// A scene of RealityKit's.
  ///
  /// Apple: `UTType.realityFile`.
  public static var realityFile: UTType { UTType(declared: "com.apple.reality") }

  /// A body to be found again.
  ///
  /// Apple: `UTType.arReferenceObject`.
  public static var arReferenceObject: UTType { UTType(declared: "com.apple.arobject") }

  /// A program that users start.
  ///
  /// Apple: `UTType.application`.
  public static var application: UTType { UTType(declared: "com.apple.application") }

  /// A program in a folder.
  ///
  /// Apple: `UTType.applicationBundle`.
  public static var applicationBundle: UTType { UTType(declared: "com.apple.application-bundle") }

  /// A library in a folder.
  ///
  /// Apple: `UTType.framework`.
  public static var framework: UTType { UTType(declared: "com.apple.framework") }

  /// A person.
  ///
  /// Apple: `UTType.contact`.
  public static var contact: UTType { UTType(declared: "public.contact") }

  /// A message.
  ///
  /// Apple: `UTType.message`.
  public static var message: UTType { UTType(declared: "public.message") }

  /// A letter by mail.
  ///
  /// Apple: `UTType.emailMessage`.
  public static var emailMessage: UTType { UTType(declared: "public.email-message") }

  /// A file that says where something is.
  ///
  /// Apple: `UTType.internetLocation`.
  public static var internetLocation: UTType { UTType(declared: "com.apple.internet-location") }

  /// A file that says where a page is.
  ///
  /// Apple: `UTType.internetShortcut`.
  public static var internetShortcut: UTType { UTType(declared: "com.microsoft.internet-shortcut") }

  /// A place to find again.
  ///
  /// Apple: `UTType.bookmark`.
  public static var bookmark: UTType { UTType(declared: "public.bookmark") }

  /// A program that runs as it is written.
  ///
  /// Apple: `UTType.script`.
  public static var script: UTType { UTType(declared: "public.script") }

  /// A program for a shell.
  ///
  /// Apple: `UTType.shellScript`.
  public static var shellScript: UTType { UTType(declared: "public.shell-script") }

  /// A program in Python.
  ///
  /// Apple: `UTType.pythonScript`.
  public static var pythonScript: UTType { UTType(declared: "public.python-script") }

  /// A program in Ruby.
  ///
  /// Apple: `UTType.rubyScript`.
  public static var rubyScript: UTType { UTType(declared: "public.ruby-script") }

  /// A program in Perl.
  ///
  /// Apple: `UTType.perlScript`.
  public static var perlScript: UTType { UTType(declared: "public.perl-script") }

  /// A program in PHP.
  ///
  /// Apple: `UTType.phpScript`.
  public static var phpScript: UTType { UTType(declared: "public.php-script") }

  /// A program in JavaScript.
  ///
  /// Apple: `UTType.javaScript`.
  public static var javaScript: UTType { UTType(declared: "com.netscape.javascript-source") }

  /// A program in C.
  ///
  /// Apple: `UTType.cSource`.
  public static var cSource: UTType { UTType(declared: "public.c-source") }

  /// A header of C.
  ///
  /// Apple: `UTType.cHeader`.
  public static var cHeader: UTType { UTType(declared: "public.c-header") }

  /// A program in C++.
  ///
  /// Apple: `UTType.cPlusPlusSource`.
  public static var cPlusPlusSource: UTType { UTType(declared: "public.c-plus-plus-source") }

  /// A program in Objective-C.
  ///
  /// Apple: `UTType.objectiveCSource`.
  public static var objectiveCSource: UTType { UTType(declared: "public.objective-c-source") }

  /// A program for an assembler.
  ///
  /// Apple: `UTType.assemblyLanguageSource`.
  public static var assemblyLanguageSource: UTType { UTType(declared: "public.assembly-source") }

  /// A disk in a file.
  ///
  /// Apple: `UTType.diskImage`.
  public static var diskImage: UTType { UTType(declared: "public.disk-image") }

  /// A disk.
  ///
  /// Apple: `UTType.volume`.
  public static var volume: UTType { UTType(declared: "public.volume") }

  /// Where a disk is seen.
  ///
  /// Apple: `UTType.mountPoint`.
  public static var mountPoint: UTType { UTType(declared: "com.apple.mount-point") }

  /// A file that stands for another.
  ///
  /// Apple: `UTType.aliasFile`.
  public static var aliasFile: UTType { UTType(declared: "com.apple.alias-file") }

  /// What stands for something else.
  ///
  /// Apple: `UTType.resolvable`.
  public static var resolvable: UTType { UTType(declared: "com.apple.resolvable") }

  /// Slides.
  ///
  /// Apple: `UTType.presentation`.
  public static var presentation: UTType { UTType(declared: "public.presentation") }

  /// A table that computes.
  ///
  /// Apple: `UTType.spreadsheet`.
  public static var spreadsheet: UTType { UTType(declared: "public.spreadsheet") }

  /// Something to be done.
  ///
  /// Apple: `UTType.toDoItem`.
  public static var toDoItem: UTType { UTType(declared: "public.to-do-item") }

  /// Files in one, by Apple.
  ///
  /// Apple: `UTType.appleArchive`.
  public static var appleArchive: UTType { UTType(declared: "com.apple.archive") }

  /// Text with pictures in a folder.
  ///
  /// Apple: `UTType.rtfd`.
  public static var rtfd: UTType { UTType(declared: "com.apple.rtfd") }

  /// Text with pictures.
  ///
  /// Apple: `UTType.flatRTFD`.
  public static var flatRTFD: UTType { UTType(declared: "com.apple.flat-rtfd") }

  /// A page with its parts.
  ///
  /// Apple: `UTType.webArchive`.
  public static var webArchive: UTType { UTType(declared: "com.apple.webarchive") }

  /// A certificate.
  ///
  /// Apple: `UTType.x509Certificate`.
  public static var x509Certificate: UTType { UTType(declared: "public.x509-certificate") }

  /// A key with its certificate.
  ///
  /// Apple: `UTType.pkcs12`.
  public static var pkcs12: UTType { UTType(declared: "com.rsa.pkcs-12") }
}
