// Turns errors into the envelope of a refusal, in the caller's language.

import { type Language, type RefusalCode, type RefusalEnvelope, refusals, refusalSentence } from '@megalot/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isDatabaseAway, isDeadlock } from '../postgres/db.ts'
import { refusalsTotal } from '../lib/metrics.ts'
import { createRefusalLogLimit, type RefusalLogBound } from './refusal-log-limit.ts'
import { Refusal } from '../lib/refusal.ts'
import { languageOf } from './serve.ts'
import { subnetOf } from './subnet.ts'

/** Refused attempts to log in or register, logged for investigation. */
const loggedRefusals: ReadonlySet<RefusalCode> = new Set([
  'wrong_login',
  'wrong_captcha',
  'wrong_factor',
  'log_in_paused',
  'log_in_limit_reached',
  'registration_limit_reached',
  'too_many_requests',
])

/** Refused actions of signed-in callers without permission, logged with the caller for investigation. */
const loggedAttempts: ReadonlySet<RefusalCode> = new Set(['not_allowed', 'permission_missing', 'more_than_own'])

/** Statuses of refusals logged only at debug level, to explain why a call was refused. */
const debuggedStatuses: ReadonlySet<number> = new Set([401, 403, 404, 409, 429])

/** For log-in attempts, which are evidence: more than one address may make in a minute. */
const MAX_LOG_INS_LOGGED = { ofSource: 100, ofAll: 2_000 }
/** For acts without permission, and input that breaks a schema. The metrics count all of them. */
const MAX_ATTEMPTS_LOGGED = { ofSource: 20, ofAll: 200 }

/** A problem with the input, without the input itself. */
interface SchemaProblem {
  /** `body`, `params`, `querystring`. */
  part: string | undefined
  /** The missing or unknown field, not the object around it. */
  path: string
  rule: string
}

interface AjvError {
  instancePath: string
  keyword: string
  params: { missingProperty?: string; additionalProperty?: string }
}

/** The validation errors of a call; undefined for other errors. */
function schemaProblemsOf(error: unknown): SchemaProblem[] | undefined {
  const { validation, validationContext: part } = Object(error) as {
    validation?: readonly AjvError[]
    validationContext?: string
  }
  return validation?.map(({ instancePath, keyword: rule, params }) => {
    const name = params.missingProperty ?? params.additionalProperty
    // The client has chosen the name of an unknown field.
    const isNameable = name !== undefined && /^[\w-]{1,40}$/.test(name)
    return { part, path: isNameable ? `${instancePath}/${name}` : instancePath, rule }
  })
}

/** `/items/0/rate` as `items[0].rate`. */
function toFieldName(path: string): string {
  return path
    .slice(1)
    .replaceAll(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.')
}

const fieldSentences = {
  required: { th: (field: string) => `ขาดช่อง ${field}`, en: (field: string) => `${field} is missing` },
  additionalProperties: { th: (field: string) => `ไม่รู้จักช่อง ${field}`, en: (field: string) => `${field} is unknown` },
  other: { th: (field: string) => `ช่อง ${field}`, en: (field: string) => `field ${field}` },
} as const

/** Names the field of the first problem. Services report problems in the same form as schemas. */
function nameField(details: Record<string, unknown>, language: Language): string {
  const { problems, fields } = details as { problems?: readonly SchemaProblem[]; fields?: readonly string[] }
  const { path = '', rule = '' } = problems?.[0] ?? (fields?.[0] === undefined ? {} : { path: `/${fields[0]}` })
  if (path === '') return ''
  const kind = rule === 'required' || rule === 'additionalProperties' ? rule : 'other'
  return `: ${fieldSentences[kind][language](toFieldName(path))}`
}

export type SendError = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply

/** @param schedule runs at the end of a minute for which log lines are counted */
export function createSendError(schedule?: (act: () => void) => void): SendError {
  const isWithinLimit = createRefusalLogLimit(schedule)

  function mayLog(code: RefusalCode, { ip, caller, server }: FastifyRequest, bound: RefusalLogBound): boolean {
    // An agent's assistants count as one source, because it can create many.
    const source = caller ? `principal ${caller.principal_id}` : subnetOf(ip)
    return isWithinLimit(code, source, bound, (left_out) =>
      server.log.info({ left_out }, 'refusals left out of the log'),
    )
  }

  /**
   * Turns every failure into its reply: refusals by code, invalid input, a lost database or a deadlock as 503, anything
   * else as 500.
   */
  return (error, request, reply) => {
    const problems = schemaProblemsOf(error)
    const { code, details } = classify(error, problems)
    const { http } = refusals[code]
    refusalsTotal.inc({ code })
    // A refusal is not a server error, whatever its status.
    if (http >= 500 && !(error instanceof Refusal)) request.log.error({ err: error }, 'request failed')
    else if (loggedRefusals.has(code) && mayLog(code, request, MAX_LOG_INS_LOGGED))
      request.log.info({ code, address: request.ip, details }, 'refused')
    else if ((loggedAttempts.has(code) || problems) && mayLog(code, request, MAX_ATTEMPTS_LOGGED)) {
      const { method, ip: address, routeOptions, caller } = request
      const who = { code, address, actor_id: caller?.actor_id, method, route: routeOptions.url }
      const problem = problems?.[0] && { part: problems[0].part, rule: problems[0].rule }
      request.log.info({ ...who, problem }, 'refused')
    } else if (debuggedStatuses.has(http)) request.log.debug({ code, http, route: request.routeOptions.url }, 'refused')
    if (code === 'unavailable') reply.header('retry-after', '1')
    else if (http === 429 && typeof details['wait_ms'] === 'number')
      reply.header('retry-after', String(Math.ceil(details['wait_ms'] / 1_000)))
    const message = sentenceOf(code, details, languageOf(request))
    const given = http === 500 ? { request_id: request.id } : details
    const envelope: RefusalEnvelope = { status: { code: http, message }, error: { code, details: given } }
    return reply.code(http).header('cache-control', 'no-store').send(envelope)
  }
}

/** The message for users: the table's, with the field of bad input, or the office's own if it has written one. */
function sentenceOf(code: RefusalCode, details: Record<string, unknown>, language: Language): string {
  const own = code === 'maintenance' ? details[`message_${language}`] : undefined
  if (typeof own === 'string') return own
  const sentence = refusalSentence(code, details, language)
  return code === 'bad_input' ? sentence + nameField(details, language) : sentence
}

function classify(
  error: unknown,
  problems: SchemaProblem[] | undefined,
): { code: RefusalCode; details: Record<string, unknown> } {
  if (error instanceof Refusal) return { code: error.code, details: { ...error.details } }
  const { statusCode } = error as { statusCode?: number }
  // An error with a status is the request's, such as a client leaving in the middle of its body. It has the same code
  // as a lost database connection.
  if (statusCode === undefined && isDatabaseAway(error)) return { code: 'unavailable', details: {} }
  if (isDeadlock(error)) return { code: 'unavailable', details: {} }
  if (problems) return { code: 'bad_input', details: { problems } }
  if (statusCode === 413) return { code: 'payload_too_large', details: {} }
  if (statusCode === 415) return { code: 'unsupported_media_type', details: {} }
  if (statusCode === 429) return { code: 'too_many_requests', details: {} }
  if (statusCode === 503) return { code: 'unavailable', details: {} }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return { code: 'bad_input', details: {} }
  return { code: 'server_error', details: {} }
}
