import { useTranslations } from 'use-intl'
import classes from './help-sheet.module.css'

/** The keys of the page, each with what it does. Names of keys are the same in both languages. */
const groups = {
  page: [
    [['?'], 'help'],
    [['Ctrl', 'Enter'], 'send'],
    [['Ctrl', 'Z'], 'undo'],
    [['Alt', 'I'], 'import'],
    [['Alt', 'S'], 'style'],
    [['Alt', 'N'], 'first_cell'],
    [['Esc'], 'close'],
  ],
  grid: [
    [['Enter'], 'next'],
    [['Shift', 'Enter'], 'previous'],
    [['←', '↑', '↓', '→'], 'move'],
    [['Ctrl', 'V'], 'paste'],
    [['Alt', 'R'], 'reverse'],
    [['Ctrl', 'Delete'], 'remove'],
  ],
} as const

export function HelpSheet() {
  const t = useTranslations('entry.help')
  return (
    <div className={classes.help}>
      {(['page', 'grid'] as const).map((group) => (
        <section key={group} aria-labelledby={`keys-${group}`}>
          <h3 id={`keys-${group}`} className={classes.title}>
            {t(`group.${group}`)}
          </h3>
          <dl className={classes.keys}>
            {groups[group].map(([keys, what]) => (
              <div key={what}>
                <dt>
                  {keys.map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{t(`key.${what}`)}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <p className={classes.note}>{t('note')}</p>
    </div>
  )
}
