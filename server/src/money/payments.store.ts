import { type Payment, type PaymentMethod, receiptNumber, type UserLevel } from '@megalot/contract'
import { type RawBuilder, sql } from 'kysely'
import { bangkokToday } from '../lib/bangkok.ts'
import { type Db, type Tx, unquotedArray } from '../postgres/db.ts'

export interface NewPayment {
  child_id: number
  parent_id: number
  kind: 'payment' | 'adjustment'
  /** Above 0: in the child's favour. */
  amount_satang: number
  balance_after_satang: number
  method: PaymentMethod | null
  /** Days before today in Bangkok. */
  days_ago: number
  note: string | null
  reverses_id: number | null
  holder_id: number
  recorded_by: number
}

/**
 * Writes payments; the database posts them. One of each edge at most.
 * @returns their ids by child
 */
export async function insertPayments(tx: Tx, payments: readonly NewPayment[]): Promise<Map<number, number>> {
  const numbers = (pick: (each: NewPayment) => number | null) => unquotedArray(payments.map(pick))
  const texts = (pick: (each: NewPayment) => string | null) => payments.map(pick)
  const { rows } = await sql<{ payment_id: number; child_id: number }>`
    insert into payments (child_id, parent_id, kind, amount_satang, balance_after_satang, method, day, note, reverses_id,
      holder_id, recorded_by)
    select child_id, parent_id, kind, amount_satang, balance_after_satang, method, ${bangkokToday} - days_ago, note,
      reverses_id, holder_id, recorded_by
    from unnest(${numbers((each) => each.child_id)}::bigint[], ${numbers((each) => each.parent_id)}::bigint[],
      ${texts((each) => each.kind)}::text[], ${numbers((each) => each.amount_satang)}::bigint[],
      ${numbers((each) => each.balance_after_satang)}::bigint[], ${texts((each) => each.method)}::text[],
      ${numbers((each) => each.days_ago)}::int[], ${texts((each) => each.note)}::text[],
      ${numbers((each) => each.reverses_id)}::bigint[], ${numbers((each) => each.holder_id)}::bigint[],
      ${numbers((each) => each.recorded_by)}::bigint[])
      as given (child_id, parent_id, kind, amount_satang, balance_after_satang, method, days_ago, note, reverses_id,
        holder_id, recorded_by)
    returning payment_id, child_id`.execute(tx)
  return new Map(rows.map(({ payment_id, child_id }) => [child_id, payment_id]))
}

export interface EdgeActivity {
  /** Null without payments. */
  last_payment_id: number | null
  /** Adjustments of today in either direction that were not reversed. */
  adjusted_today_satang: number
}

export async function findEdgeActivity(db: Db, child_id: number): Promise<EdgeActivity> {
  const { rows } = await sql<EdgeActivity>`
    select (select max(payment_id) from payments where child_id = ${child_id}) as last_payment_id,
      (select coalesce(sum(abs(amount_satang)), 0)::bigint from payments made
        where child_id = ${child_id} and kind = 'adjustment' and day = ${bangkokToday} and reverses_id is null
          and not exists (select from payments later where later.reverses_id = made.payment_id)) as adjusted_today_satang`.execute(
    db,
  )
  return rows[0]!
}

export interface PaymentRecord {
  payment_id: number
  child_id: number
  parent_id: number
  username: string
  display_name: string
  level: UserLevel
  upline_ids: number[]
  kind: 'payment' | 'adjustment'
  amount_satang: number
  balance_after_satang: number
  method: PaymentMethod | null
  day: string
  note: string | null
  reverses_id: number | null
  reversed_by_id: number | null
  holder_id: number
  holder: string
  is_of_office: boolean
  recorded_by: number
  recorder: string
  recorded_at: Date
  is_today: boolean
  is_recent: boolean
  has_slip: boolean
  dispute_note: string | null
  raised_at: Date | null
  answer: string | null
  answered_at: Date | null
}

/** How long a child may dispute a payment. */
const DISPUTABLE_DAYS = 60

const selectPayments = sql`
  select payments.payment_id, payments.child_id, payments.parent_id, child.username, child.display_name, child.level,
    child.upline_ids, payments.kind, payments.amount_satang, payments.balance_after_satang, payments.method,
    payments.day::text, payments.note, payments.reverses_id, later.payment_id as reversed_by_id, payments.holder_id,
    holder.username as holder, recorder.is_office as is_of_office, payments.recorded_by, recorder.username as recorder,
    payments.recorded_at, (payments.recorded_at at time zone 'Asia/Bangkok')::date = ${bangkokToday} as is_today,
    payments.recorded_at > clock_timestamp() - interval '${sql.lit(DISPUTABLE_DAYS)} days' as is_recent,
    exists (select from payment_slips slip where slip.payment_id = payments.payment_id) as has_slip,
    dispute.note as dispute_note, dispute.raised_at, dispute.answer, dispute.answered_at
  from payments join users child on child.user_id = payments.child_id
    join users holder on holder.user_id = payments.holder_id
    join users recorder on recorder.user_id = payments.recorded_by
    left join payments later on later.reverses_id = payments.payment_id
    left join payment_disputes dispute on dispute.payment_id = payments.payment_id`

export async function findPayment(db: Db, payment_id: number): Promise<PaymentRecord | undefined> {
  const { rows } = await sql<PaymentRecord>`${selectPayments} where payments.payment_id = ${payment_id}`.execute(db)
  return rows[0]
}

export interface PaymentFilter {
  /** Payments of the owner's children, or of the owner with its parent. */
  owner_id: number
  side: 'below' | 'above'
  user_id?: number | undefined
  date_from?: string | undefined
  date_to?: string | undefined
  kind?: 'received' | 'paid' | 'adjustment' | 'reversal' | undefined
  method?: PaymentMethod | undefined
  search?: string | undefined
  is_disputed?: boolean | undefined
}

