import IconBell from '~icons/bell'
import { useTranslations } from 'use-intl'
import { Button } from '../../ui/button.tsx'
import { usePush } from './use-push.ts'

/** Offers pushes beside a ticket that waits for its result. Shows nothing where they are on, forbidden or unknown. */
export function PushOffer({ isWide = false }: { isWide?: boolean }) {
  const t = useTranslations('push')
  const { state, isBusy, turn } = usePush()
  if (state !== 'off') return null
  return (
    <Button
      variant="subtle"
      isWide={isWide}
      icon={<IconBell size={18} stroke={1.75} />}
      isBusy={isBusy}
      onClick={() => void turn(true)}
    >
      {t('offer')}
    </Button>
  )
}
