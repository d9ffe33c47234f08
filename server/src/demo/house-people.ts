// People of the demo: company, senior, two masters, four agents of different size, and their members.

import type { UserLevel } from '@megalot/contract'

export interface DemoPerson {
  username: string
  display_name: string
  level: UserLevel
  /** Null for the company. */
  parent: string | null
  is_office?: boolean
  /** In Baht. */
  credit: number
  /**
   * A level's share of its downline's stakes, its line rate, and its discount above theirs, in hundredths of a percent.
   */
  shares?: DemoShares
}

export interface DemoShares {
  position_rate: number
  line_rate: number
  commission_rate: number
}

const office: readonly DemoPerson[] = [
  { username: 'company', display_name: 'company', level: 'company', parent: null, credit: 1_000_000_000 },
  { username: 'office01', display_name: 'office01', level: 'company', parent: 'company', is_office: true, credit: 0 },
  { username: 'office02', display_name: 'office02', level: 'company', parent: 'company', is_office: true, credit: 0 },
]

function nameOf(index: number): string {
  return `member${String(index + 1).padStart(2, '0')}`
}

/** A demo without a history: one agent directly below the company, and all members below it. */
export const plainPeople: readonly DemoPerson[] = [
  ...office,
  { username: 'agent01', display_name: 'agent01', level: 'agent', parent: 'company', credit: 10_000_000 },
  ...Array.from({ length: 24 }, (_, index): DemoPerson => {
    const username = nameOf(index)
    return { username, display_name: username, level: 'member', parent: 'agent01', credit: 50_000 }
  }),
]

function upline(
  username: string,
  display_name: string,
  level: UserLevel,
  parent: string,
  credit: number,
  position_rate: number,
  line_rate: number,
  commission_rate: number,
): DemoPerson {
  return { username, display_name, level, parent, credit, shares: { position_rate, line_rate, commission_rate } }
}

const uplines: readonly DemoPerson[] = [
  upline('senior01', 'คุณวิชัย', 'senior', 'company', 30_000_000, 1_000, 7_000, 400),
  upline('master01', 'เจ๊เพ็ญ', 'master', 'senior01', 15_000_000, 1_500, 5_500, 300),
  upline('master02', 'เฮียชัย', 'master', 'senior01', 8_000_000, 1_000, 6_000, 350),
  upline('agent01', 'ป้าแดง ตลาดไท', 'agent', 'master01', 10_000_000, 3_000, 3_000, 200),
  upline('agent02', 'พี่หน่อย บางแค', 'agent', 'master01', 1_500_000, 3_500, 3_500, 200),
  upline('agent03', 'เจ๊หมวย เยาวราช', 'agent', 'master02', 1_500_000, 2_000, 2_000, 300),
  upline('agent04', 'ลุงศักดิ์ นครปฐม', 'agent', 'master02', 600_000, 5_000, 5_000, 100),
]

/** Display name and credit limit in Baht of each agent's members, in number order. */
const membersOfAgents: Readonly<Record<string, readonly (readonly [string, number])[]>> = {
  agent01: [
    ['สมาชิกใหม่', 50_000],
    ['สมชาย ใจดี', 200_000],
    ['นิดหน่อย', 200_000],
    ['เจ๊ดา', 500_000],
    ['พี่ต้น', 200_000],
    ['แม่ค้าส้ม', 200_000],
    ['ช่างเอก', 200_000],
    ['ครูนก', 200_000],
    ['ยายบุญ', 200_000],
    ['โอ๋ วินหน้าปากซอย', 200_000],
  ],
  agent02: [
    ['น้องมิ้นท์', 200_000],
    ['เสี่ยเล็ก', 500_000],
    ['พี่หมู', 200_000],
    ['ก้อย', 200_000],
    ['ลุงพล', 200_000],
    ['แอนนา', 200_000],
  ],
  agent03: [
    ['เฮียตี๋', 500_000],
    ['อาม่า', 200_000],
    ['พี่เก่ง', 200_000],
    ['มะลิ', 200_000],
    ['บอย', 200_000],
  ],
  agent04: [
    ['ลุงมี', 200_000],
    ['ป้าสาย', 200_000],
    ['ตั้ม', 200_000],
  ],
}

/** A demo with a history: five levels, and members on different branches. */
export const housePeople: readonly DemoPerson[] = [
  ...office,
  ...uplines,
  ...Object.entries(membersOfAgents)
    .flatMap(([parent, members]) => members.map(([display_name, credit]) => ({ parent, display_name, credit })))
    .map((member, index): DemoPerson => ({ ...member, username: nameOf(index), level: 'member' })),
]
