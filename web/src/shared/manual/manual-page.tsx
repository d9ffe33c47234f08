import { betTypes, entryModes } from '@megalot/rules'
import { Link } from '@tanstack/react-router'
import { useLocale, useTranslations } from 'use-intl'
import { localizedName } from '../../lib/i18n/localized-name.ts'
import { AppVersion } from '../../ui/app-version.tsx'
import { BetTypesTable } from './bet-types-table.tsx'
import { EntryModesTable, JubwinTable } from './entry-modes-table.tsx'
import { Manual } from './manual.tsx'
import { QuotaExamples, RateExamples } from './money-examples.tsx'

const HOW_TO = ['choose', 'rate', 'numbers', 'send', 'confirm', 'cancel', 'result'] as const
const MONEY = ['bills', 'share', 'win_loss', 'balance', 'summary', 'awards', 'news'] as const
const KEYS = [
  { name: 'next', keys: ['Enter'] },
  { name: 'back', keys: ['Shift+Enter'] },
  { name: 'move', keys: ['arrows'] },
  { name: 'paste', keys: ['Ctrl+V'] },
  { name: 'reverse', keys: ['Alt+R'] },
  { name: 'remove', keys: ['Ctrl+Delete'] },
  { name: 'first', keys: ['Alt+N'] },
  { name: 'import', keys: ['Alt+I'] },
  { name: 'style', keys: ['Alt+S'] },
  { name: 'undo', keys: ['Ctrl+Z'] },
  { name: 'send', keys: ['Ctrl+Enter'] },
  { name: 'help', keys: ['?'] },
  { name: 'close', keys: ['Esc'] },
] as const

/** A device that is only touched has no use for the keys. */
const hasKeyboard = (): boolean => matchMedia('(any-pointer: fine)').matches

/** The manual for members. */
export function ManualPage() {
  const t = useTranslations('manual')
  const language = useLocale()
  return (
    <>
      <Manual
        title={t('title')}
        parts={[
          {
            name: 'how-to-bet',
            title: t('how_to.title'),
            layout: 'card',
            steps: HOW_TO.map((step) => t(`how_to.${step}`)),
          },
          { name: 'money', title: t('money.title'), layout: 'card', facts: MONEY.map((part) => t(`money.${part}`)) },
          ...(hasKeyboard()
            ? [
                {
                  name: 'keys',
                  title: t('keys.title'),
                  layout: 'card',
                  keys: KEYS.map(({ name, keys }) => ({
                    keys: keys.map((key) => (key === 'arrows' ? t('keys.arrows') : key)),
                    does: t(`keys.${name}`),
                  })),
                } as const,
              ]
            : []),
          {
            name: 'import',
            title: t('import.title'),
            layout: 'card',
            words: [t('import.teaser')],
            content: (
              <>
                <p>{t('import.teaser')}</p>
                <Link to="/manual/import">{t('import.link')}</Link>
              </>
            ),
          },
          {
            name: 'rates',
            title: t('rates.title'),
            layout: 'wide',
            words: [t('rates.text'), t('rates.discount')],
            content: <RateExamples />,
          },
          {
            name: 'quota',
            title: t('quota.title'),
            layout: 'wide',
            words: [t('quota.text')],
            content: <QuotaExamples />,
          },
          {
            name: 'bet-types',
            title: t('types.title'),
            layout: 'wide',
            words: betTypes.flatMap((type) => [localizedName(type, language), t(`types.rule.${type.code}`)]),
            content: <BetTypesTable />,
          },
          {
            name: 'entry-modes',
            title: t('modes.title'),
            layout: 'wide',
            words: [t('modes.text'), ...entryModes.map((mode) => localizedName(mode, language))],
            content: <EntryModesTable />,
          },
          { name: 'jubwin', title: t('jubwin.title'), layout: 'wide', content: <JubwinTable /> },
        ]}
      />
      <AppVersion />
    </>
  )
}
