// Publish/subscribe between nodes, by PostgreSQL's LISTEN and NOTIFY. Messages may be lost, and nothing depends on
// them: they only say that something is worth reading again.

import pg from 'pg'

/** What happened, as names and ids only. Money and tickets are read through ordinary calls with their access checks. */
export interface News {
  /** Markets or periods were created, opened, closed, enabled or disabled. */
  markets?: true
  /** Terms of packages have changed. */
  terms?: true
  /** A period was settled or void. */
  results?: true
  /** Periods, by code, with numbers that turned yellow, grey or open. */
  numbers?: readonly string[]
  /** The numbers of any period may have changed their colour. */
  all_numbers?: true
  /** Users with a changed ticket, and so changed credit. */
  tickets?: readonly number[]
  /** Users whose own record changed. */
  users?: readonly number[]
  /** Users who gained or lost packages. */
  packages?: readonly number[]
  /** Users with a new direct child, and their assistants. */
  people?: readonly number[]
  /** Users one of whose sessions ended. */
  sessions?: readonly number[]
  /** Anybody's status may have changed. */
  statuses?: true
  /** Pending approvals have changed. */
  approvals?: true
  /** The company's announcements have changed. */
  announcements?: true
  /** Messages may have been lost: anything may have changed. */
  everything?: true
}

export interface Live {
  /**
   * Publishes to all nodes, including this one, within `PUBLISH_INTERVAL_MS`. Cheap: many calls become one
   * notification. Never throws.
   */
  publish(news: News): void
  /**
   * Subscribes to the news of all nodes. A listener's error counts as a connection error.
   * @returns a function that unsubscribes
   */
  subscribe(listener: (news: News) => void): () => void
  close(): Promise<void>
}

export interface LiveOptions {
  /** Must reach the server itself or a session pooler; a transaction pooler delivers no notifications. */
  url: string
  onError: (error: Error) => void
}

/** The channel's name; the triggers of `0001-foundation.sql` notify it too. */
const CHANNEL = 'megalot_live'
/** How long news is gathered before it is sent as one notification, in ms. */
const PUBLISH_INTERVAL_MS = 250
/** How often a silent connection is probed, in ms, and how long the reply may take. */
const PROBE_MS = 15_000
const REPLY_TIMEOUT_MS = 5_000
/** Waits between attempts to reconnect, in ms. */
const FIRST_RETRY_MS = 500
const LAST_RETRY_MS = 30_000
/** A notification holds at most 8,000 bytes: this many ids and codes fit. */
const IDS_A_NOTIFICATION = 400
const CODES_A_NOTIFICATION = 100
/** With more users than this, `everything` is sent instead of their ids. */
const MAX_PENDING_IDS = 20_000

const flags = [
  'markets',
  'terms',
  'results',
  'all_numbers',
  'statuses',
  'approvals',
  'announcements',
  'everything',
] as const
const lists = ['tickets', 'users', 'packages', 'people', 'sessions', 'numbers'] as const

/** Published news that is not sent yet, without duplicates. */
class PendingNews {
  private readonly flags = new Set<(typeof flags)[number]>()
  private readonly lists = new Map<(typeof lists)[number], Set<number | string>>()

  add(news: News): void {
    for (const flag of flags) if (news[flag]) this.flags.add(flag)
    for (const list of lists) {
      const values = this.lists.get(list) ?? new Set()
      for (const one of news[list] ?? []) values.add(one)
      if (values.size > MAX_PENDING_IDS) {
        values.clear()
        this.flags.add('everything')
      }
      this.lists.set(list, values)
    }
  }

  /**
   * Empties the set.
   * @returns the notifications for all of it
   */
  take(): string[] {
    const notifications: News[] = []
    if (this.flags.size > 0) notifications.push(Object.fromEntries([...this.flags].map((flag) => [flag, true])))
    for (const [list, values] of this.lists) {
      const names = [...values]
      const most = list === 'numbers' ? CODES_A_NOTIFICATION : IDS_A_NOTIFICATION
      for (let from = 0; from < names.length; from += most)
        notifications.push({ [list]: names.slice(from, from + most) })
    }
    this.flags.clear()
    this.lists.clear()
    return notifications.map((news) => JSON.stringify(news))
  }

