/**
 * How many people decide something: most by one alone, some only with the approval of a second person. The services refuse
 * one person alone where two are needed (`approval_needed`); the module `approvals` is the only caller with two.
 */
export type DecidedBy = 'one_person' | 'two_people'
