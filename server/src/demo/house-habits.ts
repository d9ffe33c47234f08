// How the demo's members bet: which markets, how often, how much, and with which package.

/** Groups of markets preferred by a type of player, with weights. */
const tastes = {
  government: {
    'thai-government': 60,
    gsb: 10,
    baac: 8,
    'lao-pattana': 12,
    'lao-vip': 5,
    hanoi: 5,
  },
  daily: {
    'thai-government': 14,
    'hanoi-special': 16,
    hanoi: 22,
    'hanoi-vip': 14,
    'lao-pattana': 14,
    'lao-vip': 12,
    malay: 8,
  },
  stocks: {
    'nikkei-am': 14,
    'nikkei-pm': 12,
    'china-am': 10,
    'china-pm': 10,
    'hang-seng-am': 10,
    'hang-seng-pm': 10,
    taiwan: 8,
    korea: 6,
    'thai-evening': 12,
    germany: 4,
    uk: 4,
    dow: 9,
    'thai-government': 6,
  },
  rounds: { yeekee: 70, hanoi: 12, 'hanoi-vip': 8, 'lao-vip': 6, 'thai-government': 4 },
} satisfies Record<string, Readonly<Record<string, number>>>

export interface MemberHabit {
  username: string
  /** Weights of markets. */
  markets: Readonly<Record<string, number>>
  /** Tickets on a typical day. */
  tickets_a_day: number
  /** Factor on typical stakes. */
  stake_scale: number
  package_code: '70' | '90'
}

/** From `member02` on, because `member01` is new and has never bet. */
const habits: readonly (readonly [keyof typeof tastes, number, '70' | '90', number?])[] = [
  ['daily', 8, '90'],
  ['rounds', 9, '90'],
  ['daily', 12, '70', 3],
  ['stocks', 8, '90'],
  ['daily', 7, '70'],
  ['government', 3, '90'],
  ['government', 2, '70'],
  ['government', 1.5, '90'],
  ['rounds', 12, '90'],
  ['daily', 6, '90'],
  ['stocks', 11, '70', 3],
  ['daily', 7, '90'],
  ['government', 3, '70'],
  ['stocks', 6, '90'],
  ['rounds', 8, '90'],
  ['daily', 10, '90', 2],
  ['government', 2, '90'],
  ['stocks', 7, '90'],
  ['daily', 6, '70'],
  ['rounds', 7, '90'],
  ['daily', 5, '70'],
  ['government', 2, '90'],
  ['daily', 4, '90'],
]

export const memberHabits: readonly MemberHabit[] = habits.map(
  ([taste, tickets_a_day, package_code, stake_scale = 1], index) => ({
    username: `member${String(index + 2).padStart(2, '0')}`,
    markets: tastes[taste],
    tickets_a_day,
    stake_scale,
    package_code,
  }),
)
