import type { OrderItemStatus } from '@megalot/contract'
import { useState } from 'react'
import { AppVersion } from '../../ui/app-version.tsx'
import { Countdown } from '../../ui/countdown.tsx'
import { DemoMark } from '../../ui/demo-mark.tsx'
import { Flag } from '../../ui/flag.tsx'
import { Logo } from '../../ui/logo.tsx'
import { ItemStatusChip, OrderStatusChip } from '../../ui/order-status-chip.tsx'
import type { ShownStatus } from '../../ui/order-status-chip.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import classes from '../gallery.module.css'
import { useSay } from '../sample.ts'
import type { Sample } from '../sample.ts'

const SECOND_MS = 1_000
const HOUR_MS = 3_600 * SECOND_MS

const countries = 'th la vn my jp cn hk tw kr sg in eg gb de ru us xx'.split(' ')

const statuses: readonly ShownStatus[] = [
  'CREATED',
  'VALIDATED',
  'PROCESSING',
  'WAIT_CONFIRM',
  'CONFIRMED',
  'INVALID',
  'CANCELLED',
  'DELETED',
  'REFUNDED',
]

const itemStatuses: readonly OrderItemStatus[] = [
  'wait_confirm',
  'awaiting_result',
  'won',
  'lost',
  'returned',
  'closed',
  'refunded',
]

function TimeLeft({ ms }: { ms: number }) {
  const [until_ms] = useState(() => Date.now() + ms)
  return <Countdown until_ms={until_ms} />
}

function Demo() {
  const say = useSay()
  return <DemoMark label={say('ตัวอย่าง', 'demo')} hint={say('ผลนี้สร้างขึ้นเพื่อสาธิต', 'This result was generated')} />
}

export const samples: readonly Sample[] = [
  { part: 'app-version', states: { plain: () => <AppVersion /> } },
  {
    part: 'countdown',
    states: {
      days: () => <TimeLeft ms={50 * HOUR_MS} />,
      calm: () => <TimeLeft ms={3 * HOUR_MS} />,
      soon: () => <TimeLeft ms={HOUR_MS / 10} />,
      'very soon': () => <TimeLeft ms={50 * SECOND_MS} />,
      over: () => <TimeLeft ms={0} />,
    },
  },
  { part: 'demo-mark', states: { plain: Demo } },
  {
    part: 'flag',
    states: {
      'all countries': () => (
        <div className={classes.row}>
          {countries.map((country_code) => (
            <Flag key={country_code} country_code={country_code} />
          ))}
        </div>
      ),
      small: () => <Flag country_code="th" width={21} />,
    },
  },
  { part: 'logo', states: { small: () => <Logo size={24} />, large: () => <Logo size={56} /> } },
  {
    part: 'order-status-chip',
    states: {
      tickets: () => (
        <div className={classes.row}>
          {statuses.map((status) => (
            <OrderStatusChip key={status} status={status} />
          ))}
        </div>
      ),
      items: () => (
        <div className={classes.row}>
          {itemStatuses.map((status) => (
            <ItemStatusChip key={status} status={status} />
          ))}
        </div>
      ),
    },
  },
  {
    part: 'qr-code',
    states: {
      plain: () => (
        <QrCode text="https://megalot.example/auth/register?code=AB12CD" label="QR" className={classes.qr} />
      ),
    },
  },
]
