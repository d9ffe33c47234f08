import type { Person, PersonProfile, UserLevel } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useUser } from '../../lib/user/user-query.ts'
import { Button } from '../../ui/button.tsx'
import { Row, Stack } from '../../ui/layout.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryView, Skeleton } from '../../ui/query-view.tsx'
import { HandoverCard } from './handover-card.tsx'
import { ManyMembersForm } from './many-members-form.tsx'
import { NewPersonForm } from './new-person-form.tsx'
import { PersonField } from './person-field.tsx'
import classes from './people.module.css'
import { personQuery, rootQuery } from './queries.ts'

/** The levels from the top down: an agent's own is the one below its parent's. */
const levels: readonly UserLevel[] = ['company', 'super_senior', 'senior', 'master', 'agent', 'member']

/** Levels that a user may create: members, and agents of all lower levels. */
export function levelsBelow(level: UserLevel): readonly UserLevel[] {
  return ['member', ...levels.slice(levels.indexOf(level) + 1, -1)]
}

interface Made {
  person: Person
  password: string
}

/** Makes a member or an agent by one form, and shows what to hand over. */
export function NewPersonPage() {
  const t = useTranslations('people.new')
  const [made, setMade] = useState<Made | null>(null)
  // The form ends far below on a phone: what replaces it begins at the top.
  const scrollToTop = useCallback((message: HTMLElement | null) => {
    if (message === null) return
    scrollTo({ top: 0 })
    message.focus({ preventScroll: true })
  }, [])
  return (
    <>
      <PageTitle title={t('title')} />
      <Stack gap={16} most={720}>
        {made === null ? (
          <ParentChoice onMade={setMade} />
        ) : (
          <>
            <output ref={scrollToTop} tabIndex={-1} className={classes.done}>
              {t('made', { name: made.person.username })}
            </output>
            <HandoverCard username={made.person.username} password={made.password} />
            <Row gap={8} align="center" className={classes.buttons}>
              <Button onClick={() => setMade(null)}>{t('another')}</Button>
              <Link to="/people/$user_id" params={{ user_id: String(made.person.user_id) }}>
                {t('to_profile')}
              </Link>
            </Row>
          </>
        )}
      </Stack>
    </>
  )
}

/** Below whom: oneself; the office chooses, and begins with the company. */
function ParentChoice({ onMade }: { onMade: (made: Made) => void }) {
  const t = useTranslations('people.new')
  const { is_office } = useUser()
  const root = useQuery(rootQuery)
  const [chosen, setChosen] = useState<number | null>(null)
  return (
    <QueryView query={root} skeleton={<Skeleton count={6} height={64} />}>
      {(root_id) => (
        <>
          {is_office && (
            <PersonField
              name="parent"
              label={t('parent')}
              description={t('parent_hint')}
              isOffered={({ level }) => level !== 'member'}
              onChoose={(person) => setChosen(person?.user_id ?? null)}
            />
          )}
          <ParentForm parent_id={chosen ?? root_id} onMade={onMade} />
        </>
      )}
    </QueryView>
  )
}

function ParentForm({ parent_id, onMade }: { parent_id: number; onMade: (made: Made) => void }) {
  const t = useTranslations('people.many')
  const query = useQuery(personQuery(parent_id))
  const [how, setHow] = useState<'one' | 'many'>('one')
  return (
    <QueryView query={query} skeleton={<Skeleton count={6} height={64} />}>
      {(parent: PersonProfile) => (
        <>
          <SegmentedControl
            label={t('how')}
            value={how}
            choices={(['one', 'many'] as const).map((value) => ({ value, label: t(value) }))}
            onChange={setHow}
          />
          {how === 'many' ? (
            <ManyMembersForm key={parent.user_id} parent={parent} />
          ) : (
            <NewPersonForm
              key={parent.user_id}
              parent={parent}
              levels={levelsBelow(parent.level)}
              onMade={(person, password) => onMade({ person, password })}
            />
          )}
        </>
      )}
    </QueryView>
  )
}
