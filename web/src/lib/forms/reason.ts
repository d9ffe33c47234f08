import { MIN_REASON_LENGTH } from '@megalot/contract/browser'
import { useTranslations } from 'use-intl'

/** Checks a typed reason. Surrounding spaces do not count. @returns the words for one that is too short, or null */
export function useReasonCheck(): (reason: string) => string | null {
  const t = useTranslations('common.reason')
  return (reason) =>
    reason.trim().length < MIN_REASON_LENGTH ? t('too_short', { least: String(MIN_REASON_LENGTH) }) : null
}
