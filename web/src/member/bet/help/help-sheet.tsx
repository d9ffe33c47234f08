import IconArrowDown from '~icons/arrow-down'
import IconArrowLeft from '~icons/arrow-left'
import IconArrowRight from '~icons/arrow-right'
import IconArrowUp from '~icons/arrow-up'
import { useTranslations } from 'use-intl'
import { keyBindings } from '../keys/key-bindings.ts'
import type { KeyScope } from '../keys/key-bindings.ts'
import classes from './help-sheet.module.css'

const bindingsOf = (scope: KeyScope) => keyBindings.filter((binding) => binding.scope === scope)

/** The web font has no arrows. */
const signs: Readonly<Record<string, typeof IconArrowUp>> = {
  '←': IconArrowLeft,
  '↑': IconArrowUp,
  '↓': IconArrowDown,
  '→': IconArrowRight,
}

function Key({ name }: { name: string }) {
  const Sign = signs[name]
  if (Sign === undefined) return <kbd>{name}</kbd>
  return (
    <kbd>
      <Sign size={16} stroke={1.75} aria-hidden="true" />
      <span className="visually-hidden">{name}</span>
    </kbd>
  )
}

/** The page's keys and their actions. */
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
                    <Key key={key} name={key} />
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
