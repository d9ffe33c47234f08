// How the demo's members bet: which markets, how often, how much, with which package. Most stakes are small and most bets
// have two digits, as among Thai players.

/** Groups of markets that one kind of player prefers, with weights. */
const tastes = {
  government: [
    ['thai-government', 60],
    ['gsb', 10],
    ['baac', 8],
    ['lao-pattana', 12],
    ['lao-vip', 5],
    ['hanoi', 5],
  ],
  daily: [
    ['thai-government', 14],
    ['hanoi-special', 16],
    ['hanoi', 22],
    ['hanoi-vip', 14],
    ['lao-pattana', 14],
    ['lao-vip', 12],
    ['malay', 8],
  ],
  stocks: [
    ['nikkei-am', 14],
    ['nikkei-pm', 12],
    ['china-am', 10],
    ['china-pm', 10],
    ['hang-seng-am', 10],
    ['hang-seng-pm', 10],
    ['taiwan', 8],
    ['korea', 6],
    ['singapore', 5],
    ['thai-evening', 12],
    ['india', 3],
    ['egypt', 3],
    ['germany', 4],
    ['uk', 4],
    ['russia', 2],
    ['dow', 9],
    ['thai-government', 6],
  ],
  rounds: [
    ['yeekee', 70],
    ['hanoi', 12],
    ['hanoi-vip', 8],
    ['lao-vip', 6],
    ['thai-government', 4],
  ],
} as const satisfies Record<string, readonly (readonly [string, number])[]>

export interface MemberHabit {
  username: string
  /** Markets with their weights. */
  markets: readonly (readonly [string, number])[]
  /** Tickets on a typical day. */
  tickets_a_day: number
  /** The factor on the typical stakes. */
  stake_scale: number
  package_code: '70' | '90'
}

function habit(
  number: number,
  taste: keyof typeof tastes,
  tickets_a_day: number,
  stake_scale: number,
  package_code: '70' | '90',
): MemberHabit {
  const username = `member${String(number).padStart(2, '0')}`
  return { username, markets: tastes[taste], tickets_a_day, stake_scale, package_code }
}

/** Everybody but `member01`, who is new. */
export const memberHabits: readonly MemberHabit[] = [
  habit(2, 'daily', 8, 1, '90'),
  habit(3, 'rounds', 9, 0.5, '90'),
  habit(4, 'daily', 12, 3, '70'),
  habit(5, 'stocks', 8, 1, '90'),
  habit(6, 'daily', 7, 1, '70'),
  habit(7, 'government', 3, 1, '90'),
  habit(8, 'government', 2, 1, '70'),
  habit(9, 'government', 1.5, 0.5, '90'),
  habit(10, 'rounds', 12, 0.5, '90'),
  habit(11, 'daily', 6, 1, '90'),
  habit(12, 'stocks', 11, 4, '70'),
  habit(13, 'daily', 7, 1, '90'),
  habit(14, 'government', 3, 1, '70'),
  habit(15, 'stocks', 6, 0.5, '90'),
  habit(16, 'rounds', 8, 0.5, '90'),
  habit(17, 'daily', 10, 2, '90'),
  habit(18, 'government', 2, 1, '90'),
  habit(19, 'stocks', 7, 1, '90'),
  habit(20, 'daily', 6, 1, '70'),
  habit(21, 'rounds', 7, 0.5, '90'),
  habit(22, 'daily', 5, 1, '70'),
  habit(23, 'government', 2, 0.5, '90'),
  habit(24, 'daily', 4, 0.5, '90'),
]
