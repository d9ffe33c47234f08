// Invariants of accounts and entries.

import { sql } from 'kysely'
import { among, type Invariant } from './invariant.ts'

export const ledgerInvariants = {
  entries_have_a_cause: {
    name: {
      th: 'ทุกรายการบัญชีมีที่มา: โพย งวดที่จ่ายแล้ว หรือรายการรับจ่าย',
      en: 'every entry has its cause: a ticket, a settled period or a payment',
    },
    unit: 'satang',
    by: 'entry',
    onChange: 'entry',
    query: (keys) => sql`
      select entry_id as key, entry_id, e.order_id, amount_satang as stored from entries e left join orders o using (order_id)
        left join accounts giver on giver.account_id = e.from_account_id
        left join accounts taker on taker.account_id = e.to_account_id
      where ${among('e.entry_id', keys)} and not case
        when e.kind = 'result' then (giver.kind, taker.kind) in (('period', 'result'), ('result', 'period'))
          and starts_with(e.idempotency_key, 'result:' || coalesce(giver.period_id, taker.period_id) || ':')
        when e.kind in ('transfer', 'adjustment') then exists (
          select from payments where idempotency_key = 'payment:' || payment_id and amount_satang in (e.amount_satang, -e.amount_satang))
        else is_caused(e.kind, o.user_id, o.period_id, giver, taker) end`,
  },
  balance_follows_mark: {
    name: {
      th: 'ยอดเงินของผู้ใช้เท่ายอดที่บันทึกไว้ล่าสุดรวมกับรายการบัญชีหลังจากนั้น',
      en: 'what a user has is what was noted last, and the entries since',
    },
    unit: 'satang',
    by: 'user',
    onChange: 'user',
    query: (keys) => sql`
      select user_id as key, user_id, stored, computed from (
        select user_id, stored::bigint, (coalesce(mark.balance_satang, 0) + coalesce(moved, 0))::bigint as computed
        from (select user_id, sum(balance_satang) as stored, array_agg(account_id) as own from accounts
            where user_id is not null and ${among('user_id', keys)} group by user_id) owners
          left join lateral (select entry_id, balance_satang from balance_marks m where m.user_id = owners.user_id
            order by entry_id desc limit 1) mark on true
          cross join lateral (select sum(amount) as moved from (
            select -amount_satang as amount from entries
              where from_account_id = any(own) and entry_id > coalesce(mark.entry_id, 0)
            union all
            select amount_satang from entries
              where to_account_id = any(own) and kind <> 'bet' and entry_id > coalesce(mark.entry_id, 0)) sides) since
      ) compared where stored <> computed`,
  },
  balance_is_its_postings: {
    name: { th: 'ยอดเงินในบัญชีเท่าผลรวมของรายการบัญชี', en: 'a balance is the sum of its postings' },
    unit: 'satang',
    by: 'user',
    onChange: null,
    // No index finds the entries of a period, so a piece compares only users, and periods through their members
    // (`period_keeps_its_net`).
    query: (keys) => sql`
      select coalesce(user_id, 0) as key, user_id, period_id, balance_satang as stored, coalesce(moved, 0)::bigint as computed
      from accounts left join (
        select account_id, sum(amount) as moved from (
          select from_account_id as account_id, -amount_satang as amount from entries
            where ${keys === null ? sql`true` : sql`from_account_id in (select account_id from accounts where ${among('user_id', keys)})`}
          union all
          select to_account_id, amount_satang from entries
            where ${
              keys === null
                ? sql`true`
                : sql`kind <> 'bet' and to_account_id in (select account_id from accounts where ${among('user_id', keys)})`
            }
        ) sides group by account_id
      ) posted using (account_id)
      where ${among('user_id', keys)} and balance_satang <> coalesce(moved, 0)`,
  },
  noted_balance: {
    name: {
      th: 'ยอดเงินที่บันทึกไว้เท่าผลรวมของรายการบัญชีถึงตอนนั้น',
      en: 'a noted balance is the sum of the entries until then',
    },
    unit: 'satang',
    by: 'user',
    onChange: null,
    query: (keys) => sql`
      select user_id as key, user_id, entry_id, balance_satang as stored, balance::bigint as computed from balance_marks left join (
        select user_id, entry_id, sum(sum(amount)) over (partition by user_id order by entry_id) as balance from (
          select user_id, entry_id, -amount_satang as amount from accounts join entries on from_account_id = account_id
            where user_id is not null and ${among('user_id', keys)}
          union all
          select user_id, entry_id, amount_satang from accounts join entries on to_account_id = account_id and entries.kind <> 'bet'
            where user_id is not null and ${among('user_id', keys)}
        ) sides group by user_id, entry_id
      ) ledger using (user_id, entry_id)
      where ${among('user_id', keys)} and balance_satang is distinct from balance`,
  },
  balance_above_floor: {
    name: { th: 'ไม่มียอดเงินต่ำกว่าวงเงิน', en: 'no balance is below its floor' },
    unit: 'satang',
    by: 'user',
    onChange: 'user',
    query: (keys) => sql`
      select user_id as key, user_id, balance_satang as stored, floor_satang - overdraft_satang as computed from accounts
      where ${among('user_id', keys)} and balance_satang + overdraft_satang < floor_satang`,
  },
  overdraft_is_taken_back: {
    name: {
      th: 'ยอดที่ต่ำกว่าวงเงินได้ไม่เกินรางวัลที่เรียกคืน',
      en: 'an overdraft is no more than the wins that were taken back',
    },
    unit: 'satang',
    by: 'user',
    onChange: 'user',
    query: (keys) => sql`
      select user_id as key, user_id, overdraft_satang as stored, taken_back::bigint as computed
      from accounts cross join lateral (
        select coalesce(sum(amount_satang), 0) as taken_back from entries
        where from_account_id = accounts.account_id and entries.kind = 'reversal') reversals
      where ${among('user_id', keys)} and accounts.kind = 'cash' and overdraft_satang > 0 and overdraft_satang > taken_back`,
  },
  given_within_limit: {
    name: {
      th: 'วงเงินของผู้ใช้ใต้สายโดยตรงรวมกันไม่เกินวงเงินของสายบน',
      en: 'the credit limits of all children of a user together are within its own limit',
    },
    unit: 'satang',
    by: 'user',
    onChange: 'user',
    query: (keys) => sql`
      select user_id as key, user_id, given_satang as stored, 0 - floor_satang as computed from accounts
      where kind = 'cash' and ${among('user_id', keys)} and given_satang > 0 - floor_satang`,
  },
  held_is_waiting: {
    name: { th: 'เงินที่กันไว้เท่ายอดสุทธิของโพยที่รอยืนยัน', en: 'held is the net of waiting tickets' },
    unit: 'satang',
    by: 'user',
    onChange: 'user',
    query: (keys) => sql`
      select user_id as key, user_id, balance_satang as stored, coalesce(waiting, 0)::bigint as computed from accounts left join (
        select user_id, sum(received_satang - discount_satang) as waiting from orders where status = 'WAIT_CONFIRM' group by user_id
      ) tickets using (user_id)
      where kind = 'held' and ${among('user_id', keys)} and balance_satang <> coalesce(waiting, 0)`,
  },
  given_limits: {
    name: {
      th: 'วงเงินที่ให้ไปเท่าผลรวมวงเงินของผู้ใช้ใต้สายโดยตรง',
      en: 'what a user has given is the sum of the credit limits of its children',
    },
    unit: 'satang',
    by: 'user',
    onChange: 'user',
    query: (keys) => sql`
      select user_id as key, user_id, given_satang as stored, coalesce(given, 0)::bigint as computed from accounts left join (
        select parent_id as user_id, -sum(floor_satang) as given from users join accounts using (user_id)
        where kind = 'cash' and ${among('parent_id', keys)} group by parent_id
      ) children using (user_id)
      where kind = 'cash' and ${among('user_id', keys)} and given_satang <> coalesce(given, 0)`,
  },
  tickets_move_cash: {
    name: {
      th: 'กำไรขาดทุนของสมาชิกในทุกงวดเท่าที่โพยย้ายเงินสด',
      en: 'what a member lost and won in tickets is what its tickets moved on its cash',
    },
    unit: 'satang',
    by: 'user',
    onChange: null,
    query: (keys) => sql`
      select user_id as key, user_id, coalesce(moved, 0)::bigint as stored, total::bigint as computed from accounts join (
        select user_id, sum(win_satang + discount_satang - received_satang) + coalesce(refunded, 0) as total
        from member_periods left join (
          select user_id, sum(net_satang) as refunded from refunded_orders where ${among('user_id', keys)} group by user_id
        ) voids using (user_id)
        where ${among('user_id', keys)} group by user_id, refunded
      ) stored using (user_id) left join (
        select account_id, sum(amount) as moved from (
          select account_id, entries.kind, -amount_satang as amount from accounts join entries on from_account_id = account_id
            where ${among('user_id', keys)}
          union all
          select account_id, entries.kind, amount_satang from accounts join entries on to_account_id = account_id and entries.kind <> 'bet'
            where ${among('user_id', keys)}
        ) sides
        where kind in ('bet_hold', 'bet', 'bet_release', 'refund', 'win', 'reversal') group by account_id
      ) ledger using (account_id)
      where kind = 'cash' and total <> coalesce(moved, 0)`,
  },
} as const satisfies Record<string, Invariant>
