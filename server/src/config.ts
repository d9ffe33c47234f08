// The configuration from environment variables, read once at start. An invalid value prevents the start with a message.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CALL_CONNECTIONS, LIST_CONNECTIONS, REPORT_CONNECTIONS } from './postgres/db.ts'
import { projectRoot } from './lib/project-root.ts'

/** How long personal data is kept, in days. */
export interface Retention {
  /** Log-ins with address and browser, from their beginning. */
  logInDays: number
  /** Browsers on which a user has logged in, from the last time. */
  deviceDays: number
  /** Mail address, phone and contacts of suspended users, from their last log-in. */
  closedContactDays: number
}

export interface Config {
  isProduction: boolean
  /** Seeds demo accounts and markets, and prints their log-ins. Never in production. */
  isDemo: boolean
  /** Days of history of a new demo. 0: none, one agent with all members, and no generated results. */
  demoDays: number
  host: string
  port: number
  /** Defaults to the embedded PostgreSQL under `dataDir`. */
  databaseUrl: string | undefined
  /** The owner's log-in for migrations and the job scheduler, if `databaseUrl` has fewer rights. */
  ownerDatabaseUrl: string | undefined
  /** The auditor's log-in. Defaults to the application's, which becomes `megalot_auditor`. */
  auditorDatabaseUrl: string | undefined
  /** The most database connections of a node for calls, for reports, and for lists. */
  callConnections: number
  reportConnections: number
  listConnections: number
  /** How many nodes share the database, whose connections must suffice for all. */
  databaseNodes: number
  /** How long `/ready` answers 503 before a shutdown ends anything, in ms, so that a load balancer notices. */
  drainNoticeMs: number
  dataDir: string
  /** Makes every captcha's answer this text, for black-box tests. Never in production. */
  captchaTestAnswer: string | undefined
  /** Number of proxies in front of this server, or their addresses. Only these may set a caller's address. */
  trustedProxies: number | string[] | false
  logLevel: string
  /** Idle time after which a session ends, in ms. */
  sessionIdleMs: number
  /** Time after its log-in at which a session ends, in ms. */
  sessionLifeMs: number
  /** `sessionIdleMs` for users with console access. */
  consoleIdleMs: number
  /** `sessionLifeMs` for users with console access. */
  consoleLifeMs: number
  /** Whether users with console access need a second factor to change anything. */
  secondFactor: 'required' | 'optional'
  /**
   * Encrypts the secrets of authenticator apps. Defaults to a key file in `dataDir`. In production with `DATABASE_URL`
   * there is no default, and authenticator apps cannot be enrolled.
   */
  factorKey: Buffer | undefined
  /** A file of breached passwords, refused for users with console access. Defaults to none. */
  breachedPasswords: string | undefined
  retention: Retention
  captchaLifeMs: number
  /** Factor for all limits of one user's calls (`http/limits.ts`), and for the failures of an address. */
  callLimitsFactor: number
  /**
   * SMTP server, `smtp://user:password@host:587`. Without it, mail is written into the folder `outbox` of `dataDir`.
   */
  smtpUrl: string | undefined
  mailFrom: string
  /** Recipients of alerts by mail. */
  alarmMails: string[]
  /** Where alerts are posted, if anywhere. */
  alarmWebhook: { url: string; secret: string } | undefined
  /** The port of the metrics; 0 for none. */
  metricsPort: number
  metricsHost: string
  /** Mean event loop delay, in ms, from which calls are refused; 0 to refuse none. */
  maxLoopDelayMs: number
  /** The application's public address, for links in mails, without a trailing slash. */
  publicUrl: string
  /** File with the state of the backups (`deploy/backup/keeper.mjs`), for the checks of the set-up. */
  backupStatus: string | undefined
}

/** In Thailand, traffic data is kept for 90 days at least (Computer Crime Act, section 26). */
const LEAST_LOG_IN_DAYS = 90
/** Who a customer was is kept for five years after the end at least, where money laundering is watched. */
const LEAST_CLOSED_CONTACT_DAYS = 1_826
/** Ten years. */
const MOST_KEPT_DAYS = 3_653

type Environment = Readonly<Record<string, string | undefined>>