function conditionsOf(filter: PaymentFilter): RawBuilder<unknown> {
  const { owner_id, side, user_id, date_from, date_to, kind, method, search, is_disputed } = filter
  const isOf = side === 'below' ? sql`payments.parent_id = ${owner_id}` : sql`payments.child_id = ${owner_id}`
  const conditions = [isOf]
  if (user_id !== undefined) conditions.push(sql`payments.child_id = ${user_id}`)
  if (date_from !== undefined) conditions.push(sql`payments.day >= ${date_from}::date`)
  if (date_to !== undefined) conditions.push(sql`payments.day <= ${date_to}::date`)
  // Seen from below, the child's payment is one that the reader made.
  const isReceived = side === 'below' ? sql`payments.amount_satang > 0` : sql`payments.amount_satang < 0`
  if (kind === 'adjustment') conditions.push(sql`payments.kind = 'adjustment'`)
  if (kind === 'reversal') conditions.push(sql`payments.reverses_id is not null`)
  if (kind === 'received' || kind === 'paid')
    conditions.push(
      sql`payments.kind = 'payment' and payments.reverses_id is null and (${isReceived}) = ${sql.lit(kind === 'received')}`,
    )
  if (method !== undefined) conditions.push(sql`payments.method = ${method}`)
  if (search !== undefined)
    conditions.push(
      sql`payments.child_id in (select user_id from users where parent_id = ${owner_id}
        and (position(${search.toLowerCase()} in username) > 0 or position(${search.toLowerCase()} in lower(display_name)) > 0))`,
    )
  if (is_disputed)
    conditions.push(
      sql`exists (select from payment_disputes d where d.payment_id = payments.payment_id and d.answer is null)`,
    )
  return sql.join(conditions, sql` and `)
}

export async function listPaymentRecords(
  db: Db,
  filter: PaymentFilter,
  limit: number,
  before?: number,
): Promise<PaymentRecord[]> {
  const isBefore = before === undefined ? sql`true` : sql`payments.payment_id < ${before}`
  const { rows } = await sql<PaymentRecord>`
    ${selectPayments} where ${conditionsOf(filter)} and ${isBefore}
    order by payments.payment_id desc limit ${limit}`.execute(db)
  return rows
}

export interface PaymentSums {
  total_count: number
  /** In the child's favour, and against it. */
  received_satang: number
  paid_satang: number
  adjusted_satang: number
}

export async function sumPayments(db: Db, filter: PaymentFilter): Promise<PaymentSums> {
  const { rows } = await sql<PaymentSums>`
    select count(*)::int as total_count,
      coalesce(sum(amount_satang) filter (where kind = 'payment' and (amount_satang > 0) = (reverses_id is null)), 0)::bigint as received_satang,
      coalesce(-sum(amount_satang) filter (where kind = 'payment' and (amount_satang > 0) <> (reverses_id is null)), 0)::bigint as paid_satang,
      coalesce(sum(amount_satang) filter (where kind = 'adjustment'), 0)::bigint as adjusted_satang
    from payments where ${conditionsOf(filter)}`.execute(db)
  return rows[0]!
}

export async function insertSlip(
  tx: Tx,
  slip: {
    payment_id: number
    content_type: 'image/jpeg' | 'image/png' | 'image/webp'
    image: Buffer
    added_by: number
  },
): Promise<void> {
  await tx.insertInto('payment_slips').values(slip).execute()
}

export async function findSlip(
  db: Db,
  payment_id: number,
): Promise<{ content_type: string; image: Buffer } | undefined> {
  return db
    .selectFrom('payment_slips')
    .select(['content_type', 'image'])
    .where('payment_id', '=', payment_id)
    .executeTakeFirst()
}

export async function insertDispute(tx: Tx, payment_id: number, note: string): Promise<void> {
  await sql`insert into payment_disputes (payment_id, note) values (${payment_id}, ${note})`.execute(tx)
}

export async function saveAnswer(tx: Tx, payment_id: number, answer: string, answered_by: number): Promise<void> {
  await sql`
    update payment_disputes set answer = ${answer}, answered_by = ${answered_by}, answered_at = clock_timestamp()
    where payment_id = ${payment_id}`.execute(tx)
}

/** @param reader whether the reader is the child, and whether it may know office users */
export function toPayment(
  record: PaymentRecord,
  { isChild, seesOffice }: { isChild: boolean; seesOffice: boolean },
): Payment {
  const { payment_id, child_id, username, display_name, level } = record
  // Known log-in names can be attacked, so a child sees none of those above.
  const name = (value: string) => (isChild || (record.is_of_office && !seesOffice) ? null : value)
  return {
    payment_id,
    number: receiptNumber(payment_id),
    child: { user_id: child_id, username, display_name, level },
    kind: record.kind,
    amount_satang: record.amount_satang,
    balance_after_satang: isChild ? record.balance_after_satang : 0 - record.balance_after_satang,
    method: record.method,
    day: record.day,
    note: record.note,
    reverses_id: record.reverses_id,
    reversed_by_id: record.reversed_by_id,
    holder: name(record.holder),
    recorded_by: name(record.recorder),
    recorded_at: record.recorded_at.toISOString(),
    has_slip: record.has_slip,
    dispute:
      record.dispute_note === null
        ? null
        : {
            note: record.dispute_note,
            raised_at: record.raised_at!.toISOString(),
            answer: record.answer,
            answered_at: record.answered_at?.toISOString() ?? null,
          },
  }
}
