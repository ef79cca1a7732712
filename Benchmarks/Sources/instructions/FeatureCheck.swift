// The compiler silently ignores a misspelt feature name; these turn it into an error.
#if !hasFeature(ExistentialAny)
    #error("the upcoming feature ExistentialAny is not enabled")
#endif
#if !hasFeature(InternalImportsByDefault)
    #error("the upcoming feature InternalImportsByDefault is not enabled")
#endif
#if !hasFeature(MemberImportVisibility)
    #error("the upcoming feature MemberImportVisibility is not enabled")
#endif
#if !hasFeature(NonisolatedNonsendingByDefault)
    #error("the upcoming feature NonisolatedNonsendingByDefault is not enabled")
#endif
