import type { Person } from '@megalot/contract'
import IconBan from '~icons/ban'
import IconCircleCheck from '~icons/circle-check'
import IconPlayerPause from '~icons/player-pause'
import { useTranslations } from 'use-intl'
import { Row } from '../../ui/layout.tsx'

const icons = { NORMAL: IconCircleCheck, SUSPENDED: IconBan, DISABLED_BET: IconPlayerPause } as const
const tones = { NORMAL: 'good', SUSPENDED: 'bad', DISABLED_BET: 'warn' } as const

/** The status of a user in a list. */
export function StatusText({ status }: { status: Person['status'] }) {
  const ofUser = useTranslations('user')
  const Icon = icons[status]
  return (
    <Row as="span" inline nowrap gap={8} align="center" tone={tones[status]}>
      <Icon size={16} stroke={2} aria-hidden="true" />
      {ofUser(`status.${status}`)}
    </Row>
  )
}
