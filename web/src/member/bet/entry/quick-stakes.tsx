import { Button } from '../../../ui/button.tsx'
import IconPencil from '~icons/pencil'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { formatCount } from '../../../lib/format/money.ts'
import { DialogSheet } from '../../../ui/dialog-sheet.tsx'
import { readAmount, writeCell } from '../slip/cell-text.ts'
import fields from './amount-fields.module.css'
import { keepQuickStakes, useQuickStakes } from './quick-stake-memory.ts'
import classes from './quick-stakes.module.css'

interface QuickStakesProps {
  onStake: (baht: number) => void
  isLocked: boolean
}

/** Usual amounts at one tap. The tap leaves the focus where it is, so that a phone keeps its keypad open. */
export function QuickStakes({ onStake, isLocked }: QuickStakesProps) {
  const t = useTranslations('bet.quick')
  const { baht } = useQuickStakes()
  const [isEditing, setIsEditing] = useState(false)
  return (
    <fieldset className={classes.stakes} aria-label={t('label')} disabled={isLocked}>
      <span className={classes.word} aria-hidden="true">
        {t('label')}
      </span>
      {baht.map((one) => (
        <button
          key={one}
          type="button"
          className={classes.stake}
          aria-label={t('stake', { baht: String(one) })}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onStake(one)}
        >
          {formatCount(one)}
        </button>
      ))}
      <button
        type="button"
        className={classes.edit}
        aria-label={t('edit')}
        aria-haspopup="dialog"
        onClick={() => setIsEditing(true)}
      >
        <IconPencil size={18} stroke={1.75} />
      </button>
      <DialogSheet isOpen={isEditing} onClose={() => setIsEditing(false)} title={t('edit')}>
        <StakesEditor onDone={() => setIsEditing(false)} />
      </DialogSheet>
    </fieldset>
  )
}

function StakesEditor({ onDone }: { onDone: () => void }) {
  const t = useTranslations('bet.quick')
  const { baht } = useQuickStakes()
  const [texts, setTexts] = useState(() => Array.from({ length: 6 }, (_, index) => String(baht[index] ?? '')))
  const amounts = texts.map(readAmount)
  const save = (): void => {
    keepQuickStakes(amounts.filter((one) => typeof one === 'number'))
    onDone()
  }
  return (
    <form
      className={classes.editor}
      onSubmit={(event) => {
        event.preventDefault()
        if (amounts.every((one) => typeof one === 'number')) save()
      }}
    >
      <div className={fields.fields}>
        {texts.map((text, index) => (
          // Six fields that never change places.
          <div key={index} className={fields.field}>
            <input
              className={fields.input}
              aria-label={t('nth', { nth: String(index + 1) })}
              aria-invalid={typeof amounts[index] === 'string' || undefined}
              inputMode="numeric"
              autoComplete="off"
              value={text}
              onChange={(event) => setTexts(texts.with(index, writeCell(event.currentTarget.value)))}
            />
          </div>
        ))}
      </div>
      <p className={classes.hint}>{t('edit_hint')}</p>
      <Button type="submit" isWide disabled={amounts.some((one) => typeof one === 'string')}>
        {t('save')}
      </Button>
    </form>
  )
}
