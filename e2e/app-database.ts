// Direct changes of the application's database that no caller can make: a period that has been open for an hour
// whatever was drawn on its day, and a draw at once.

import { REGISTRATIONS_PER_DAY } from '@megalot/contract'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

export interface NewPeriod {
  product_code: string
  /** yyyy-mm-dd */
  period_date: string
  round: number
  open_at: Date
  close_at: Date
  draw_at: Date
}

/** The server's own functions, whose types belong to its workspace. */
const server = new URL('../server/src/', import.meta.url)
interface OpensDatabase {
  openDatabase: (options: object) => { db: unknown; close: () => Promise<void> }
}
interface MakesClearings {
  makeClearings: (db: unknown, monday: string) => Promise<number>
}

export class AppDatabase {
  private readonly dataDir: string

  /** @param dataDir the data folder of the application while it runs */
  constructor(dataDir: string) {
    this.dataDir = dataDir
  }

  /** Writes a period past the rules for those that the office creates. @returns its code */
  async addPeriod({ product_code, period_date, round, open_at, close_at, draw_at }: NewPeriod): Promise<string> {
    const period_code = `${product_code}-${period_date.replaceAll('-', '')}-${round}`
    await this.run(
      `insert into periods (period_code, product_code, period_date, round, open_at, close_at, draw_at)
        values ($1, $2, $3, $4, $5, $6, $7)`,
      [period_code, product_code, period_date, round, open_at, close_at, draw_at],
    )
    return period_code
  }

  /** Lets a period be open from a minute ago on, whenever it opens by its timetable. */
  async open(period_code: string): Promise<void> {
    await this.run("update periods set open_at = clock_timestamp() - interval '1 minute' where period_code = $1", [
      period_code,
    ])
  }

  /** Moves the draw of a closed period to this moment, so that its result can be entered. */
  async holdDraw(period_code: string): Promise<void> {
    await this.run('update periods set draw_at = clock_timestamp() where period_code = $1', [period_code])
  }

  /** Lets a code take as many registrations a day as it may: each journey registers its own member. */
  async raiseRegistrations(): Promise<void> {
    await this.run('update agent_codes set registrations_per_day = $1', [REGISTRATIONS_PER_DAY.max])
  }

  /** Makes the second factor of a user's live session too old for what needs a recent one. */
  async ageFactor(username: string): Promise<void> {
    await this.run(
      `update sessions set factor_verified_at = factor_verified_at - interval '10 minutes'
        where ended_at is null and user_id = (select user_id from users where username = $1)`,
      [username],
    )
  }

  /** Stops the writing of report files. @returns a function that lets it go on */
  async holdReportFiles(): Promise<() => Promise<void>> {
    const client = await this.connect()
    await client.query('begin')
    await client.query('lock table report_file_parts in share mode')
    return () => client.end()
  }

  /** Makes the clearing statements of a week before it is over. Journeys run in parallel: a lost race is repeated. */
  async makeClearings(monday: string): Promise<void> {
    const { host, port, user, password, database } = this.address()
    const url = `postgres://${user}:${encodeURIComponent(password)}@${host}:${port}/${database}`
    const { openDatabase } = (await import(new URL('postgres/db.ts', server).href)) as OpensDatabase
    const { makeClearings } = (await import(new URL('money/index.ts', server).href)) as MakesClearings
    const { db, close } = openDatabase({ url, role: 'megalot_app', maxConnections: 1 })
    try {
      await makeClearings(db, monday).catch(() => makeClearings(db, monday))
    } finally {
      await close()
    }
  }

  private address() {
    return {
      host: '127.0.0.1',
      port: Number(readFileSync(join(this.dataDir, 'postgres-port'), 'utf8')),
      user: 'postgres',
      password: readFileSync(join(this.dataDir, 'postgres', 'megalot-password'), 'utf8'),
      database: 'postgres',
    }
  }

  private async connect(): Promise<pg.Client> {
    const client = new pg.Client(this.address())
    await client.connect()
    return client
  }

  private async run(statement: string, values: readonly unknown[]): Promise<void> {
    const client = await this.connect()
    try {
      await client.query(statement, [...values])
    } finally {
      await client.end()
    }
  }
}
