// Who imports CoreVideo on Apple's systems sees Core Foundation's names, too.
@_exported public import FoundationExtras
