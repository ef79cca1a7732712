// The compiler silently ignores a misspelt feature name in the manifest; this turns it into an
// error.
#if !hasFeature(ExistentialAny)
    #error("ExistentialAny is off")
#endif
#if !hasFeature(InternalImportsByDefault)
    #error("InternalImportsByDefault is off")
#endif
#if !hasFeature(MemberImportVisibility)
    #error("MemberImportVisibility is off")
#endif
#if !hasFeature(NonisolatedNonsendingByDefault)
    #error("NonisolatedNonsendingByDefault is off")
#endif
