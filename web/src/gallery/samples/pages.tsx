import { useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { Card, Facts, Grid, Heading, Hint, Intro, Links, Row, Stack, Text } from '../../ui/layout.tsx'
import { LazyBlock } from '../../ui/lazy-block.tsx'
import { PageTabs } from '../../ui/page-tabs.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import tables from '../../ui/table.module.css'
import { VirtualTable } from '../../ui/virtual-table.tsx'
import { WideTable } from '../../ui/wide-table.tsx'
import classes from '../gallery.module.css'
import { useSay } from '../sample.ts'
import type { Sample } from '../sample.ts'

const rows = Array.from({ length: 12 }, (_, index) => ({ id: index + 1, count: 3 * index + 1, amount: 1_250 * index }))
const format = new Intl.NumberFormat('en', { minimumFractionDigits: 2 })

function Tabs() {
  const say = useSay()
  return (
    <PageTabs
      label={say('รายงาน', 'Reports')}
      tabs={[
        { to: '/reports', word: say('ได้เสีย', 'Win and loss') },
        { to: '/reports/balance', word: say('ยอดเงิน', 'Balance') },
        { to: '/reports/summary', word: say('สรุป', 'Summary') },
      ]}
    />
  )
}

function Title({ hasControls = false }: { hasControls?: boolean }) {
  const say = useSay()
  return (
    <PageTitle title={say('บิล', 'Bills')}>
      {hasControls && <Button variant="default">{say('รีเฟรช', 'Refresh')}</Button>}
    </PageTitle>
  )
}

function Boxes() {
  const say = useSay()
  return (
    <Stack gap={12}>
      <Heading>{say('งวดวันที่ 1', 'Round of the 1st')}</Heading>
      <Intro>{say('ปิดรับก่อนออกผล 30 นาที', 'Closes 30 minutes before the draw')}</Intro>
      <Row gap={8} align="center">
        <Button>{say('บันทึก', 'Save')}</Button>
        <Text as="span" tone="good" strong>
          {say('เปิดรับ', 'Open')}
        </Text>
      </Row>
      <Grid least={120} gap={8}>
        {rows.slice(0, 3).map(({ id, amount }) => (
          <Card key={id} pad={8}>
            {format.format(amount)}
          </Card>
        ))}
      </Grid>
      <Card pad={12} gap={8}>
        <Facts
          facts={[
            [say('ยอดแทง', 'Stake'), format.format(1_250)],
            [say('ถูกรางวัล', 'Won'), format.format(0)],
          ]}
        />
        <Hint>{say('ยอดก่อนหักส่วนลด', 'Before discount')}</Hint>
      </Card>
      <Links>
        <a href="#rounds">{say('งวดทั้งหมด', 'All rounds')}</a>
        <a href="#bills">{say('บิล', 'Tickets')}</a>
      </Links>
    </Stack>
  )
}

function Blocks() {
  const root = useRef<HTMLElement>(null)
  return (
    // Only what takes the focus can be scrolled without a pointer.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section ref={root} className={classes.scroll} tabIndex={0} aria-label="1–60">
      {[1, 21, 41].map((first) => (
        <LazyBlock key={first} root={root} isShown={first === 1} heightPx={520}>
          {() => Array.from({ length: 20 }, (_, index) => <p key={index}>{first + index}</p>)}
        </LazyBlock>
      ))}
    </section>
  )
}

function Table({ hasTotals = false }: { hasTotals?: boolean }) {
  const say = useSay()
  const totals = { name: say('รวม', 'Total'), count: 210, amount: '82,500.00' }
  return (
    <VirtualTable
      label={say('ได้เสียตามงวด', 'Win and loss by period')}
      columns={[
        { name: 'name', label: say('งวด', 'Period') },
        { name: 'count', label: say('จำนวนบิล', 'Tickets'), isFigure: true },
        { name: 'amount', label: say('ยอดแทง', 'Bets'), isFigure: true },
      ]}
      rows={rows}
      keyOf={({ id }) => id}
      className={classes.columns}
      rowPx={44}
      cellsOf={({ id, count, amount }) => ({
        name: say(`งวดที่ ${id}`, `Period ${id}`),
        count,
        amount: format.format(amount),
      })}
      {...(hasTotals ? { totals } : {})}
    />
  )
}

function Wide({ isCard = false }: { isCard?: boolean }) {
  const say = useSay()
  const columns = Array.from({ length: 14 }, (_, index) => index + 1)
  return (
    <WideTable label={say('ยอดรายวัน', 'Sums by day')} isCard={isCard}>
      <table className={tables.table}>
        <thead>
          <tr>
            <th scope="col">{say('วัน', 'Day')}</th>
            {columns.map((day) => (
              <th key={day} scope="col" className={tables.figure}>
                {day}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">{say('ยอดแทง', 'Bets')}</th>
            {columns.map((day) => (
              <td key={day} className={tables.figure}>
                {format.format(day * 1_000)}
              </td>
            ))}
          </tr>
        </tbody>
      </table>
    </WideTable>
  )
}

export const samples: readonly Sample[] = [
  { part: 'layout', states: { 'a card with its boxes': Boxes } },
  { part: 'lazy-block', states: { 'three blocks': Blocks } },
  { part: 'page-tabs', states: { plain: Tabs } },
  { part: 'page-title', states: { plain: () => <Title />, 'with controls': () => <Title hasControls /> } },
  {
    part: 'virtual-table',
    states: { plain: () => <Table />, 'with totals': () => <Table hasTotals /> },
  },
  { part: 'wide-table', states: { plain: () => <Wide />, card: () => <Wide isCard /> } },
]
