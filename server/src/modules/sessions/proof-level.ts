/** How hard a proof of work is. 1 counts as a picture; higher levels are required after many failed attempts. */
export type ProofLevel = 1 | 2 | 3
