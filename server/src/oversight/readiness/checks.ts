// The checks of the set-up, which `office doctor` prints and the console shows. Each has a sentence on what to do, in both languages.

import { readFile, statfs } from 'node:fs/promises'
import type { ReadinessCheck } from '@megalot/contract'
import type { Config } from '../../config.ts'
import { listUnlimitedBetTypes } from '../../markets/index.ts'
import { hasSuperuserGuards, listChangedSettings } from '../../postgres/database-log-ins.ts'
import type { Db } from '../../postgres/db.ts'
import { migrationFiles } from '../../postgres/migrate.ts'
import { countDemoAccounts, countHouse, countResultEntry, listOwners, readServer } from './readiness.store.ts'

export interface CheckedHouse {
  db: Db
  config: Config
  /** The newest backup and drill, from the file BACKUP_STATUS; null if it is not set or cannot be read. */
  backups: BackupStatus | null
}

/** As `deploy/backup/keeper.mjs` writes it. */
interface BackupStatus {
  backup_at?: string | null
  error?: string | null
  proven?: { at: string }
  /** The shares of the disks of the database and of the backups that are free. */
  free?: { database: number; backups?: number }
}

/** What a check found: all is well, or how bad it is, with what was found. */
type Finding = 'ok' | { state: 'warning' | 'wrong'; found?: string }

interface Check {
  title: { th: string; en: string }
  todo: { th: string; en: string }
  run: (house: CheckedHouse) => Finding | Promise<Finding>
}

const DAY_MS = 24 * 3_600_000
/** A backup is made each day. */
const MAX_BACKUP_AGE_MS = 28 * 3_600_000
/** It is restored and proven each week. */
const MAX_PROOF_AGE_MS = 9 * DAY_MS
const MAX_CLOCK_DIFFERENCE_MS = 2_000
const LEAST_DISK_SHARE = 0.15

const okIf = (isOk: boolean, state: 'warning' | 'wrong', found?: string): Finding =>
  isOk ? 'ok' : { state, ...(found === undefined ? {} : { found }) }

const ageOf = (instant: string | null | undefined): number => (instant ? Date.now() - Date.parse(instant) : Infinity)

const userOf = (url: string | undefined): string => (url ? decodeURIComponent(new URL(url).username) : '')

