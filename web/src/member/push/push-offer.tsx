import IconBell from '~icons/bell'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../../ui/button.tsx'
import { usePush } from './use-push.ts'

/**
 * Offers pushes beside a ticket that waits for its result. Shows nothing where they are on, forbidden or unknown. Once
 * pressed its place stays, so that no other button moves under the finger.
 */
export function PushOffer() {
  const t = useTranslations('push')
  const { state, isBusy, turn } = usePush()
  const isOffered = state === 'unasked' || state === 'off'
  const [wasOffered] = useState(isOffered)
  if (!wasOffered) return null
  return (
    <Button
      variant="subtle"
      isWide
      style={{ gridColumn: '1 / -1', visibility: isOffered ? 'visible' : 'hidden' }}
      icon={<IconBell size={18} stroke={1.75} />}
      isBusy={isBusy}
      onClick={() => void turn(true)}
    >
      {t('offer')}
    </Button>
  )
}
