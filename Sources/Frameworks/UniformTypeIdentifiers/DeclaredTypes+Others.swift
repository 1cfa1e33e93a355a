extension DeclaredTypes {
  /// Types that camera programs meet seldom; those of ``records`` come before them.
  package static let others: [TypeRecord] = [
    TypeRecord(
      "com.pixar.universal-scene-description-mobile", ["usdz"], ["model/vnd.usdz+zip"],
      ["public.data", "public.3d-content"]),
    TypeRecord(
      "com.pixar.universal-scene-description", ["usd", "usda", "usdc"], ["model/vnd.usd"],
      ["public.data", "public.3d-content"]),
    TypeRecord("public.3d-content", [], [], ["public.content"]),
    TypeRecord("com.apple.scenekit.scene", ["scn"], [], ["public.data", "public.3d-content"]),
    TypeRecord("com.apple.reality", ["reality"], [], ["public.data"]),
    TypeRecord("com.apple.arobject", ["arobject"], [], ["public.data"]),
    TypeRecord("com.apple.application", [], [], ["public.executable"]),
    TypeRecord(
      "com.apple.application-bundle", ["app"], [],
      ["com.apple.application", "com.apple.bundle", "com.apple.package"]),
    TypeRecord("com.apple.framework", ["framework"], [], ["com.apple.bundle"]),
    TypeRecord("public.contact", [], [], ["public.item"]),
    TypeRecord("public.message", [], [], ["public.item"]),
    TypeRecord("public.email-message", [], [], ["public.message"]),
    TypeRecord("com.apple.internet-location", [], [], ["public.data"]),
    TypeRecord("com.microsoft.internet-shortcut", ["url"], [], ["com.apple.internet-location"]),
    TypeRecord("public.bookmark", [], [], ["public.item"]),
    TypeRecord("public.script", [], [], ["public.source-code"]),
    TypeRecord(
      "public.shell-script", ["sh", "command"], ["text/x-shellscript", "application/x-sh"], ["public.script"]),
    TypeRecord("public.python-script", ["py"], ["text/x-python"], ["public.shell-script"]),
    TypeRecord("public.ruby-script", ["rb", "rbw"], ["text/x-ruby-script"], ["public.shell-script"]),
    TypeRecord("public.perl-script", ["pl", "pm"], ["text/x-perl-script"], ["public.shell-script"]),
    TypeRecord("public.php-script", ["php"], ["text/php"], ["public.shell-script"]),
    TypeRecord(
      "com.netscape.javascript-source", ["js", "jscript", "javascript"], ["text/javascript"],
      ["public.script"]),
    TypeRecord("public.c-source", ["c"], [], ["public.source-code"]),
    TypeRecord("public.c-header", ["h"], [], ["public.source-code"]),
    TypeRecord("public.c-plus-plus-source", ["cp", "cpp", "cxx", "cc"], [], ["public.source-code"]),
    TypeRecord("public.objective-c-source", ["m"], [], ["public.source-code"]),
    TypeRecord("public.assembly-source", ["s"], [], ["public.source-code"]),
    TypeRecord("public.disk-image", [], [], ["public.archive"]),
    TypeRecord("public.volume", [], [], ["public.folder"]),
    TypeRecord("com.apple.mount-point", [], [], ["public.item"]),
    TypeRecord("com.apple.alias-file", [], [], ["public.data"]),
    TypeRecord("com.apple.resolvable", [], [], ["public.item"]),
    TypeRecord("public.presentation", [], [], ["public.composite-content"]),
    TypeRecord("public.spreadsheet", [], [], ["public.content"]),
    TypeRecord("public.to-do-item", [], [], ["public.content"]),
    TypeRecord("com.apple.archive", ["aar"], [], ["public.archive"]),
    TypeRecord("com.apple.rtfd", ["rtfd"], [], ["com.apple.package", "public.composite-content"]),
    TypeRecord("com.apple.flat-rtfd", [], [], ["public.composite-content"]),
    TypeRecord("com.apple.webarchive", ["webarchive"], [], ["public.data", "public.composite-content"]),
    TypeRecord(
      "public.x509-certificate", ["cer", "crt", "der"], ["application/x-x509-ca-cert"], ["public.data"]),
    TypeRecord("com.rsa.pkcs-12", ["p12", "pfx"], ["application/x-pkcs12"], ["public.data"]),
  ]
}