/** @throws Error with a sentence for the operator if a value is invalid or not allowed in production */
export function readConfig(given: Environment): Config {
  const environment = readSecretFiles(given)
  const mode = environment.NODE_ENV || 'development'
  // A configuration mistake must not open a production system to the demo's public password.
  if (!['production', 'development', 'test'].includes(mode))
    throw new Error(`NODE_ENV must be production, development or test, not "${mode}".`)
  const isProduction = mode === 'production'
  const captchaTestAnswer = environment.CAPTCHA_TEST_ANSWER || undefined
  const isDemo = readFlag(environment, 'DEMO', !isProduction)
  if (isProduction && captchaTestAnswer !== undefined)
    throw new Error('CAPTCHA_TEST_ANSWER makes every captcha the same and is refused in production. Unset it.')
  if (isProduction && isDemo)
    throw new Error('DEMO=1 makes accounts with a public password and is refused in production.')
  if (isProduction && !environment.DATABASE_URL)
    throw new Error(
      'DATABASE_URL must name a PostgreSQL in production: the embedded one has no backup and is refused there.',
    )
  if (captchaTestAnswer !== undefined && captchaTestAnswer.length !== 4)
    throw new Error('CAPTCHA_TEST_ANSWER must have 4 characters.')
  const port = readNumber(environment, 'PORT', 3000, 0, 65_535)
  const metricsPort = readNumber(environment, 'METRICS_PORT', 0, 0, 65_535)
  if (metricsPort !== 0 && metricsPort === port) throw new Error('METRICS_PORT must be another port than PORT.')
  return {
    isProduction,
    isDemo,
    demoDays: isDemo ? readNumber(environment, 'DEMO_DAYS', 60, 0, 90) : 0,
    host: environment.HOST || 'localhost',
    port,
    databaseUrl: environment.DATABASE_URL || undefined,
    ownerDatabaseUrl: environment.OWNER_DATABASE_URL || environment.DATABASE_URL || undefined,
    auditorDatabaseUrl: environment.AUDITOR_DATABASE_URL || undefined,
    callConnections: readNumber(environment, 'DATABASE_CALL_CONNECTIONS', CALL_CONNECTIONS, 2, 500),
    reportConnections: readNumber(environment, 'DATABASE_REPORT_CONNECTIONS', REPORT_CONNECTIONS, 1, 100),
    listConnections: readNumber(environment, 'DATABASE_LIST_CONNECTIONS', LIST_CONNECTIONS, 1, 100),
    databaseNodes: readNumber(environment, 'DATABASE_NODES', 1, 1, 100),
    drainNoticeMs: readNumber(environment, 'DRAIN_SECONDS', 0, 0, 60) * 1_000,
    dataDir: readDataDir(environment),
    captchaTestAnswer,
    trustedProxies: readProxies(environment.TRUST_PROXY, isProduction),
    logLevel: environment.LOG_LEVEL || (isProduction ? 'info' : 'warn'),
    sessionIdleMs: readNumber(environment, 'SESSION_IDLE_MINUTES', 30, 1, 1_440) * 60_000,
    sessionLifeMs: readNumber(environment, 'SESSION_LIFE_HOURS', 24, 1, 720) * 3_600_000,
    consoleIdleMs: readNumber(environment, 'CONSOLE_IDLE_MINUTES', 30, 1, 1_440) * 60_000,
    consoleLifeMs: readNumber(environment, 'CONSOLE_LIFE_HOURS', 12, 1, 168) * 3_600_000,
    secondFactor: readChoice(
      environment,
      'SECOND_FACTOR',
      ['required', 'optional'],
      isProduction ? 'required' : 'optional',
    ),
    factorKey: readKey(environment, 'FACTOR_KEY'),
    breachedPasswords: environment.BREACHED_PASSWORDS || undefined,
    retention: {
      logInDays: readNumber(environment, 'KEEP_LOG_INS_DAYS', 730, LEAST_LOG_IN_DAYS, MOST_KEPT_DAYS),
      deviceDays: readNumber(environment, 'KEEP_DEVICES_DAYS', 400, 30, MOST_KEPT_DAYS),
      closedContactDays: readNumber(
        environment,
        'KEEP_CLOSED_CONTACTS_DAYS',
        MOST_KEPT_DAYS,
        LEAST_CLOSED_CONTACT_DAYS,
        MOST_KEPT_DAYS,
      ),
    },
    captchaLifeMs: readNumber(environment, 'CAPTCHA_LIFE_SECONDS', 180, 1, 3_600) * 1_000,
    callLimitsFactor: readNumber(environment, 'CALL_LIMITS_FACTOR', isProduction ? 1 : 1_000, 1, 1_000_000),
    smtpUrl: readUrl(environment, 'SMTP_URL', ['smtp:', 'smtps:']),
    mailFrom: environment.MAIL_FROM || 'megalot <no-reply@localhost>',
    alarmMails: readMails(environment, 'ALARM_MAIL_TO'),
    alarmWebhook: readWebhook(environment),
    metricsPort,
    metricsHost: environment.METRICS_HOST || 'localhost',
    backupStatus: environment.BACKUP_STATUS || undefined,
    maxLoopDelayMs: readNumber(environment, 'MAX_LOOP_DELAY_MS', 1_000, 0, 60_000),
    publicUrl: readPublicUrl(environment, port, isProduction),
  }
}

function readDataDir(environment: Environment): string {
  return environment.DATA_DIR || join(projectRoot, 'data')
}