  get isEmpty(): boolean {
    return this.flags.size === 0 && [...this.lists.values()].every((values) => values.size === 0)
  }
}

/** Connects in the background and reconnects; the application works without it as well. */
export function openLive({ url, onError }: LiveOptions): Live {
  const pending = new PendingNews()
  const listeners = new Set<(news: News) => void>()
  let client: pg.Client | undefined
  let isClosed = false
  let retryMs = FIRST_RETRY_MS
  let retryTimer: NodeJS.Timeout | undefined
  let publishTimer: NodeJS.Timeout | undefined

  const deliver = (news: News): void => {
    for (const listener of listeners)
      try {
        listener(news)
      } catch (error) {
        onError(error as Error)
      }
  }

  const connect = async (): Promise<void> => {
    const attempt = new pg.Client({
      connectionString: url,
      application_name: 'megalot live',
      keepAlive: true,
      connectionTimeoutMillis: REPLY_TIMEOUT_MS,
      query_timeout: REPLY_TIMEOUT_MS,
    })
    attempt.on('notification', ({ channel, payload }) => {
      if (channel === CHANNEL && payload) deliver(readNews(payload))
    })
    attempt.on('error', (error) => lose(attempt, error))
    attempt.on('end', () => lose(attempt))
    try {
      await attempt.connect()
      await attempt.query('set role megalot_app')
      // Messages that may be lost need not wait for the disk.
      await attempt.query('set synchronous_commit = off')
      await attempt.query(`listen ${CHANNEL}`)
    } catch (error) {
      attempt.end().catch(() => {})
      retry(error as Error)
      return
    }
    if (isClosed) return void attempt.end().catch(() => {})
    client = attempt
    retryMs = FIRST_RETRY_MS
    // Messages may have been lost while there was no connection.
    deliver({ everything: true })
    await send()
  }

  const lose = (lost: pg.Client, error?: Error): void => {
    if (client !== lost) return
    client = undefined
    lost.end().catch(() => {})
    retry(error)
  }

  const retry = (error?: Error): void => {
    if (isClosed) return
    if (error) onError(error)
    retryTimer = setTimeout(() => void connect(), retryMs)
    retryTimer.unref()
    retryMs = Math.min(retryMs * 2, LAST_RETRY_MS)
  }

  const send = async (): Promise<void> => {
    // News published without a connection waits for the next one.
    if (!client || pending.isEmpty) return
    const sender = client
    const payloads = pending.take()
    await sender
      .query('select pg_notify($1, payload) from unnest($2::text[]) as pending (payload)', [CHANNEL, payloads])
      .catch((error: Error) => lose(sender, error))
  }

  const probe = setInterval(() => {
    const probed = client
    probed?.query('select 1').catch((error: Error) => lose(probed, error))
  }, PROBE_MS)
  probe.unref()
  void connect()

  return {
    publish(news) {
      pending.add(news)
      publishTimer ??= setTimeout(() => {
        publishTimer = undefined
        void send()
      }, PUBLISH_INTERVAL_MS).unref()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      isClosed = true
      clearInterval(probe)
      clearTimeout(retryTimer)
      clearTimeout(publishTimer)
      await send()
      const last = client
      client = undefined
      await last?.end()
    },
  }
}

/**
 * Every log-in of the database may notify the channel, so an invalid payload is treated as "anything may have changed".
 */
function readNews(payload: string): News {
  try {
    const news: unknown = JSON.parse(payload)
    return isNews(news) ? news : { everything: true }
  } catch {
    return { everything: true }
  }
}

function isNews(value: unknown): value is News {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const fields = value as Partial<Record<keyof News, unknown>>
  const isListOf = (list: (typeof lists)[number]): boolean => {
    const names = fields[list]
    const type = list === 'numbers' ? 'string' : 'number'
    return names === undefined || (Array.isArray(names) && names.every((name) => typeof name === type))
  }
  return flags.every((flag) => fields[flag] === undefined || fields[flag] === true) && lists.every(isListOf)
}
