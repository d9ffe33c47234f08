import IconDownload from '~icons/download'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { InfiniteScroll } from '../../ui/infinite-scroll.tsx'
import { LanguageSwitch } from '../../ui/language-switch.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { RefreshButton } from '../../ui/refresh-button.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { ThemeSwitch } from '../../ui/theme-switch.tsx'
import classes from '../gallery.module.css'
import { useSay } from '../sample.ts'
import type { Sample } from '../sample.ts'

const variants = ['filled', 'light', 'default', 'subtle'] as const
const ignore = (): void => {}

function ButtonRow(props: { tone?: 'plain' | 'bad'; size?: 'md' | 'lg'; isBusy?: boolean; disabled?: boolean }) {
  const say = useSay()
  return (
    <div className={classes.row}>
      {variants.map((variant) => (
        <Button key={variant} variant={variant} {...props}>
          {say('ส่งโพย', 'Submit')}
        </Button>
      ))}
    </div>
  )
}

function Buttons({ isWide = false }: { isWide?: boolean }) {
  const say = useSay()
  return (
    <Button icon={<IconDownload size={18} stroke={1.75} />} variant="default" isWide={isWide}>
      {say('ดาวน์โหลดไฟล์', 'Download file')}
    </Button>
  )
}

function TickBox({ isDisabled = false, starts = false }: { isDisabled?: boolean; starts?: boolean }) {
  const say = useSay()
  const [isChecked, setIsChecked] = useState(starts)
  return (
    <Checkbox
      label={say('จำผู้ใช้ไว้ในเครื่องนี้', 'Remember me on this device')}
      isChecked={isChecked}
      isDisabled={isDisabled}
      onChange={setIsChecked}
    />
  )
}

function Segments({ fill = false, starts = 'day' }: { fill?: boolean; starts?: 'day' | 'week' | null }) {
  const say = useSay()
  const [value, setValue] = useState<'day' | 'week' | 'month' | null>(starts)
  return (
    <SegmentedControl
      label={say('ช่วงเวลา', 'Range')}
      value={value}
      choices={[
        { value: 'day', label: say('วันนี้', 'Today') },
        { value: 'week', label: say('สัปดาห์นี้', 'This week') },
        { value: 'month', label: say('เดือนนี้', 'This month') },
      ]}
      onChange={setValue}
      fill={fill}
    />
  )
}

function Themes() {
  const [choice, setChoice] = useState<'auto' | 'light' | 'dark'>('auto')
  return <ThemeSwitch choice={choice} onChoose={setChoice} />
}

export const samples: readonly Sample[] = [
  {
    part: 'button',
    states: {
      plain: () => <ButtonRow />,
      large: () => <ButtonRow size="lg" />,
      'cannot be taken back': () => <ButtonRow tone="bad" />,
      busy: () => <ButtonRow isBusy />,
      disabled: () => <ButtonRow disabled />,
      'with an icon': () => <Buttons />,
      wide: () => <Buttons isWide />,
    },
  },
  {
    part: 'checkbox',
    states: {
      empty: () => <TickBox />,
      checked: () => <TickBox starts />,
      disabled: () => <TickBox isDisabled starts />,
    },
  },
  {
    part: 'infinite-scroll',
    states: {
      paused: () => <InfiniteScroll hasMore isBusy={false} isPaused onMore={ignore} />,
      busy: () => <InfiniteScroll hasMore isBusy isPaused onMore={ignore} />,
      end: () => <InfiniteScroll hasMore={false} isBusy={false} isPaused onMore={ignore} />,
    },
  },
  { part: 'language-switch', states: { plain: () => <LanguageSwitch onSwitch={ignore} /> } },
  {
    part: 'load-more',
    states: {
      plain: () => <LoadMore hasMore isBusy={false} onMore={ignore} />,
      busy: () => <LoadMore hasMore isBusy onMore={ignore} />,
      end: () => <LoadMore hasMore={false} isBusy={false} onMore={ignore} />,
    },
  },
  {
    part: 'refresh-button',
    states: {
      plain: () => <RefreshButton isBusy={false} onRefresh={ignore} />,
      busy: () => <RefreshButton isBusy onRefresh={ignore} />,
    },
  },
  {
    part: 'segmented-control',
    states: {
      plain: () => <Segments />,
      'nothing chosen': () => <Segments starts={null} />,
      'fills its line': () => <Segments fill starts="week" />,
    },
  },
  { part: 'theme-switch', states: { plain: () => <Themes /> } },
]
