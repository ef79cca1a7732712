#if !hasFeature(ExistentialAny)
    #error("ExistentialAny is not enabled")
#endif
#if !hasFeature(InternalImportsByDefault)
    #error("InternalImportsByDefault is not enabled")
#endif
#if !hasFeature(MemberImportVisibility)
    #error("MemberImportVisibility is not enabled")
#endif
#if !hasFeature(NonisolatedNonsendingByDefault)
    #error("NonisolatedNonsendingByDefault is not enabled")
#endif