export const checks: Readonly<Record<string, Check>> = {
  https: {
    title: { th: 'ที่อยู่สาธารณะเป็น https', en: 'The public address is https' },
    todo: {
      th: 'ตั้ง PUBLIC_URL เป็น https://ชื่อโฮสต์ของคุณ แล้วเริ่มระบบใหม่',
      en: 'Set PUBLIC_URL to https:// and your host name, and restart.',
    },
    run: ({ config }) => okIf(config.publicUrl.startsWith('https://'), 'wrong', config.publicUrl),
  },
  mail: {
    title: { th: 'ตั้งเซิร์ฟเวอร์อีเมลแล้ว', en: 'A mail server is set' },
    todo: {
      th: 'ตั้ง SMTP_URL และ MAIL_FROM ไม่เช่นนั้นลิงก์และการแจ้งเตือนจะไม่ถูกส่ง',
      en: 'Set SMTP_URL and MAIL_FROM: without them no link and no alarm is sent.',
    },
    run: ({ config }) => okIf(config.smtpUrl !== undefined, 'warning'),
  },
  alarm_target: {
    title: { th: 'มีผู้รับการแจ้งเตือน', en: 'Somebody gets the alarms' },
    todo: {
      th: 'ตั้ง ALARM_MAIL_TO หรือ ALARM_WEBHOOK_URL',
      en: 'Set ALARM_MAIL_TO or ALARM_WEBHOOK_URL.',
    },
    run: ({ config }) => okIf(config.alarmMails.length > 0 || config.alarmWebhook !== undefined, 'warning'),
  },
  backup_age: {
    title: { th: 'มีการสำรองข้อมูลทุกวัน', en: 'A backup is made each day' },
    todo: {
      th: 'ดูบันทึกด้วย docker compose logs backup ถ้าใช้ฐานข้อมูลที่ผู้ให้บริการดูแล ให้ตรวจการสำรองข้อมูลที่ผู้ให้บริการ',
      en: "Read docker compose logs backup. With a managed database, check the provider's backups.",
    },
    run: ({ backups }) => {
      if (!backups) return { state: 'warning', found: 'BACKUP_STATUS' }
      if (backups.error) return { state: 'wrong', found: backups.error }
      return okIf(ageOf(backups.backup_at) < MAX_BACKUP_AGE_MS, 'wrong', backups.backup_at ?? '–')
    },
  },
  backup_proven: {
    title: { th: 'ทดลองกู้คืนสำเร็จทุกสัปดาห์', en: 'A restore is proven each week' },
    todo: {
      th: 'สั่ง docker compose exec backup node /app/keeper.mjs drill ถ้าใช้ฐานข้อมูลที่ผู้ให้บริการดูแล ให้ทดลองกู้คืนด้วยตนเอง',
      en: 'Run docker compose exec backup node /app/keeper.mjs drill. With a managed database, try a restore yourself.',
    },
    run: ({ backups }) =>
      okIf(ageOf(backups?.proven?.at) < MAX_PROOF_AGE_MS, 'warning', backups?.proven?.at ?? undefined),
  },
  second_owner: {
    title: { th: 'มีเจ้าของอย่างน้อยสองคน', en: 'There are at least two owners' },
    todo: {
      th: 'เชิญเจ้าของอีกคน มิฉะนั้นเรื่องที่ต้องใช้สองคนจะทำไม่ได้',
      en: 'Invite a second owner: until then nothing that takes two people can be done.',
    },
    run: async ({ db }) => {
      const owners = (await listOwners(db)).filter(({ must_change_password }) => !must_change_password)
      return okIf(owners.length >= 2, 'wrong', owners.map(({ username }) => username).join(', '))
    },
  },
  owners_factors: {
    title: { th: 'เจ้าของทุกคนยืนยันตัวตนสองชั้น', en: 'All owners have a second factor' },
    todo: {
      th: 'เจ้าของที่ระบุต้องเข้าสู่ระบบและตั้งพาสคีย์หรือแอปยืนยันตัวตน',
      en: 'The owners named here must log in and enrol a passkey or an authenticator app.',
    },
    run: async ({ db }) => {
      const without = (await listOwners(db)).filter((owner) => !owner.has_factor && !owner.must_change_password)
      return okIf(without.length === 0, 'wrong', without.map(({ username }) => username).join(', '))
    },
  },
  factor_key: {
    title: { th: 'มีกุญแจของแอปยืนยันตัวตน', en: 'Authenticator apps have their key' },
    todo: {
      th: 'ตั้ง FACTOR_KEY (openssl rand -base64 32) และเก็บสำเนาไว้นอกเครื่อง',
      en: 'Set FACTOR_KEY (openssl rand -base64 32) and keep a copy elsewhere.',
    },
    run: ({ config }) => okIf(config.factorKey !== undefined, 'warning'),
  },
  separate_log_ins: {
    title: {
      th: 'แอปพลิเคชัน เจ้าของ และผู้ตรวจใช้ล็อกอินฐานข้อมูลแยกกัน',
      en: 'Application, owner and checker have their own log-ins of the database',
    },
    todo: {
      th: 'รัน server/roles.sql แล้วตั้ง DATABASE_URL, OWNER_DATABASE_URL และ AUDITOR_DATABASE_URL ให้ต่างกัน',
      en: 'Run server/roles.sql and set DATABASE_URL, OWNER_DATABASE_URL and AUDITOR_DATABASE_URL to different log-ins.',
    },
    run: ({ config }) => {
      const users = [config.databaseUrl, config.ownerDatabaseUrl, config.auditorDatabaseUrl].map(userOf)
      return okIf(new Set(users).size === 3, 'warning', [...new Set(users)].filter(Boolean).join(', '))
    },
  },
  database_guards: {
    title: {
      th: 'ล็อกอินที่อ่านอย่างเดียวล็อกฐานข้อมูลหรือทำให้ดิสก์เต็มไม่ได้',
      en: 'Log-ins that only read can neither lock nor fill the database',
    },
    todo: {
      th: 'รัน server/roles.sql ด้วย superuser ถ้าผู้ให้บริการไม่มีให้ อย่าให้ใครใช้ล็อกอินที่อ่านอย่างเดียว',
      en: 'Run server/roles.sql as a superuser. Where the provider has none, give the reading log-ins to nobody.',
    },
    run: async ({ db }) => okIf(await hasSuperuserGuards(db), 'warning'),
  },
  log_in_settings: {
    title: { th: 'ล็อกอินฐานข้อมูลมีค่าตามที่กำหนด', en: 'Log-ins of the database have the settings that they should' },
    todo: { th: 'รัน server/roles.sql อีกครั้ง', en: 'Run server/roles.sql again.' },
    run: async ({ db }) => {
      const changed = await listChangedSettings(db)
      return okIf(changed.length === 0, 'wrong', changed.join('; '))
    },
  },
  commit_timestamps: {
    title: { th: 'ฐานข้อมูลเก็บเวลา commit', en: 'The database notes commit times' },
    todo: {
      th: 'ตั้ง track_commit_timestamp เป็น on แล้วเริ่ม PostgreSQL ใหม่',
      en: 'Set track_commit_timestamp to on and restart PostgreSQL.',
    },
    run: async ({ db }) => okIf((await readServer(db)).has_commit_times, 'wrong'),
  },
  durable: {
    title: { th: 'ทุกรายการเขียนลงดิสก์ก่อนตอบว่าสำเร็จ', en: 'Each commit is on disk before it is acknowledged' },
    todo: {
      th: 'ตั้ง fsync, full_page_writes และ synchronous_commit เป็น on',
      en: 'Set fsync, full_page_writes and synchronous_commit to on.',
    },
    run: async ({ db }) => okIf((await readServer(db)).is_durable, 'wrong'),
  },
  clock: {
    title: { th: 'นาฬิกาของเครื่องตรงกับของฐานข้อมูล', en: "The machine's clock agrees with the database's" },
    todo: { th: 'ติดตั้ง chrony หรือ NTP บนทุกเครื่อง', en: 'Run chrony or NTP on every machine.' },
    run: async ({ db }) => {
      const askedAtMs = Date.now()
      const { now_ms } = await readServer(db)
      const difference = Math.abs(now_ms - (askedAtMs + Date.now()) / 2)
      return okIf(difference < MAX_CLOCK_DIFFERENCE_MS, 'wrong', `${Math.round(difference)} ms`)
    },
  },
  versions: {
    title: { th: 'Node และ PostgreSQL เป็นรุ่นที่รองรับ', en: 'Node and PostgreSQL are supported versions' },
    todo: { th: 'ใช้ Node 24 และ PostgreSQL 15 ขึ้นไป', en: 'Use Node 24 and PostgreSQL 15 or newer.' },
    run: async ({ db }) => {
      const { version } = await readServer(db)
      const isSupported = Number(process.versions.node.split('.')[0]) >= 24 && version >= 150_000
      return okIf(isSupported, 'warning', `Node ${process.versions.node}, PostgreSQL ${Math.floor(version / 10_000)}`)
    },
  },
  migrations: {
    title: { th: 'โครงสร้างฐานข้อมูลมีครบสำหรับรุ่นนี้', en: 'The schema has all that this version needs' },
    todo: { th: 'เริ่มแอปพลิเคชันใหม่', en: 'Restart the application.' },
    run: async ({ db }) => {
      const [{ migrations }, files] = await Promise.all([readServer(db), migrationFiles()])
      // More of them after going back to an earlier version.
      return okIf(migrations >= files.length, 'wrong', `${migrations} / ${files.length}`)
    },
  },
  disk: {
    title: { th: 'ดิสก์มีที่ว่าง', en: 'The disks have room' },
    todo: {
      th: 'เพิ่มเนื้อที่ก่อนดิสก์เต็ม เมื่อเต็มจะรับแทงไม่ได้ ถ้าใช้ฐานข้อมูลที่ผู้ให้บริการดูแล ให้ดูเนื้อที่ที่ผู้ให้บริการ',
      en: 'Make room before it is full: a full disk accepts no bet. With a managed database, watch its disk at the provider.',
    },
    run: async ({ config, backups }) => {
      const { bavail, blocks } = await statfs(config.dataDir).catch(() => ({ bavail: 1, blocks: 1 }))
      const shares = { application: bavail / blocks, ...backups?.free }
      const low = Object.entries(shares).filter(([, share]) => share < LEAST_DISK_SHARE)
      if (low.length > 0)
        return { state: 'wrong', found: low.map(([disk, share]) => `${disk} ${Math.floor(share * 100)} %`).join(', ') }
      return okIf(backups?.free !== undefined, 'warning', 'database ?')
    },
  },
  no_demo: {
    title: { th: 'ไม่มีบัญชีตัวอย่าง', en: 'There are no demo accounts' },
    todo: {
      th: 'ใช้ฐานข้อมูลใหม่ที่ว่าง บัญชีตัวอย่างมีรหัสผ่านที่ทุกคนรู้',
      en: 'Use a new, empty database: demo accounts have a public password.',
    },
    run: async ({ db }) => {
      const count = await countDemoAccounts(db)
      return okIf(count === 0, 'wrong', String(count))
    },
  },
  quotas: {
    title: { th: 'หวยที่เปิดทุกตัวมีโควตา', en: 'Each open market has quotas' },
    todo: {
      th: 'ตั้งโควตาของหวยที่ระบุ หรือปิดหวย',
      en: 'Set the quotas of the markets named here, or switch them off.',
    },
    run: async ({ db }) => {
      const codes = [...new Set((await listUnlimitedBetTypes(db, null)).map(({ product_code }) => product_code))]
      return okIf(codes.length === 0, 'wrong', codes.join(', '))
    },
  },
  open_market: {
    title: { th: 'มีหวยที่เปิดรับแทง', en: 'A market is open' },
    todo: {
      th: 'เลือกหวยที่มีคนกรอกผล ตั้งโควตา แล้วเปิด',
      en: 'Choose markets for which somebody enters results, set their quotas and open them.',
    },
    run: async ({ db }) => okIf((await countHouse(db)).markets > 0, 'warning'),
  },
  first_agent: {
    title: { th: 'มีเอเยนต์', en: 'There is an agent' },
    todo: { th: 'เพิ่มเอเยนต์คนแรก เพื่อให้รับสมาชิกได้', en: 'Add the first agent, who takes in members.' },
    run: async ({ db }) => okIf((await countHouse(db)).agents > 0, 'warning'),
  },
  result_entry: {
    title: { th: 'มีคนกรอกผลได้อย่างน้อยสองคน', en: 'Two people can enter results' },
    todo: {
      th: 'ให้บทบาทที่กรอกผลได้แก่เจ้าหน้าที่อย่างน้อยสองคน',
      en: 'Give at least two office users a role that enters results.',
    },
    run: async ({ db }) => okIf((await countResultEntry(db)) >= 2, 'warning'),
  },
}

/** Runs all checks; one that fails itself is wrong, with its error. */
export async function runChecks(db: Db, config: Config): Promise<ReadinessCheck[]> {
  const house = { db, config, backups: await readBackups(config.backupStatus) }
  return Promise.all(
    Object.entries(checks).map(async ([check, { title, todo, run }]) => {
      const finding = await Promise.resolve(run(house)).catch((error: unknown): Finding => ({
        state: 'wrong',
        found: (error as Error).message,
      }))
      const isOk = finding === 'ok'
      return {
        check,
        state: isOk ? 'ok' : finding.state,
        title_th: title.th,
        title_en: title.en,
        todo_th: isOk ? null : todo.th,
        todo_en: isOk ? null : todo.en,
        found: isOk ? null : finding.found || null,
      }
    }),
  )
}

async function readBackups(file: string | undefined): Promise<BackupStatus | null> {
  if (file === undefined) return null
  return readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as BackupStatus,
    () => null,
  )
}
