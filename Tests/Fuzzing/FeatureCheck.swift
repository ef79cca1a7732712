// A misspelt feature name is silently ignored by the compiler; here it causes an error.
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
