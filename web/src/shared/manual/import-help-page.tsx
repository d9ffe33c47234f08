import { betTypeCodes, readImportText } from '@megalot/rules'
import { Link } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { Heading } from '../../ui/layout.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import tables from '../../ui/table.module.css'
import { WideTable } from '../../ui/wide-table.tsx'
import { ImportTry } from './import-try.tsx'
import { ItemChips } from './item-chips.tsx'
import classes from './manual-page.module.css'
import { importSamples } from './worked-examples.ts'

const RULES = ['number', 'separator', 'columns', 'blank', 'doors', 'letters', 'amount', 'one_bet', 'preview'] as const
const SHOWN = 6

/** How text becomes a slip, shown by lines that the product reads here and now, and a box to try one's own. */
export function ImportHelpPage() {
  const t = useTranslations('manual.import')
  return (
    <>
      <PageTitle title={t('title')} />
      <div className={classes.columns}>
        <section className={classes.wide} aria-labelledby="import-try">
          <Heading id="import-try" below={6}>
            {t('try.title')}
          </Heading>
          <ImportTry />
        </section>
        <section className={`${classes.card} ${classes.wide}`} aria-labelledby="import-rules">
          <Heading id="import-rules" below={6}>
            {t('rules.title')}
          </Heading>
          <ul className={classes.list}>
            {RULES.map((rule) => (
              <li key={rule}>{t(`rules.${rule}`)}</li>
            ))}
          </ul>
        </section>
        <section className={classes.wide} aria-labelledby="import-samples">
          <Heading id="import-samples" below={6}>
            {t('samples.title')}
          </Heading>
          <WideTable label={t('samples.title')} isCard>
            <table className={tables.table}>
              <thead>
                <tr>
                  <th scope="col">{t('samples.line')}</th>
                  <th scope="col">{t('samples.read_as')}</th>
                </tr>
              </thead>
              <tbody>
                {importSamples.map(({ name, text }) => (
                  <Sample key={name} name={name} text={text} />
                ))}
              </tbody>
            </table>
          </WideTable>
          <p>
            <Link to="/manual" className={classes.link}>
              {t('back')}
            </Link>
          </p>
        </section>
      </div>
    </>
  )
}

function Sample({ name, text }: Pick<(typeof importSamples)[number], 'name' | 'text'>) {
  const t = useTranslations('manual.import')
  const { items, errors, dropped } = readImportText(text, { offered: betTypeCodes })
  const [error] = errors
  return (
    <tr>
      <th scope="row" className={classes.type}>
        <code className={classes.code}>{text.replaceAll('\t', ' [Tab] ')}</code>
        <span className={classes.rule}>{t(`samples.what.${name}`)}</span>
      </th>
      <td>
        <ItemChips items={items} most={SHOWN} />
        {error !== undefined && (
          <span className={classes.wrong}>
            {t('wrong')}: {t(`reason.${error.code}`)}
          </span>
        )}
        {dropped.length > 0 && <span className={classes.wrong}>{t('letters')}</span>}
      </td>
    </tr>
  )
}