/** Secret settings may be given as `NAME_FILE`, the path of a file with the value. */
const secretSettings = [
  'DATABASE_URL',
  'OWNER_DATABASE_URL',
  'AUDITOR_DATABASE_URL',
  'FACTOR_KEY',
  'SMTP_URL',
  'ALARM_WEBHOOK_SECRET',
] as const

/** @throws Error if a setting is given twice, or its file cannot be read */
function readSecretFiles(environment: Environment): Environment {
  const read: Record<string, string> = {}
  for (const name of secretSettings) {
    const file = environment[`${name}_FILE`]
    if (!file) continue
    if (environment[name]) throw new Error(`${name} and ${name}_FILE are both set: unset one.`)
    try {
      read[name] = readFileSync(file, 'utf8').trim()
    } catch (error) {
      throw new Error(`${name}_FILE cannot be read: ${(error as Error).message}`, { cause: error })
    }
  }
  return { ...environment, ...read }
}

function readUrl(environment: Environment, name: string, protocols: readonly string[]): string | undefined {
  const text = environment[name]
  if (text === undefined || text === '') return undefined
  // Leaves out the value, which may hold a password.
  if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol))
    throw new Error(`${name} must be an address that begins with ${protocols.map((each) => `${each}//`).join(' or ')}.`)
  return text
}

function readPublicUrl(environment: Environment, port: number, isProduction: boolean): string {
  const url = readUrl(environment, 'PUBLIC_URL', ['http:', 'https:'])
  // Over plain HTTP passwords are readable on the way, and browsers offer no passkeys.
  if (isProduction && !url?.startsWith('https://'))
    throw new Error('PUBLIC_URL must be the https:// address of this house: production is refused without one.')
  return (url ?? `http://localhost:${port}`).replace(/\/+$/, '')
}

function readMails(environment: Environment, name: string): string[] {
  const mails = (environment[name] ?? '').split(/[\s,]+/).filter(Boolean)
  for (const mail of mails)
    if (!/^[^@]+@[^@]+$/.test(mail)) throw new Error(`${name} must be mail addresses, separated by commas.`)
  return [...new Set(mails)]
}

/** Minimum length of the secret that signs alerts. */
const LEAST_SECRET = 32

function readWebhook(environment: Environment): { url: string; secret: string } | undefined {
  const url = readUrl(environment, 'ALARM_WEBHOOK_URL', ['https:'])
  const secret = environment.ALARM_WEBHOOK_SECRET ?? ''
  if (url === undefined) return undefined
  if (secret.length < LEAST_SECRET)
    throw new Error(`ALARM_WEBHOOK_SECRET must have at least ${LEAST_SECRET} characters: it signs what is posted.`)
  return { url, secret }
}

function readNumber(environment: Environment, name: string, fallback: number, least: number, most: number): number {
  const text = environment[name]
  if (text === undefined || text === '') return fallback
  const value = Number(text)
  if (!Number.isInteger(value) || value < least || value > most)
    throw new Error(`${name} must be a whole number from ${least} to ${most}, not "${text}".`)
  return value
}

function readProxies(text: string | undefined, isProduction: boolean): number | string[] | false {
  // Behind an unknown proxy, all callers would share the proxy's address, and any of them could use up its limits.
  if (isProduction && !text)
    throw new Error('TRUST_PROXY must say how many proxies are in front, in production also if there are none (0).')
  if (!text || text === '0') return false
  if (/^\d$/.test(text)) return Number(text)
  if (/^[\d.:a-f/, ]+$/i.test(text)) return text.split(/[\s,]+/).filter(Boolean)
  throw new Error(`TRUST_PROXY must be the number of proxies in front (1) or their addresses, not "${text}".`)
}

function readFlag(environment: Environment, name: string, fallback: boolean): boolean {
  const text = environment[name]
  if (text === undefined || text === '') return fallback
  if (text === '1' || text === 'true') return true
  if (text === '0' || text === 'false') return false
  throw new Error(`${name} must be 1 or 0, not "${text}".`)
}

function readChoice<const Choice extends string>(
  environment: Environment,
  name: string,
  choices: readonly Choice[],
  fallback: NoInfer<Choice>,
): Choice {
  const text = environment[name]
  if (text === undefined || text === '') return fallback
  const choice = choices.find((each) => each === text)
  if (choice === undefined) throw new Error(`${name} must be ${choices.join(' or ')}, not "${text}".`)
  return choice
}

/** 256 bits in base64. */
function readKey(environment: Environment, name: string): Buffer | undefined {
  const text = environment[name]
  if (text === undefined || text === '') return undefined
  const key = Buffer.from(text, 'base64')
  // Leaves out the value, which is a secret.
  if (key.length !== 32 || !/^[A-Za-z0-9+/]{43}=?$/.test(text))
    throw new Error(`${name} must be 32 bytes in base64, as "openssl rand -base64 32" makes them.`)
  return key
}
