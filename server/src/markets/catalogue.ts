// All markets, and the terms of packages "70" and "90". Append new markets: a start adds what a database lacks,
// and the index is the position in lists. Existing data of a database is changed by a migration.

import type { ProductGroup, Timetable } from '@megalot/contract'
import { type BetTypeCode, betTypeCodes, type ResultForm, usualBetTypes } from '@megalot/rules'

export interface CatalogueMarket {
  product_code: string
  name_th: string
  name_en: string
  group_code: ProductGroup
  country_code: string
  bet_types: readonly BetTypeCode[]
  result_form: ResultForm
  /** In the exchange's zone if there is one, otherwise in Asia/Bangkok. */
  timetable: Timetable
  /** For a stock market: the session whose index determines it (`exchange-hours.csv`). */
  exchange: { exchange_code: string; exchange_session: string } | null
  /** Days of each year (MM-DD) on which the draw may move to another day. */
  doubtful_days: readonly string[]
}

/** By group; other markets publish three and two digits. */
const resultForms: Partial<Record<ProductGroup, ResultForm>> = {
  lao: 'four_to_six_digits',
  hanoi: 'five_digits_and_two',
  malay: 'four_digits',
}

const mondayToFriday = { weekdays: [1, 2, 3, 4, 5] }

/** A market that opens early in the morning of its own day. */
function sameDay(days: Timetable['days'], close: string, draw: string): Timetable {
  return { days, open: { time: '05:00' }, close: { time: close }, draw: { time: draw } }
}

/** A government draw on fixed days of the month: betting opens two weeks ahead. */
function monthly(month_days: number[], close: string, draw: string): Timetable {
  const open = { time: '06:00', day_offset: -13 }
  return { days: { month_days }, open, close: { time: close }, draw: { time: draw } }
}

function market(
  product_code: string,
  name_th: string,
  name_en: string,
  group_code: ProductGroup,
  country_code: string,
  timetable: Timetable,
  bet_types: readonly BetTypeCode[] = usualBetTypes,
): CatalogueMarket {
  const result_form = bet_types.includes('3front') ? 'government' : (resultForms[group_code] ?? 'three_and_two')
  const names = { product_code, name_th, name_en, group_code, country_code }
  return { ...names, bet_types, result_form, timetable, exchange: null, doubtful_days: [] }
}

/** A stock market with its exchange's hours; opens at about 05:00 in Bangkok. */
function stock(
  product_code: string,
  name_th: string,
  name_en: string,
  country_code: string,
  [exchange_code, exchange_session]: readonly [string, string],
  {
    open,
    close,
    draw,
    days = mondayToFriday,
  }: Pick<Timetable, 'open'> & { close: string; draw: string; days?: Timetable['days'] },
): CatalogueMarket {
  const timetable = { days, open, close: { time: close }, draw: { time: draw } }
  const made = market(product_code, name_th, name_en, 'stock', country_code, timetable)
  return { ...made, exchange: { exchange_code, exchange_session } }
}

