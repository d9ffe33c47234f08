import type { UserPackage } from '@megalot/contract'
import { type RawBuilder, sql } from 'kysely'
import { bangkokToday } from '../../lib/bangkok.ts'
import { takeLock } from '../../postgres/advisory-locks.ts'
import type { Db, Tx } from '../../postgres/db.ts'

export interface AgentCodeRecord {
  code: string
  user_id: number
  username: string
  is_active: boolean
  created_at: Date
  packages: UserPackage[] | null
  opening_credit_satang: number
  member_count: number
  registrations_per_day: number
  registrations_today: number
  is_email_optional: boolean
}

async function select(db: Db, where: RawBuilder<unknown>): Promise<AgentCodeRecord[]> {
  const { rows } = await sql<AgentCodeRecord>`
    select c.code, c.user_id, u.username, c.is_active, c.created_at, c.opening_credit_satang, c.registrations_per_day, c.is_email_optional,
      case when c.registration_day >= ${bangkokToday} then c.registrations_of_day else 0 end as registrations_today,
      case when c.package_ids is not null then coalesce((
        select json_agg(json_build_object('product_code', k.product_code, 'package_code', k.package_code, 'name', k.name)
          order by product.position, k.position)
        from packages k join products product using (product_code) where k.package_id = any(c.package_ids)), '[]') end as packages,
      (select count(*)::int from users member where member.agent_code = c.code) as member_count
    from agent_codes c join users u using (user_id) where ${where} order by c.created_at desc, c.code`.execute(db)
  return rows
}

/** The codes of an agent, newest first. */
export function listCodesOf(db: Db, user_id: number): Promise<AgentCodeRecord[]> {
  return select(db, sql`c.user_id = ${user_id}`)
}

export async function findCode(db: Db, code: string): Promise<AgentCodeRecord | undefined> {
  return (await select(db, sql`c.code = ${code}`))[0]
}

export async function lockCodes(tx: Tx, user_id: number): Promise<void> {
  await sql`select ${takeLock('agentCodes', sql`${user_id}::int`)}`.execute(tx)
}

/** Of an agent. */
export async function countCodes(db: Db, user_id: number): Promise<{ code_count: number; active_count: number }> {
  const { rows } = await sql<{ code_count: number; active_count: number }>`
    select count(*)::int as code_count, (count(*) filter (where is_active))::int as active_count
    from agent_codes where user_id = ${user_id}`.execute(db)
  return rows[0]!
}

export interface NewCode {
  code: string
  user_id: number
  package_ids: readonly number[] | null
  opening_credit_satang: number
  registrations_per_day: number
  is_email_optional: boolean
}

/** @returns whether the code was free */
export async function insertCode(
  tx: Tx,
  { code, user_id, package_ids, opening_credit_satang, registrations_per_day, is_email_optional }: NewCode,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    insert into agent_codes (code, user_id, package_ids, opening_credit_satang, registrations_per_day, is_email_optional)
    values (${code}, ${user_id}, ${package_ids}::int[], ${opening_credit_satang}, ${registrations_per_day}, ${is_email_optional}) on conflict do nothing`.execute(
    tx,
  )
  return numAffectedRows > 0n
}

export async function saveActive(tx: Tx, code: string, is_active: boolean): Promise<void> {
  await sql`update agent_codes set is_active = ${is_active} where code = ${code}`.execute(tx)
}
