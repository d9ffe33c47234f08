import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useTranslations } from 'use-intl'
import { loadArea } from '../../../lib/i18n/language-store.ts'
import { Button } from '../../../ui/button.tsx'
import type { Direction } from './payment-sheet.tsx'
import { edgeQuery } from './queries.ts'

const PaymentSheet = lazy(async () => {
  const [module] = await Promise.all([import('./payment-sheet.tsx'), loadArea('money')])
  return { default: module.PaymentSheet }
})

interface ProfilePaymentProps {
  user_id: number
  /** Opens the form. */
  direction: Direction | undefined
  onDirection: (direction: Direction | undefined) => void
}

/** The button of a profile that receives from a child or pays it, and its form. */
export function ProfilePayment({ user_id, direction, onDirection }: ProfilePaymentProps) {
  const t = useTranslations('sheet.pay')
  const { data: edge } = useQuery(edgeQuery(user_id))
  const usual = (edge?.balance_satang ?? 0) < 0 ? 'pay' : 'receive'
  return (
    <>
      {edge?.can_record === true && <Button onClick={() => onDirection(usual)}>{t(usual)}</Button>}
      {direction !== undefined && (
        <Suspense>
          <PaymentSheet user_id={user_id} direction={direction} onClose={() => onDirection(undefined)} />
        </Suspense>
      )}
    </>
  )
}