export const catalogue: readonly CatalogueMarket[] = [
  {
    ...market(
      'thai-government',
      'หวยรัฐบาลไทย',
      'Thai government',
      'government',
      'th',
      monthly([1, 16], '15:20', '15:40'),
      betTypeCodes,
    ),
    doubtful_days: ['01-01', '01-16', '05-01', '12-30'],
  },
  market('gsb', 'หวยออมสิน', 'GSB', 'government', 'th', monthly([1, 16], '12:20', '12:40')),
  market('baac', 'หวย ธ.ก.ส.', 'BAAC', 'government', 'th', monthly([16], '10:20', '10:40')),
  market('lao-pattana', 'ลาวพัฒนา', 'Lao Pattana', 'lao', 'la', sameDay({ weekdays: [1, 3, 5] }, '20:20', '20:25')),
  // Opens soon after the previous draw, so that at every hour of every day at least one market accepts bets.
  market('lao-vip', 'ลาว VIP', 'Lao VIP', 'lao', 'la', {
    days: 'every_day',
    open: { time: '21:45', day_offset: -1 },
    close: { time: '21:20' },
    draw: { time: '21:30' },
  }),
  market('hanoi-special', 'ฮานอยพิเศษ', 'Hanoi special', 'hanoi', 'vn', sameDay('every_day', '17:10', '17:30')),
  market('hanoi', 'ฮานอยปกติ', 'Hanoi', 'hanoi', 'vn', sameDay('every_day', '18:10', '18:30')),
  market('hanoi-vip', 'ฮานอย VIP', 'Hanoi VIP', 'hanoi', 'vn', sameDay('every_day', '19:10', '19:30')),
  market('malay', 'มาเลย์', 'Malay', 'malay', 'my', sameDay({ weekdays: [3, 6, 7] }, '18:10', '18:30')),
  stock('nikkei-am', 'นิเคอิ รอบเช้า', 'Nikkei morning', 'jp', ['XTKS', 'morning'], {
    open: { time: '07:00' },
    close: '11:05',
    draw: '11:30',
  }),
  stock('nikkei-pm', 'นิเคอิ รอบบ่าย', 'Nikkei afternoon', 'jp', ['XTKS', 'afternoon'], {
    open: { time: '07:00' },
    close: '15:00',
    draw: '15:30',
  }),
  stock('china-am', 'จีน รอบเช้า', 'China morning', 'cn', ['XSHG', 'morning'], {
    open: { time: '06:00' },
    close: '11:05',
    draw: '11:30',
  }),
  stock('china-pm', 'จีน รอบบ่าย', 'China afternoon', 'cn', ['XSHG', 'afternoon'], {
    open: { time: '06:00' },
    close: '14:35',
    draw: '15:00',
  }),
  stock('hang-seng-am', 'ฮั่งเส็ง รอบเช้า', 'Hang Seng morning', 'hk', ['XHKG', 'morning'], {
    open: { time: '06:00' },
    close: '11:35',
    draw: '12:00',
  }),
  stock('hang-seng-pm', 'ฮั่งเส็ง รอบบ่าย', 'Hang Seng afternoon', 'hk', ['XHKG', 'afternoon'], {
    open: { time: '06:00' },
    close: '15:35',
    draw: '16:00',
  }),
  stock('taiwan', 'ไต้หวัน', 'Taiwan', 'tw', ['XTAI', 'regular'], {
    open: { time: '06:00' },
    close: '13:05',
    draw: '13:30',
  }),
  stock('korea', 'เกาหลี', 'Korea', 'kr', ['XKRX', 'regular'], {
    open: { time: '07:00' },
    close: '15:05',
    draw: '15:30',
  }),
  stock('singapore', 'สิงคโปร์', 'Singapore', 'sg', ['XSES', 'day'], {
    open: { time: '06:00' },
    close: '16:50',
    draw: '17:15',
  }),
  stock('thai-evening', 'หุ้นไทยเย็น', 'Thai stock evening', 'th', ['XBKK', 'day'], {
    open: { time: '05:00' },
    close: '16:00',
    draw: '16:30',
  }),
  stock('india', 'อินเดีย', 'India', 'in', ['XBOM', 'regular'], {
    open: { time: '03:30' },
    close: '15:15',
    draw: '15:30',
  }),
  stock('egypt', 'อียิปต์', 'Egypt', 'eg', ['XCAI', 'regular'], {
    open: { time: '00:00' },
    close: '14:00',
    draw: '14:45',
    days: { weekdays: [7, 1, 2, 3, 4] },
  }),
  stock('uk', 'อังกฤษ', 'UK', 'gb', ['XLON', 'regular'], {
    open: { time: '22:00', day_offset: -1 },
    close: '16:00',
    draw: '16:40',
  }),
  stock('germany', 'เยอรมัน', 'Germany', 'de', ['XETR', 'regular'], {
    open: { time: '23:00', day_offset: -1 },
    close: '17:00',
    draw: '17:40',
  }),
  stock('russia', 'รัสเซีย', 'Russia', 'ru', ['XMOS', 'main'], {
    open: { time: '01:00' },
    close: '18:45',
    draw: '19:15',
  }),
  stock('dow', 'ดาวโจนส์', 'Dow Jones', 'us', ['XNYS', 'regular'], {
    open: { time: '17:00', day_offset: -1 },
    close: '15:00',
    draw: '16:10',
  }),
  market('yeekee', 'ยี่กี 15 นาที', 'Yeekee 15 minutes', 'yeekee', 'th', {
    days: 'every_day',
    open: { time: '06:00' },
    close: { time: '06:15' },
    draw: { time: '06:17' },
    rounds: { count: 88, every_minutes: 15 },
  }),
]

interface CatalogueTerms {
  /** Hundredths: 55000 pays 550 times. */
  rate: number
  /** Hundredths of a percent. */
  discount_rate: number
}

export interface CataloguePackage {
  package_code: string
  name: string
  terms: Readonly<Record<BetTypeCode, CatalogueTerms>>
}

const threes = 3_300
const twos = 2_800
const ones = 1_200

export const cataloguePackages: readonly CataloguePackage[] = [
  {
    package_code: '70',
    name: '70',
    terms: {
      '3top': { rate: 55_000, discount_rate: threes },
      '3roll': { rate: 10_500, discount_rate: threes },
      '3front': { rate: 12_500, discount_rate: threes },
      '3bottom': { rate: 12_500, discount_rate: threes },
      '2top': { rate: 7_000, discount_rate: twos },
      '2bottom': { rate: 7_000, discount_rate: twos },
      '2roll': { rate: 1_200, discount_rate: twos },
      '1top': { rate: 300, discount_rate: ones },
      '1bottom': { rate: 400, discount_rate: ones },
    },
  },
  {
    package_code: '90',
    name: '90',
    terms: {
      '3top': { rate: 90_000, discount_rate: 0 },
      '3roll': { rate: 15_000, discount_rate: 0 },
      '3front': { rate: 45_000, discount_rate: 0 },
      '3bottom': { rate: 45_000, discount_rate: 0 },
      '2top': { rate: 9_000, discount_rate: 0 },
      '2bottom': { rate: 9_000, discount_rate: 0 },
      '2roll': { rate: 1_200, discount_rate: 0 },
      '1top': { rate: 320, discount_rate: 0 },
      '1bottom': { rate: 420, discount_rate: 0 },
    },
  },
]

/** Least stake on a number, in satang. */
export const MIN_SATANG = 500

/** Greatest stake on one item, in satang; the limit per number over a period is ten times that. */
export function maxSatangOf(bet_type: BetTypeCode): number {
  return bet_type.startsWith('3') ? 300_000 : 1_000_000
}
