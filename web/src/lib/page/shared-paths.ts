// Addresses of pages to which the other application leads, or code below both. All others are in `app/paths.ts` and
// `console/paths.ts`, which take these from here.

import { CONSOLE_BASE } from '@megalot/contract'

export const LOGIN_PATH = '/auth/login'
/** What a log-in still lacks after the password: a second factor, a password of one's own. */
export const LOG_IN_STEPS_PATH = '/auth/steps'
export const MAINTENANCE_PATH = '/maintenance'

/** The console's page of second factors, below its base. */
export const SECURITY_PATH = '/account/security'
/** The same as an address of the member app, where an operator has to enrol a factor. */
export const ENROLMENT_HREF = `${CONSOLE_BASE}${SECURITY_PATH}` as const
