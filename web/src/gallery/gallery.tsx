import type { Language } from '@megalot/contract'
import { RouterContextProvider, createMemoryHistory, createRootRoute, createRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { ComponentType } from 'react'
import { IntlProvider } from 'use-intl'
import { setRootScheme } from '../lib/device/root-scheme.ts'
import { LanguageSwitch } from '../ui/language-switch.tsx'
import { TextInput } from '../ui/text-input.tsx'
import { ThemeSwitch } from '../ui/theme-switch.tsx'
import classes from './gallery.module.css'
import { useSay } from './sample.ts'
import type { Sample } from './sample.ts'

type Theme = 'auto' | 'light' | 'dark'

/** What is shown; the address holds it, so that a state can be opened again. */
interface View {
  language: Language
  theme: Theme
  search: string
}

const catalogues = import.meta.glob<object>(['../**/*.{th,en}.ts'], { eager: true, import: 'messages' })

const samples = Object.values(
  import.meta.glob<readonly Sample[]>('./samples/*.tsx', { eager: true, import: 'samples' }),
)
  .flat()
  .toSorted((one, other) => one.part.localeCompare(other.part))

/** Links are shown, and lead nowhere. */
const router = createRouter({
  routeTree: createRootRoute(),
  history: createMemoryHistory({ initialEntries: ['/reports'] }),
})

function messagesOf(language: Language): AppMessages {
  const own = Object.entries(catalogues).flatMap(([path, messages]) => {
    const [, area, folder] = /\/([\w-]+)\.(th|en)\.ts$/.exec(path) ?? []
    return folder === language && area !== undefined ? [[area, messages]] : []
  })
  return Object.fromEntries(own) as AppMessages
}

function readView(): View {
  const query = new URLSearchParams(location.search)
  const theme = query.get('theme')
  return {
    language: query.get('language') === 'en' ? 'en' : 'th',
    theme: theme === 'light' || theme === 'dark' ? theme : 'auto',
    search: query.get('search') ?? '',
  }
}

/** Every part of `ui` in its states. */
export function Gallery() {
  const [view, setView] = useState(readView)
  useEffect(() => {
    history.replaceState(null, '', `?${new URLSearchParams({ ...view })}`)
    document.documentElement.lang = view.language
    setRootScheme(
      view.theme === 'dark' || (view.theme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches),
    )
  }, [view])
  return (
    <IntlProvider locale={view.language} messages={messagesOf(view.language)} timeZone="Asia/Bangkok">
      <RouterContextProvider router={router as never}>
        <GalleryPage view={view} onView={(change) => setView({ ...view, ...change })} />
      </RouterContextProvider>
    </IntlProvider>
  )
}

function GalleryPage({ view, onView }: { view: View; onView: (change: Partial<View>) => void }) {
  const say = useSay()
  const words = view.search.trim().toLowerCase()
  const shown = samples.flatMap(({ part, states }) => {
    const names = Object.keys(states).filter((name) => `${part} ${name}`.toLowerCase().includes(words))
    return names.length === 0 ? [] : [{ part, states, names }]
  })
  return (
    <>
      <header className={classes.bar}>
        <h1 className={classes.title}>{say('แกลเลอรี', 'Gallery')}</h1>
        <TextInput
          type="search"
          aria-label={say('ค้นหา', 'Search')}
          placeholder={say('ค้นหาชิ้นส่วนหรือสถานะ', 'Part or state')}
          className={classes.search}
          value={view.search}
          onChange={(event) => onView({ search: event.currentTarget.value })}
        />
        <LanguageSwitch onSwitch={(language) => onView({ language })} />
        <ThemeSwitch choice={view.theme} onChoose={(theme) => onView({ theme })} />
      </header>
      <main className={classes.parts}>
        {shown.length === 0 && <p>{say('ไม่พบชิ้นส่วนที่ค้นหา', 'No part has this name')}</p>}
        {shown.map(({ part, states, names }) => (
          <section key={part} className={classes.part} data-part={part} aria-label={part}>
            <h2 className={classes.name}>{part}</h2>
            <div className={classes.states}>
              {names.map((name) => (
                <State key={name} name={name} show={states[name]} />
              ))}
            </div>
          </section>
        ))}
      </main>
    </>
  )
}

function State({ name, show: Show }: { name: string; show: ComponentType | undefined }) {
  return (
    <figure className={classes.state} data-state={name}>
      <figcaption className={classes.caption}>{name}</figcaption>
      {Show !== undefined && <Show />}
    </figure>
  )
}
