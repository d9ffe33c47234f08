import { acceptLine, discountSatang, getEntryMode, netSatang, numberState, winSatang } from '@megalot/rules'
import type { BetTypeCode, EntryModeCode, JubwinOptionCode, NumberQuota } from '@megalot/rules'

// What the manual's examples begin with. What comes of it is computed by the rules themselves each time a page is shown, so
// that the manual cannot say anything else than the product does.

const BAHT = 100

interface RateExample {
  bet_type: BetTypeCode
  bet_satang: number
  rate: number
  discount_rate: number
}

const rateInputs: readonly RateExample[] = [
  { bet_type: '3top', bet_satang: 100 * BAHT, rate: 550_00, discount_rate: 33_00 },
  { bet_type: '2bottom', bet_satang: 100 * BAHT, rate: 70_00, discount_rate: 28_00 },
  { bet_type: '1top', bet_satang: 50 * BAHT, rate: 3_20, discount_rate: 0 },
]

export function listRateExamples() {
  return rateInputs.map((input) => ({
    ...input,
    discount_satang: discountSatang(input.bet_satang, input.discount_rate),
    net_satang: netSatang(input.bet_satang, input.discount_rate),
    win_satang: winSatang(input.bet_satang, input.rate),
  }))
}

const quotaOf = (accepted: number, set_to: NumberQuota['set_to'] = 'open'): NumberQuota => ({
  full_satang: 1_000 * BAHT,
  half_satang: 500 * BAHT,
  accepted_satang: accepted * BAHT,
  set_to,
})

/** The same bet on a number that is free, nearly full, full, and closed. */
const quotaInputs = [
  { name: 'free', quota: quotaOf(0) },
  { name: 'nearly_full', quota: quotaOf(940) },
  { name: 'full', quota: quotaOf(1_000) },
  { name: 'closed', quota: quotaOf(0, 'closed') },
] as const

export function listQuotaExamples() {
  const line = { bet_satang: 100 * BAHT, rate: 70_00, seen_rate: 70_00 }
  return quotaInputs.map(({ name, quota }) => {
    const accepted = acceptLine(line, quota)
    return {
      name,
      bet_satang: line.bet_satang,
      state: numberState(quota),
      ...accepted,
      win_satang: winSatang(accepted.received_satang, accepted.rate),
    }
  })
}

/** What a reader types into each entry mode. */
export const sampleInputs: Readonly<Record<EntryModeCode, string>> = {
  six_doors: '123',
  nineteen_doors: '5',
  fix_front: '5',
  fix_back: '5',
  double: '',
  triple: '',
  siblings: '',
  low: '',
  high: '',
  odd: '',
  even: '',
  jubwin_2d: '123',
  jubwin_3d: '123',
  jubwin_3d_two_tails: '123',
}

export const jubwinMode = getEntryMode('jubwin_3d')
export const jubwinExamples: readonly { options: readonly JubwinOptionCode[] }[] = [
  { options: [] },
  { options: ['double'] },
  { options: ['double', 'no_front_double'] },
  { options: ['double', 'no_split'] },
  { options: ['double', 'no_back_double'] },
  { options: ['roll'] },
  { options: ['roll', 'double'] },
]

/** Lines for the import, each with what it shows. */
export const importSamples = [
  { name: 'columns', text: '12=50*50' },
  { name: 'blank', text: '123 100 0 100' },
  { name: 'run', text: '7=100' },
  { name: 'table', text: '12\t-\t50' },
  { name: 'thai', text: '๔๕=๒๐' },
  { name: 'nineteen', text: 'x5=20*20' },
  { name: 'six', text: 'x123 10' },
  { name: 'ends', text: '(12)=50*50*' },
  { name: 'letters', text: 'สมชาย 12=50' },
  { name: 'decimals', text: '12=10.50' },
  { name: 'thousands', text: '12=1,000' },
  { name: 'doors', text: 'x12 10' },
  { name: 'x_between', text: '123x10x10' },
  { name: 'too_many', text: '12=50*50*5*5*9' },
] as const
