import type { DataOf, Envelope, SessionState, Rows } from '@megalot/contract'
import {
  enrolPasskey,
  enrolTotp,
  getSession,
  listFactors,
  removeFactor as removeFactorRoute,
  renameFactor as renameFactorRoute,
  renewRecoveryCodes,
  startPasskey,
  startPasskeyVerification,
  startTotp,
  verifyPasskey,
  verifyRecoveryCode,
  verifyTotp,
} from '@megalot/contract/browser'
import { queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../lib/api/http-client.ts'
import { queryKeys } from '../../lib/api/query-keys.ts'
import type { Change } from '../../lib/api/use-change.ts'
import { renewSessionToken } from '../../lib/session/session-store.ts'

/** How far the present session is verified. */
export const sessionStateQuery = queryOptions({
  queryKey: queryKeys.factors.session,
  queryFn: async ({ signal }) => (await callRoute(getSession, { signal })).data,
})

export const factorsQuery = queryOptions({
  queryKey: queryKeys.factors.list,
  queryFn: async ({ signal }) => (await callRoute(listFactors, { signal })).data,
})

export async function fetchSessionState(): Promise<SessionState> {
  return (await callRoute(getSession, {})).data
}

/** A session that was not complete gets a new id with its factor. */
function keepVerified({ data, sessionId: sessionToken }: Envelope<Rows['verifyTotp']>): SessionState {
  if (sessionToken !== null) renewSessionToken(sessionToken)
  return data
}

/** @throws PasskeyNotUsed where the device made no answer */
export async function verifyByPasskey(): Promise<SessionState> {
  const { data: optionsJSON } = await callRoute(startPasskeyVerification, {})
  const { askForPasskey } = await import('./passkey-browser.ts')
  const passkey = await askForPasskey(optionsJSON)
  return keepVerified(await callRoute(verifyPasskey, { body: { passkey } }))
}

export async function verifyByCode(code: string): Promise<SessionState> {
  return keepVerified(await callRoute(verifyTotp, { body: { code } }))
}

export async function verifyByRecoveryCode(code: string): Promise<SessionState> {
  return keepVerified(await callRoute(verifyRecoveryCode, { body: { code } }))
}

export type Enrolment = DataOf<Rows['enrolTotp']>

/** A session that was not verified gets a new id with the factor. */
function keepEnrolled({ data, sessionId: sessionToken }: Envelope<Rows['enrolTotp']>): Enrolment {
  if (sessionToken !== null) renewSessionToken(sessionToken)
  return data
}

/** The secret for an authenticator app. @param password of the user */
export async function beginTotp(password: string): Promise<DataOf<Rows['startTotp']>> {
  return (await callRoute(startTotp, { body: { password } })).data
}

const ofFactors = { changes: 'factors_changed', waits: true } as const

/** @throws PasskeyNotUsed where the device made no passkey */
export const addPasskey: Change<{ name: string; password: string }, Enrolment> = {
  ...ofFactors,
  send: async ({ name, password }) => {
    const { data: optionsJSON } = await callRoute(startPasskey, { body: { password } })
    const { makePasskey } = await import('./passkey-browser.ts')
    const passkey = await makePasskey(optionsJSON)
    return keepEnrolled(await callRoute(enrolPasskey, { body: { name, passkey } }))
  },
}

export const addTotp: Change<{ name: string; code: string }, Enrolment> = {
  ...ofFactors,
  send: async (body) => keepEnrolled(await callRoute(enrolTotp, { body })),
}

export const renameFactor: Change<{ factor_id: number; name: string }> = {
  ...ofFactors,
  send: ({ factor_id, name }) =>
    callRoute(renameFactorRoute, { params: { factor_id: String(factor_id) }, body: { name } }),
}

export const removeFactor: Change<number> = {
  ...ofFactors,
  send: (factor_id) => callRoute(removeFactorRoute, { params: { factor_id: String(factor_id) } }),
}

/** Takes the user's password. */
export const makeRecoveryCodes: Change<string, readonly string[]> = {
  ...ofFactors,
  send: async (password) => (await callRoute(renewRecoveryCodes, { body: { password } })).data.recovery_codes,
}
