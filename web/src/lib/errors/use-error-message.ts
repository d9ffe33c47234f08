import { useTranslations } from 'use-intl'
import { toRefusal } from './refusal.ts'

/** The sentence for anything a call threw: the server's own, or ours where nothing came back. */
export function useErrorMessage(): (error: unknown) => string {
  const t = useTranslations('common.failure')
  return (error) => {
    const refusal = toRefusal(error)
    return refusal.code === 'no_reply' || refusal.message === '' ? t('no_reply') : refusal.message
  }
}
