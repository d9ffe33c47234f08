/**
 * The authority of a decision: usually one person, sometimes only with a second person's approval. Services refuse one
 * person if two are needed (`approval_needed`); only the module `approvals` passes `approved`.
 */
export type DecisionAuthority = 'alone' | 'approved'
