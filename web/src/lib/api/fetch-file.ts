import type { BodyOf, Call, ParamsOf, RefusalEnvelope, RouteName, Rows } from '@megalot/contract'
import { CallRefused } from '../errors/refusal.ts'
import { useSession } from '../session/session-store.ts'
import { addressOf, headersOf } from './http-client.ts'
import { askForStepUp } from '../session/step-up-store.ts'

/** Rows whose reply is a file. */
type FileName = { [N in RouteName]: Rows[N] extends { is_file: true } ? N : never }[RouteName]

/**
 * Calls a row whose reply is a file. Answers its bytes, or throws `CallRefused` and nothing else. Asks for a second
 * factor as `callRoute` does.
 */
export async function fetchFile<N extends FileName>(
  route: Call<N>,
  params: ParamsOf<Rows[N]>,
  body?: BodyOf<Rows[N]>,
): Promise<Blob> {
  const { session_token } = useSession.getState()
  try {
    const response = await fetch(addressOf(route, params), {
      method: route.method,
      headers: headersOf(session_token, body !== undefined),
      body: body === undefined ? null : JSON.stringify(body),
      cache: 'no-store',
    })
    if (response.ok) return await response.blob()
    const { status, error } = (await response.json()) as RefusalEnvelope
    if (error.code === 'step_up_needed' && (await askForStepUp())) return await fetchFile(route, params, body)
    throw new CallRefused(error.code as CallRefused['code'], status.message, response.status, error.details)
  } catch (error) {
    throw error instanceof CallRefused ? error : new CallRefused('no_reply', String(error), null)
  }
}
