import { betTypes, type BetTypeCode } from '@megalot/rules'
import { useId } from 'react'
import { useTranslations } from 'use-intl'
import type { Problems } from '../../../lib/forms/use-form.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Card, Grid, Stack, Text } from '../../../ui/layout.tsx'
import { Textarea } from '../../../ui/text-input.tsx'
import { type RuleDraft, type ReadNumbers, readNumbers } from './rule-draft.ts'
import classes from './numbers.module.css'
import { useNumberWords } from './use-number-words.ts'

export interface DraftFieldsProps {
  draft: RuleDraft
  problems: Problems<RuleDraft>
  onChange: (changes: Partial<RuleDraft>) => void
}

/** The pasted numbers, their reading, and their bet types. */
export function NumberFields({ draft, problems, onChange }: DraftFieldsProps) {
  const t = useTranslations('numbers')
  const { typeName } = useNumberWords()
  const read = readNumbers(draft)
  const { text: problem = null, bet_types: typeProblem = null } = problems
  const typeProblemId = useId()
  const choose = (bet_type: BetTypeCode, isChosen: boolean): void =>
    onChange({ bet_types: betTypes.map(({ code }) => code).filter((code) => isTicked(code, bet_type, isChosen)) })
  const isTicked = (code: BetTypeCode, changed: BetTypeCode, isChosen: boolean): boolean =>
    code === changed ? isChosen : draft.bet_types.includes(code)
  return (
    <>
      <Card gap={8} pad={[12, 14, 14]}>
        <Textarea
          name="text"
          label={t('numbers')}
          description={t('numbers_hint')}
          rows={5}
          autoComplete="off"
          spellCheck={false}
          value={draft.text}
          onChange={(event) => onChange({ text: event.currentTarget.value })}
          error={problem}
        />
        <Checkbox
          label={t('permute')}
          isChecked={draft.isPermuted}
          onChange={(isPermuted) => onChange({ isPermuted })}
        />
        <ReadState read={read} />
      </Card>
      <Card
        name="bet_types"
        as="fieldset"
        gap={8}
        pad={[12, 14, 14]}
        aria-describedby={typeProblem === null ? undefined : typeProblemId}
      >
        <legend className={classes.legend}>{t('bet_types')}</legend>
        <Grid least={130} gap={[0, 12]}>
          {betTypes.map(({ code }) => (
            <Checkbox
              key={code}
              label={typeName(code)}
              isChecked={draft.bet_types.includes(code)}
              onChange={(isChosen) => choose(code, isChosen)}
            />
          ))}
        </Grid>
        {typeProblem !== null && (
          <Text id={typeProblemId} size="compact" tone="bad">
            {typeProblem}
          </Text>
        )}
      </Card>
    </>
  )
}

/** The numbers read from the text, and the unused parts with the reason. */
function ReadState({ read: { numbers, doubled, unknown, unfit } }: { read: ReadNumbers }) {
  const t = useTranslations('numbers')
  const notes = (['doubled', 'unknown', 'unfit'] as const).filter((name) => ({ doubled, unknown, unfit })[name].length)
  return (
    <Stack as="output" gap={2} size="compact" className={classes.read} data-testid="read-numbers">
      {t('read', { count: numbers.length })}
      {notes.map((name) => (
        <span key={name} data-kind={name}>
          {t(name, { numbers: { doubled, unknown, unfit }[name].join(' ') })}
        </span>
      ))}
    </Stack>
  )
}
