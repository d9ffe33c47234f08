// All markets, and the terms of the packages "70" and "90". A new market is appended: `markets-seed` adds what a database lacks, and the
// index is its position in lists. What a database already has is changed by a migration.

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
  timetable: Timetable
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
  return { product_code, name_th, name_en, group_code, country_code, bet_types, result_form, timetable }
}

export const catalogue: readonly CatalogueMarket[] = [
  market(
    'thai-government',
    'หวยรัฐบาลไทย',
    'Thai government',
    'government',
    'th',
    monthly([1, 16], '15:20', '15:40'),
    betTypeCodes,
  ),
  market('gsb', 'หวยออมสิน', 'GSB', 'government', 'th', monthly([1, 16], '12:20', '12:40')),
  market('baac', 'หวย ธ.ก.ส.', 'BAAC', 'government', 'th', monthly([16], '10:20', '10:40')),
  market('lao-pattana', 'ลาวพัฒนา', 'Lao Pattana', 'lao', 'la', sameDay({ weekdays: [1, 3, 5] }, '20:20', '20:25')),
  // It opens soon after the previous draw: at every hour of every day at least one market accepts bets.
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
  market('nikkei-am', 'นิเคอิ รอบเช้า', 'Nikkei morning', 'stock', 'jp', sameDay(mondayToFriday, '09:05', '09:30')),
  market('nikkei-pm', 'นิเคอิ รอบบ่าย', 'Nikkei afternoon', 'stock', 'jp', sameDay(mondayToFriday, '13:00', '13:30')),
  market('china-am', 'จีน รอบเช้า', 'China morning', 'stock', 'cn', sameDay(mondayToFriday, '10:05', '10:30')),
  market('china-pm', 'จีน รอบบ่าย', 'China afternoon', 'stock', 'cn', sameDay(mondayToFriday, '13:35', '14:00')),
  market('hang-seng-am', 'ฮั่งเส็ง รอบเช้า', 'Hang Seng morning', 'stock', 'hk', sameDay(mondayToFriday, '10:35', '11:00')),
  market(
    'hang-seng-pm',
    'ฮั่งเส็ง รอบบ่าย',
    'Hang Seng afternoon',
    'stock',
    'hk',
    sameDay(mondayToFriday, '14:35', '15:00'),
  ),
  market('taiwan', 'ไต้หวัน', 'Taiwan', 'stock', 'tw', sameDay(mondayToFriday, '12:05', '12:30')),
  market('korea', 'เกาหลี', 'Korea', 'stock', 'kr', sameDay(mondayToFriday, '13:05', '13:30')),
  market('singapore', 'สิงคโปร์', 'Singapore', 'stock', 'sg', sameDay(mondayToFriday, '15:50', '16:15')),
  market('thai-evening', 'หุ้นไทยเย็น', 'Thai stock evening', 'stock', 'th', sameDay(mondayToFriday, '16:00', '16:30')),
  market('india', 'อินเดีย', 'India', 'stock', 'in', sameDay(mondayToFriday, '16:45', '17:00')),
  // Before the exchange closes in Cairo, and the next in London, also in their summer time.
  market('egypt', 'อียิปต์', 'Egypt', 'stock', 'eg', sameDay({ weekdays: [7, 1, 2, 3, 4] }, '18:20', '19:00')),
  market('uk', 'อังกฤษ', 'UK', 'stock', 'gb', sameDay(mondayToFriday, '22:30', '23:00')),
  market('germany', 'เยอรมัน', 'Germany', 'stock', 'de', sameDay(mondayToFriday, '22:30', '23:00')),
  market('russia', 'รัสเซีย', 'Russia', 'stock', 'ru', sameDay(mondayToFriday, '22:45', '23:15')),
  market('dow', 'ดาวโจนส์', 'Dow Jones', 'stock', 'us', {
    days: mondayToFriday,
    open: { time: '05:00' },
    close: { time: '02:00', day_offset: 1 },
    draw: { time: '03:10', day_offset: 1 },
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

/** Greatest stake on one line, in satang; the limit per number over a period is ten times that. */
export function maxSatangOf(bet_type: BetTypeCode): number {
  return bet_type.startsWith('3') ? 300_000 : 1_000_000
}
