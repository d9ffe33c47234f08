// News between the nodes: what happened on one is told to all by PostgreSQL's LISTEN and NOTIFY. A word may be lost, and
// nothing depends on it: it only says that it is worth looking again.

import pg from 'pg'

/** What happened, in names and ids alone. Money and tickets are read by who may read them, by the ordinary calls. */
export interface News {
  /** Markets or periods were made, opened, closed, enabled or disabled. */
  markets?: true
  /** A period was settled or void. */
  results?: true
  /** Periods, by code, with numbers that turned yellow, grey or open. */
  numbers?: readonly string[]
  /** The numbers of any period may have turned. */
  all_numbers?: true
  /** Users one of whose tickets changed, and their credit with it. */
  tickets?: readonly number[]
  /** Users whose own record changed. */
  users?: readonly number[]
  /** Users who were given packages, or lost them. */
  packages?: readonly number[]
  /** Users one of whose sessions ended. */
  sessions?: readonly number[]
  /** Anybody's status may have changed. */
  statuses?: true
  /** What the company announces has changed. */
  announcements?: true
  /** News may have been lost: anything may have changed. */
  everything?: true
}

export interface Live {
  /** Tells all nodes, this one too, within `TELL_MS`. It costs nothing: many calls become one notification. Never throws. */
  tell(news: News): void
  /** Hears what any node tells. @returns to be called when it wants to hear no more */
  hear(listener: (news: News) => void): () => void
  close(): Promise<void>
}

export interface LiveOptions {
  /** Must reach the server itself or a pooler of sessions: one that pools transactions delivers no notifications. */
  url: string
  onError: (error: Error) => void
}

/** The channel's name; the triggers of `0001-foundation.sql` notify it too. */
const CHANNEL = 'megalot_live'
/** How long news are gathered before they are told together, in ms. */
const TELL_MS = 250
/** How often the connection is tried while it is silent, in ms, and how long it may take to answer. */
const PROBE_MS = 15_000
const ANSWER_MS = 5_000
/** Waits between attempts to connect again, in ms. */
const FIRST_RETRY_MS = 500
const LAST_RETRY_MS = 30_000
/** A notification holds at most 8,000 bytes: so many ids, and so many codes, are less. */
const IDS_A_NOTIFICATION = 400
const CODES_A_NOTIFICATION = 100
/** More users than this are not worth naming one by one. */
const MOST_GATHERED = 20_000

const flags = ['markets', 'results', 'all_numbers', 'statuses', 'announcements', 'everything'] as const
const lists = ['tickets', 'users', 'packages', 'sessions', 'numbers'] as const

/** What has been told and not sent yet, each thing once. */
class Gathered {
  private readonly flags = new Set<(typeof flags)[number]>()
  private readonly lists = new Map<(typeof lists)[number], Set<number | string>>()

  add(news: News): void {
    for (const flag of flags) if (news[flag]) this.flags.add(flag)
    for (const list of lists) {
      const known = this.lists.get(list) ?? new Set()
      for (const one of news[list] ?? []) known.add(one)
      if (known.size > MOST_GATHERED) {
        known.clear()
        this.flags.add('everything')
      }
      this.lists.set(list, known)
    }
  }

  /** The notifications that say it all; afterwards there is nothing left to say. */
  take(): string[] {
    const notifications: News[] = []
    if (this.flags.size > 0) notifications.push(Object.fromEntries([...this.flags].map((flag) => [flag, true])))
    for (const [list, known] of this.lists) {
      const names = [...known]
      const most = list === 'numbers' ? CODES_A_NOTIFICATION : IDS_A_NOTIFICATION
      for (let from = 0; from < names.length; from += most)
        notifications.push({ [list]: names.slice(from, from + most) })
    }
    this.flags.clear()
    this.lists.clear()
    return notifications.map((news) => JSON.stringify(news))
  }

  get isEmpty(): boolean {
    return this.flags.size === 0 && [...this.lists.values()].every((known) => known.size === 0)
  }
}

/** Connects in the background and stays connected; the product runs as well without. */
export function openLive({ url, onError }: LiveOptions): Live {
  const gathered = new Gathered()
  const listeners = new Set<(news: News) => void>()
  let client: pg.Client | undefined
  let isClosed = false
  let retryMs = FIRST_RETRY_MS
  let retryTimer: NodeJS.Timeout | undefined
  let tellTimer: NodeJS.Timeout | undefined

  const deliver = (news: News): void => {
    for (const listener of listeners) listener(news)
  }

  const connect = async (): Promise<void> => {
    const attempt = new pg.Client({
      connectionString: url,
      application_name: 'megalot live',
      keepAlive: true,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
    })
    attempt.on('notification', ({ channel, payload }) => {
      if (channel === CHANNEL && payload) deliver(readNews(payload))
    })
    attempt.on('error', (error) => lose(attempt, error))
    attempt.on('end', () => lose(attempt))
    try {
      await attempt.connect()
      await attempt.query('set role megalot_app')
      // A word that may be lost need not wait for the disk.
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
    // Nobody knows what was told while we did not listen.
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
    // What is told while there is no connection waits for the next one.
    if (!client || gathered.isEmpty) return
    const sender = client
    const payloads = gathered.take()
    await sender
      .query('select pg_notify($1, payload) from unnest($2::text[]) as told (payload)', [CHANNEL, payloads])
      .catch((error: Error) => lose(sender, error))
  }

  const probe = setInterval(() => {
    const probed = client
    probed?.query('select 1').catch((error: Error) => lose(probed, error))
  }, PROBE_MS)
  probe.unref()
  void connect()

  return {
    tell(news) {
      gathered.add(news)
      tellTimer ??= setTimeout(() => {
        tellTimer = undefined
        void send()
      }, TELL_MS).unref()
    },
    hear(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      isClosed = true
      clearInterval(probe)
      clearTimeout(retryTimer)
      clearTimeout(tellTimer)
      await send()
      const last = client
      client = undefined
      await last?.end()
    },
  }
}

/** Somebody else may notify the channel: what cannot be read says that anything may have changed. */
function readNews(payload: string): News {
  try {
    return JSON.parse(payload) as News
  } catch {
    return { everything: true }
  }
}
