// Invariants of users that determine who may bet, and the size of downlines. They read only users.

import { sql } from 'kysely'
import { among, type Invariant } from './invariant.ts'

export const peopleInvariants = {
  strictest_status: {
    name: {
      th: 'สถานะที่ใช้จริงของผู้ใช้เข้มที่สุดในสายบน',
      en: 'the status in force is the strictest of all uplines',
    },
    unit: 'none',
    by: 'user',
    onChange: null,
    // An assistant has no uplines of its own: above it are its principal and the principal's uplines.
    query: (keys) => sql`
      select user_id as key, user_id from users where ${among('user_id', keys)} and status_in_force <> (
        select case max(case x.own_status when 'SUSPENDED' then 2 when 'DISABLED_BET' then 1 else 0 end)
          when 2 then 'SUSPENDED' when 1 then 'DISABLED_BET' else 'NORMAL' end
        from users x
        where x.user_id = users.user_id or x.user_id = any(users.upline_ids) or x.user_id = users.principal_id
          or x.user_id = any((select p.upline_ids from users p where p.user_id = users.principal_id)::bigint[]))`,
  },
  downline_sizes: {
    name: {
      th: 'ขนาดของสายงานเท่าจำนวนผู้ใช้ที่อยู่ใต้สาย',
      en: 'the size of each downline is that of the users below',
    },
    unit: 'count',
    by: 'user',
    onChange: null,
    query: (keys) => sql`
      select user_id as key, user_id, coalesce(member_count, 0) as stored, members as computed
      from users upline left join downline_sizes size using (user_id) cross join lateral (
        select count(*) filter (where level = 'member') as members, count(*) filter (where level <> 'member') as agents
        from users below where below.upline_ids @> array[upline.user_id] and not below.is_office) found
      where ${among('user_id', keys)} and upline.principal_id is null and not upline.is_office
        and (coalesce(member_count, 0), coalesce(agent_count, 0)) <> (members, agents)`,
  },
} as const satisfies Record<string, Invariant>
