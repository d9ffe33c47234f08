import type { OnChange } from '@megalot/contract'
import { useId } from 'react'
import { useTranslations } from 'use-intl'
import { SelectField } from '../../../ui/select-field.tsx'
import { acceptancePolicies, chooseAcceptancePolicy, useAcceptancePolicy } from '../slip/acceptance-policy.ts'
import classes from './slip-options.module.css'
import { changeDraft, useDraft } from '../slip/slip-store.ts'
import type { SlipStore } from '../slip/slip-store.ts'

const NOTE_LENGTH = 200
/** From here on the note says how much room is left. */
const NOTE_NEARLY_FULL = 160

interface SlipOptionsProps {
  store: SlipStore
  user_id: number
  isLocked: boolean
}

/** The note, and the choice for changed rates and full numbers. */
export function SlipOptions({ store, user_id, isLocked }: SlipOptionsProps) {
  const t = useTranslations('bet')
  const note = useDraft(store, (draft) => draft.note)
  const wish = useAcceptancePolicy(user_id)
  const id = useId()
  return (
    <div className={classes.options}>
      <div className={classes.note}>
        <label htmlFor={id}>{t('note')}</label>
        <input
          id={id}
          autoComplete="off"
          maxLength={NOTE_LENGTH}
          value={note}
          disabled={isLocked}
          aria-describedby={`${id}-length`}
          onChange={(event) => changeDraft(store, { note: event.currentTarget.value })}
        />
        <output id={`${id}-length`}>
          {note.length >= NOTE_NEARLY_FULL &&
            t('note_length', { length: String(note.length), most: String(NOTE_LENGTH) })}
        </output>
      </div>
      <SelectField<OnChange>
        label={t('on_change.label')}
        value={wish}
        choices={acceptancePolicies.map((value) => ({ value, label: t(`on_change.${value}`) }))}
        onChange={(next) => chooseAcceptancePolicy(user_id, next)}
      />
    </div>
  )
}
