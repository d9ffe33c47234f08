import type { UserPackage } from '@megalot/contract'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useNames } from '../../../shared/markets/use-names.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Row } from '../../../ui/layout.tsx'
import { TextInput } from '../../../ui/text-input.tsx'
import { packageKeyOf } from './queries.ts'
import classes from '../../people/people.module.css'

export type PackageChoice = Pick<UserPackage, 'product_code' | 'package_code' | 'name'>

/** Packages by market, in the order in which the markets come. */
export function groupByMarket<Choice extends PackageChoice>(choices: readonly Choice[]): ReadonlyMap<string, Choice[]> {
  const groups = new Map<string, Choice[]>()
  for (const choice of choices) groups.set(choice.product_code, [...(groups.get(choice.product_code) ?? []), choice])
  return groups
}

/** From so many packages on they are found by typing. */
const MANY = 12

interface PackagePickerProps {
  /** The name of the group in its form. */
  name: string
  label: string
  choices: readonly PackageChoice[]
  /** The keys of those that are chosen. */
  chosen: ReadonlySet<string>
  onChoose: (chosen: ReadonlySet<string>) => void
}

/** Packages to tick, market by market. Where many are narrowed by typing, the buttons above tick those that are shown. */
export function PackagePicker({ name, label, choices, chosen, onChoose }: PackagePickerProps) {
  const t = useTranslations('people.packages')
  const { marketName: nameOf } = useNames()
  const [typed, setTyped] = useState('')
  const words = typed.trim().toLowerCase()
  const shown = choices.filter(({ product_code, name }) =>
    `${nameOf(product_code)} ${name} ${product_code}`.toLowerCase().includes(words),
  )
  const shownKeys = shown.map(packageKeyOf)
  const toggle = (key: string, isChosen: boolean): void => {
    const next = new Set(chosen)
    if (isChosen) next.add(key)
    else next.delete(key)
    onChoose(next)
  }
  return (
    <fieldset name={name} className={classes.group}>
      <legend className={classes.legend}>{label}</legend>
      {choices.length >= MANY && (
        <TextInput
          type="search"
          label={t('search')}
          autoComplete="off"
          autoCapitalize="off"
          maxLength={100}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      <Row gap={8} align="center" className={classes.buttons}>
        <Button size="sm" variant="subtle" onClick={() => onChoose(new Set([...chosen, ...shownKeys]))}>
          {t('all')}
        </Button>
        <Button
          size="sm"
          variant="subtle"
          onClick={() => onChoose(new Set([...chosen].filter((key) => !shownKeys.includes(key))))}
        >
          {t('none')}
        </Button>
        <span className={classes.dim}>{t('count', { count: chosen.size })}</span>
      </Row>
      {/* A box that is scrolled has to be reached by keyboard; its tick boxes are. */}
      <div className={classes.packages}>
        {shown.length === 0 && <p className={classes.dim}>{t('not_found')}</p>}
        {[...groupByMarket(shown)].map(([product_code, packages]) => (
          <fieldset key={product_code} className={classes.group}>
            <legend>{nameOf(product_code)}</legend>
            <Row gap={[2, 24]}>
              {packages.map((one) => (
                <Checkbox
                  key={one.package_code}
                  label={one.name}
                  isChecked={chosen.has(packageKeyOf(one))}
                  onChange={(isChosen) => toggle(packageKeyOf(one), isChosen)}
                />
              ))}
            </Row>
          </fieldset>
        ))}
      </div>
    </fieldset>
  )
}
