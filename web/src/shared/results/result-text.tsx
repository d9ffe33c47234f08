import type { Award } from '@megalot/contract'
import { useTranslations } from 'use-intl'
import { DemoMark } from '../../ui/demo-mark.tsx'
import { Text } from '../../ui/layout.tsx'

/** Says that a result was corrected, with the earlier result. */
export function CorrectedFrom({ award: { corrected_from } }: { award: Award }) {
  const t = useTranslations('awards')
  if (corrected_from === null) return null
  const { first_prize, top3, bottom2 } = corrected_from
  return (
    <Text size="small" tone="warn">
      {t('corrected_from', { top: first_prize ?? top3, bottom: bottom2 })}
    </Text>
  )
}

/** Says that a result was generated for the demo and is not from a real draw. */
export function DemoResult({ award: { is_demo } }: { award: Award }) {
  const t = useTranslations('awards')
  if (!is_demo) return null
  return (
    <p>
      <DemoMark label={t('demo_result')} hint={t('demo_result_hint')} />
    </p>
  )
}
