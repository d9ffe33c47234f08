import { entryModes, expandEntry, jubwinOptions } from '@megalot/rules'
import { useLocale, useTranslations } from 'use-intl'
import { localizedName } from '../../lib/i18n/localized-name.ts'
import { formatCount } from '../../lib/format/money.ts'
import tables from '../../ui/table.module.css'
import classes from './manual-page.module.css'
import { NumberChips } from './number-chips.tsx'
import { jubwinExamples, jubwinMode, sampleInputs } from './worked-examples.ts'

const SHOWN = 6

/** The short ways to write many numbers, each with what it makes of a sample. */
export function EntryModesTable() {
  const t = useTranslations('manual.modes')
  const language = useLocale()
  return (
    <>
      <p className={classes.sample}>{t('text')}</p>
      <div className={tables.card}>
        <table className={tables.table}>
          <Head />
          <tbody>
            {entryModes.map((mode) => {
              const input = sampleInputs[mode.code]
              const numbers = expandEntry(mode, input)
              return (
                <tr key={mode.code}>
                  <th scope="row" className={classes.name}>
                    {localizedName(mode, language)}
                  </th>
                  <td>{input === '' ? '–' : <span className={classes.number}>{input}</span>}</td>
                  <td className={tables.figure}>{formatCount(numbers.length)}</td>
                  <td className={classes.made}>
                    <NumberChips numbers={numbers} most={SHOWN} />
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </>
  )
}

/** What the options of jubwin add and drop, by the same three digits. */
export function JubwinTable() {
  const t = useTranslations('manual.jubwin')
  const language = useLocale()
  const input = sampleInputs[jubwinMode.code]
  return (
    <>
      <p className={classes.sample}>{t('text', { digits: input })}</p>
      <div className={tables.card}>
        <table className={tables.table}>
          <Head hasInput={false} />
          <tbody>
            {jubwinExamples.map(({ options }) => {
              const numbers = expandEntry(jubwinMode, input, Object.fromEntries(options.map((code) => [code, true])))
              const names = options.map((code) => {
                const option = jubwinOptions.find((one) => one.code === code)
                return option === undefined ? code : localizedName(option, language)
              })
              return (
                <tr key={options.join(' ')}>
                  <th scope="row" className={classes.name}>
                    {names.length === 0 ? t('plain') : names.join(' · ')}
                  </th>
                  <td className={tables.figure}>{formatCount(numbers.length)}</td>
                  <td className={classes.made}>
                    <NumberChips numbers={numbers} most={SHOWN} />
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </>
  )
}

function Head({ hasInput = true }: { hasInput?: boolean }) {
  const t = useTranslations('manual.modes')
  return (
    <thead>
      <tr>
        <th scope="col">{t(hasInput ? 'mode' : 'options')}</th>
        {hasInput && <th scope="col">{t('typed')}</th>}
        <th scope="col" className={tables.figure}>
          {t('count')}
        </th>
        <th scope="col" className={classes.made}>
          {t('numbers')}
        </th>
      </tr>
    </thead>
  )
}
