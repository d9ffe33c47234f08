import { Link, useLocation } from '@tanstack/react-router'
import { type ReactNode, useDeferredValue, useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Heading, Intro, Links, Stack } from '../../ui/layout.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { EmptyNote } from '../../ui/query-view.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import classes from './manual-page.module.css'

export interface ManualPart {
  /** The fragment of its address. */
  name: string
  title: string
  /** `card`: one of several in a row. `long`: a card in a row of its own. `wide`: as wide as the page, without a card. */
  layout: 'card' | 'long' | 'wide'
  /** Texts in order, numbered. */
  steps?: readonly string[]
  facts?: readonly string[]
  keys?: readonly { keys: readonly string[]; does: string }[]
  /** Words of the content, for the search. */
  words?: readonly string[]
  content?: ReactNode
}

interface ManualProps {
  title: string
  text?: string
  parts: readonly ManualPart[]
  /** Links after those of the contents. */
  links?: ReactNode
}

const plain = (text: string): string => text.normalize('NFKC').toLowerCase()

function includes({ title, steps = [], facts = [], keys = [], words = [] }: ManualPart, wanted: string): boolean {
  const texts = [title, ...steps, ...facts, ...words, ...keys.flatMap((row) => [...row.keys, row.does])]
  return plain(texts.join('\n')).includes(wanted)
}

/** A manual: its contents, a search, and the parts that the search leaves. */
export function Manual({ title, text, parts, links }: ManualProps) {
  const t = useTranslations('manual')
  const [typed, setTyped] = useState('')
  const wanted = plain(useDeferredValue(typed).trim())
  const found = parts.filter((part) => includes(part, wanted))
  const chosen = useLocation({ select: ({ hash }) => hash })
  useEffect(() => {
    // The page comes after the navigation, so the browser has looked for the part too early.
    if (chosen !== '') document.querySelector(`#${CSS.escape(chosen)}`)?.scrollIntoView()
  }, [chosen])
  return (
    <>
      <PageTitle title={title} />
      {text !== undefined && <Intro>{text}</Intro>}
      <Stack as="search" most={420}>
        <TextInput
          type="search"
          label={t('search')}
          maxLength={100}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </Stack>
      <Links as="nav" aria-label={t('contents')}>
        {found.map((part) => (
          <Link key={part.name} to="." hash={part.name}>
            {part.title}
          </Link>
        ))}
        {links}
      </Links>
      {found.length === 0 && <EmptyNote title={t('not_found')} />}
      <div className={classes.columns}>
        {found.map((part) => (
          <Part key={part.name} part={part} />
        ))}
      </div>
    </>
  )
}

function Part({ part: { name, title, layout, steps, facts, keys, content } }: { part: ManualPart }) {
  return (
    <section
      className={layout === 'wide' ? classes.wide : classes.card}
      data-long={layout === 'long' || undefined}
      aria-labelledby={name}
    >
      <Heading id={name} below={6}>
        {title}
      </Heading>
      {steps && (
        <ol className={classes.list}>
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      )}
      {facts && (
        <ul className={classes.list}>
          {facts.map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
      )}
      {keys && (
        <dl className={classes.keys}>
          {keys.map((row) => (
            <div key={row.does} className={classes.keyRow}>
              <dt>
                {row.keys.map((key) => (
                  <kbd key={key} className={classes.key}>
                    {key}
                  </kbd>
                ))}
              </dt>
              <dd>{row.does}</dd>
            </div>
          ))}
        </dl>
      )}
      {content}
    </section>
  )
}
