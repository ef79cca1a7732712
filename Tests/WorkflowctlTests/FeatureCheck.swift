// A misspelt feature name in the manifest is silently ignored; here it causes a compile error.
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
