/**
 * With what authority something is decided: mostly by one person alone, sometimes only with the approval of a second person.
 * The services refuse one person alone where two are needed (`approval_needed`); only the module `approvals` passes `approved`.
 */
export type DecisionAuthority = 'alone' | 'approved'
