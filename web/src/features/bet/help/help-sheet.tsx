import { useTranslations } from 'use-intl'
import { keyBindings } from '../keys/key-bindings.ts'
import type { KeyScope } from '../keys/key-bindings.ts'
import classes from './help-sheet.module.css'

const bindingsOf = (scope: KeyScope) => keyBindings.filter((binding) => binding.scope === scope)

/** The keys of the page, each with what it does. */
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
            {bindingsOf(group).map(({ shown, action }) => (
              <div key={action}>
                <dt>
                  {shown.map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{t(`key.${action}`)}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <p className={classes.note}>{t('note')}</p>
    </div>
  )
}
